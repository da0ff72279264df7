import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { repeat, then, type Maybe } from "../shell/io/maybe";
import { ownOutput } from "../shell/io/own_output";
import type { Reader } from "../shell/io/reader";
import type { Command, Process } from "../shell/process";
import { exists } from "../vfs/meta";
import { find } from "../vfs/walk";
import { Directory } from "../vfs/inode";
import { Errno } from "../vfs/errors";
import { choose, themselves } from "./choices";
import { command, complain, Failure } from "./command";
import { openReader, readText, using } from "./files";
import { Filter } from "./filter";
import { type FileRule, filesBelow, type Wanted, wantedBy } from "./grep_files";
import { type Options, UsageFault } from "./options";
import { nameShown } from "./quoting";
import { localeFlag } from "./locale";
import { RegexFlag } from "./regex_flags";

const TABLE = {
  extended: ["-E, --extended-regexp", "patterns are extended regular expressions"],
  fixed: ["-F, --fixed-strings", "patterns are strings"],
  basic: ["-G, --basic-regexp", "patterns are basic regular expressions"],
  perl: ["-P, --perl-regexp", "patterns are Perl regular expressions"],
  pattern: ["-e, --regexp=PATTERNS", "match these patterns"],
  patternFile: ["-f, --file=FILE", "take patterns from FILE, one a line"],
  ignoreCase: ["-i, --ignore-case", "ignore differences of case"],
  ignoreCaseOld: ["-y", "as -i"],
  caseSensitive: ["--no-ignore-case", "do not ignore case"],
  word: ["-w, --word-regexp", "match whole words only"],
  line: ["-x, --line-regexp", "match whole lines only"],
  nullData: ["-z, --null-data", "lines end in a NUL byte"],
  noMessages: ["-s, --no-messages", "be silent about files that can't be read"],
  invert: ["-v, --invert-match", "select lines that do not match"],
  most: ["-m, --max-count=NUM", "stop after NUM selected lines of a file"],
  byteOffset: ["-b, --byte-offset", "print the byte offset too"],
  lineNumber: ["-n, --line-number", "print the line number too"],
  lineBuffered: ["--line-buffered", "write out each line at once"],
  withName: ["-H, --with-filename", "print the file's name too"],
  noName: ["-h, --no-filename", "do not print the file's name"],
  label: ["--label=LABEL", "use LABEL as the name of standard input"],
  only: ["-o, --only-matching", "print only the parts that match"],
  quiet: ["-q, --quiet", "print nothing; the status tells"],
  silent: ["--silent", "as -q"],
  binaryFiles: ["--binary-files=TYPE", "TYPE is binary, text or without-match"],
  text: ["-a, --text", "as --binary-files=text"],
  skipBinary: ["-I", "as --binary-files=without-match"],
  directories: ["-d, --directories=ACTION", "ACTION is read, recurse or skip"],
  devices: ["-D, --devices=ACTION", "ACTION is read or skip"],
  recursive: ["-r, --recursive", "search directories through"],
  dereference: ["-R, --dereference-recursive", "as -r, and follow links"],
  include: ["--include=GLOB", "search only files that match GLOB"],
  exclude: ["--exclude=GLOB", "skip files that match GLOB"],
  excludeFrom: ["--exclude-from=FILE", "skip files that match a glob in FILE"],
  excludeDirectory: ["--exclude-dir=GLOB", "skip directories that match GLOB"],
  withoutMatch: ["-L, --files-without-match", "print only names of files without a selected line"],
  withMatch: ["-l, --files-with-matches", "print only names of files with a selected line"],
  count: ["-c, --count", "print only how many lines are selected, for each file"],
  initialTab: ["-T, --initial-tab", "line up by tabs"],
  nullName: ["-Z, --null", "print a NUL byte behind a file's name"],
  before: ["-B, --before-context=NUM", "print NUM lines before"],
  after: ["-A, --after-context=NUM", "print NUM lines behind"],
  context: ["-C, --context=NUM", "print NUM lines before and behind"],
  groupSeparator: ["--group-separator=SEP", "print SEP between groups of context"],
  noGroupSeparator: ["--no-group-separator", "print nothing between groups of context"],
  color: ["--color[=WHEN]", "mark matches; WHEN is always, never or auto"],
  colour: ["--colour[=WHEN]", "as --color"],
  binary: ["-U, --binary", "ignored"],
} as const;

type Given = Options<typeof TABLE>;
type Opener = (process: Process, name: string) => Maybe<Reader>;

function number(options: Given, key: "most" | "before" | "after" | "context", words: string): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  if (!/^\s*[-+]?\d+$/.test(text) || (key !== "most" && Number(text) < 0)) throw new Failure(`${text}: ${words}`, 2);
  return Number(text);
}

/** `-5` is `-C 5`. */
function rewrite(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return args.flatMap((word, index) => {
    const [, before, digits, after] = /^-([A-Za-z]*?)(\d+)([A-Za-z]*)$/.exec(word) ?? [];
    const taken = /[efmABCdD]/.test(before ?? "") || (index > 0 && /^-[a-zA-Z]*[efmABCdD]$/.test(args[index - 1]!));
    if (digits === undefined || taken || (end >= 0 && index > end)) return [word];
    return [`--context=${digits}`, ...(before || after ? [`-${before}${after}`] : [])];
  });
}

async function listed(process: Process, options: Given): Promise<string> {
  const lists: string[] = [];
  for (const { key, value } of options.order) {
    if (key === "pattern") lists.push(value!);
    if (key === "patternFile") lists.push(...fileLines(await patternText(process, value!)));
  }
  return lists.length > 0 ? lists.join("\n") : NEVER;
}

async function patternText(process: Process, path: string): Promise<string> {
  try {
    return await readText(process, path);
  } catch (error) {
    throw new Failure(`${nameShown(path)}: ${describeErrno(error)}`, 2);
  }
}

function patterns(process: Process, options: Given, operands: string[]): Maybe<string> {
  if (options.has("pattern") || options.has("patternFile")) return listed(process, options);
  const first = operands.shift();
  if (first === undefined) throw new UsageFault("Usage: grep [OPTION]... PATTERNS [FILE]...");
  return first;
}

/** An empty pattern file matches nothing. */
const NEVER = "\0never";

function fileLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function syntaxFlag(options: Given): number {
  const chosen = options.last("extended", "fixed", "basic", "perl");
  const others = ["extended", "fixed", "basic", "perl"].filter((key) => key !== chosen && options.order.some((each) => each.key === key));
  if (others.length > 0) throw new Failure("conflicting matchers specified", 2);
  return chosen === "extended" ? RegexFlag.extended : chosen === "fixed" ? RegexFlag.literal : chosen === "perl" ? RegexFlag.perl : 0;
}

function flagsOf(process: Process, options: Given): number {
  const folds = options.last("ignoreCase", "ignoreCaseOld", "caseSensitive");
  return (
    syntaxFlag(options) |
    (process.name === "rg" ? 0 : localeFlag(process)) |
    RegexFlag.lines |
    RegexFlag.newlineList |
    (folds !== undefined && folds !== "caseSensitive" ? RegexFlag.ignoreCase : 0) |
    (options.has("line") ? RegexFlag.wholeLine : options.has("word") ? RegexFlag.wholeWord : 0) |
    (options.has("nullData") ? RegexFlag.nullLines : 0)
  );
}

interface Report {
  readonly selected: number;
  readonly binary: boolean;
}

/** One search over many files. */
class Search {
  /** Whether any line was selected. */
  found = false;
  failed = false;
  private readonly filter: Filter;
  private readonly quiet: boolean;
  private readonly mode: "lines" | "count" | "with" | "without";
  private readonly kind: "binary" | "text" | "without-match";
  private readonly color: boolean;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    pattern: string,
    private readonly named: boolean,
    private readonly open: Opener,
  ) {
    this.quiet = options.has("quiet") || options.has("silent");
    const list = options.last("withMatch", "withoutMatch");
    this.mode = list === "withMatch" ? "with" : list === "withoutMatch" ? "without" : options.has("count") ? "count" : "lines";
    this.kind = binaryKind(options);
    this.color = (options.value("color") ?? options.value("colour")) === "always";
    this.filter = createFilter(process, pattern, flagsOf(process, options));
  }

  /** Whether the answer is known already. */
  get over(): boolean {
    return this.quiet && this.found;
  }

  file(name: string): Maybe<void> {
    const refused = (error: unknown): void => this.refuse(name, describeErrno(error));
    const label = name === "-" ? (this.options.value("label") ?? "(standard input)") : name;
    const searched = (reader: Reader): Maybe<void> => using(this.process, reader, () => this.search(reader, label));
    try {
      const reader = this.open(this.process, name);
      return reader instanceof Promise ? reader.then(searched, refused) : searched(reader);
    } catch (error) {
      if (!(error instanceof Errno)) throw error;
      refused(error);
    }
  }

  /** A directory is told of, and has no line that matches. */
  directory(name: string): Maybe<void> {
    this.refuse(name, "Is a directory");
    return this.conclude(name, { selected: 0, binary: false });
  }

  refuse(name: string, words: string): void {
    this.failed = true;
    if (!this.options.has("noMessages")) complain(this.process, `${name}: ${words}`);
  }

  private search(reader: Reader, name: string): Maybe<void> {
    if (ownOutput(reader) !== undefined && this.mode === "lines" && !this.quiet && this.options.value("most") !== "1") {
      return this.refuse(name, "input file is also the output");
    }
    this.filter.configure(this.settings(name));
    return then(this.filter.finish(reader), () => this.conclude(name, this.filter.report as Report));
  }

  private settings(name: string): Record<string, unknown> {
    const { options } = this;
    const whether = this.quiet || this.mode === "with" || this.mode === "without";
    const most = number(options, "most", "invalid max count") ?? -1;
    const context = number(options, "context", "invalid context length argument") ?? 0;
    return {
      show: whether || this.mode === "count" ? "nothing" : options.has("only") ? "matches" : "lines",
      invert: options.has("invert"),
      lineNumbers: options.has("lineNumber"),
      byteOffsets: options.has("byteOffset"),
      initialTab: options.has("initialTab"),
      color: this.color,
      most: whether && most !== 0 ? 1 : most < 0 ? -1 : most,
      before: whether ? 0 : (number(options, "before", "invalid context length argument") ?? context),
      after: whether ? 0 : (number(options, "after", "invalid context length argument") ?? context),
      ...(this.named && { prefix: native.text.encode(name) }),
      nullAfterName: options.has("nullName"),
      grouped: ["before", "after", "context"].some((key) => options.has(key as "before")),
      ...(!options.has("noGroupSeparator") && { separator: native.text.encode(options.value("groupSeparator") ?? "--") }),
      text: this.kind === "text",
      nullLines: options.has("nullData"),
    };
  }

  private conclude(name: string, { selected, binary }: Report): Maybe<void> {
    const skipped = binary && this.kind === "without-match";
    const hit = selected > 0 && !skipped;
    if (hit) this.found = true;
    if (this.quiet) return;
    const end = this.options.has("nullName") ? "\0" : "\n";
    if (this.mode === "with" || this.mode === "without") {
      if (hit === (this.mode === "with")) return this.process.stdout.write(this.shown(name, NAME_COLOR) + end);
      return;
    }
    if (this.mode === "count") {
      if (!hit && this.process.name === "rg") return; // which tells only of files with matches
      const head = this.named ? this.shown(name, NAME_COLOR) + (this.options.has("nullName") ? "\0" : this.shown(":", SEPARATOR_COLOR)) : "";
      return this.process.stdout.write(`${head}${skipped ? 0 : selected}\n`);
    }
    if (!hit || !binary) return;
    if (this.process.name === "rg") return this.process.stdout.write(`rg: ${name}: binary file matches\n`);
    return then(this.process.stdout.flush(), () => complain(this.process, `${name}: binary file matches`));
  }

  private shown(text: string, color: string): string {
    return this.color ? `\x1b[${color}m\x1b[K${text}\x1b[m\x1b[K` : text;
  }
}

/** The colours of GREP_COLORS's defaults, as the filter has them. */
const NAME_COLOR = "35";
const SEPARATOR_COLOR = "36";

function binaryKind(options: Given): "binary" | "text" | "without-match" {
  const last = options.last("binaryFiles", "text", "skipBinary");
  if (last === "text") return "text";
  if (last === "skipBinary") return "without-match";
  const type = options.value("binaryFiles") ?? "binary";
  if (type !== "binary" && type !== "text" && type !== "without-match") throw new Failure("unknown binary-files type", 2);
  return type;
}

function createFilter(process: Process, pattern: string, flags: number): Filter {
  try {
    return new Filter(process, "grep", { pattern: native.text.encode(pattern), flags });
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(error.message, 2);
    throw error;
  }
}

function isDirectory(process: Process, path: string): boolean {
  try {
    return find(process.context, path) instanceof Directory;
  } catch (error) {
    if (error instanceof Errno) return false;
    throw error;
  }
}

/** `open` gives what is searched of a file. */
export function grepCommand(name: string, about: string, open: Opener): Command {
  return command({
    name,
    usage: "[OPTION]... PATTERNS [FILE]...",
    about: `${about} (one a line). Without FILE: standard input, or with -r the present directory.\nStatus: 0 when a line is selected, 1 when none is, 2 on an error.`,
    options: TABLE,
    failure: 2,
    rewrite,
    run: (process, options, operands) =>
      then(patterns(process, options, operands), (pattern) => then(fileRules(process, options), (rules) => searchAll(process, options, pattern, operands, open, wantedBy(rules)))),
  });
}

export const grep = grepCommand("grep", "Print the lines of each FILE that match one of PATTERNS", openReader);

const RULE_KINDS = { include: "include", exclude: "exclude", excludeFrom: "exclude", excludeDirectory: "directory" } as const;

/** What the command line says of the files to search. */
function fileRules(process: Process, options: Given): Maybe<FileRule[]> {
  const rules = (glob: string, key: keyof typeof RULE_KINDS): FileRule => ({ kind: RULE_KINDS[key], glob });
  const given = options.order.filter((each): each is { key: keyof typeof RULE_KINDS; value: string } => each.key in RULE_KINDS);
  if (!options.has("excludeFrom")) return given.map(({ key, value }) => rules(value, key));
  const lists = given.map(async ({ key, value }) => (key === "excludeFrom" ? fileLines(await readText(process, value)).filter(Boolean) : [value]).map((glob) => rules(glob, key)));
  return Promise.all(lists).then((all) => all.flat());
}

function searchAll(process: Process, options: Given, pattern: string, operands: readonly string[], open: Opener, wanted: Wanted): Maybe<number> {
  choose(themselves("read", "recurse", "skip"), options.value("directories") ?? "read", "--directories");
  if (options.has("perl") && pattern.includes("\n")) throw new Failure("the -P option only supports a single pattern", 2);
  const recursive = options.has("recursive") || options.has("dereference") || options.value("directories") === "recurse";
  const roots = operands.length > 0 ? operands : [recursive ? "." : "-"];
  const several = roots.length > 1 || (recursive && !(roots.length === 1 && !isDirectory(process, roots[0]!)));
  const last = options.last("withName", "noName");
  const search = new Search(process, options, pattern, last === undefined ? several : last === "withName", open);
  if (options.value("most") === "0") return 1;
  const paths = pathsOf(process, options, roots, search, recursive, operands.length === 0, wanted);
  const done = repeat(() => {
    const { value } = paths.next();
    return value !== undefined && then(search.file(value), () => !search.over);
  });
  return then(done, () => (search.failed && !search.over ? 2 : search.found ? 0 : 1));
}

/** The files to search; told of directories that are none. */
function* pathsOf(process: Process, options: Given, roots: readonly string[], search: Search, recursive: boolean, implied: boolean, wanted: Wanted): Generator<string, undefined> {
  for (const root of roots) {
    if (root === "-") yield root;
    else if (!isDirectory(process, root)) {
      if (!exists(process.context, root) || (wanted.file(root) && wanted.file(root.replace(/^.*\//, "")))) yield root;
    } else if (recursive) yield* filesBelow(process, root, implied, wanted, options.has("dereference"));
    else if (options.value("directories") !== "skip") void search.directory(root);
  }
}

export const egrep: Command = (process) => grep(withFlag(process, "-E"));
export const fgrep: Command = (process) => grep(withFlag(process, "-F"));

export function withFlag(process: Process, flag: string): Process {
  return Object.create(process, { args: { value: [flag, ...process.args] } }) as Process;
}
