/** rg: ripgrep's command line in front of grep, with its defaults: directories are searched through, hidden files left out. */

import { repeat, then, type Maybe } from "../shell/io/maybe";
import type { Command, Process } from "../shell/process";
import { S_IFCHR, S_IFMT } from "../vfs/inode";
import { OpenSource } from "../vfs/streams";
import { command, Failure } from "./command";
import { readText } from "./files";
import { grep } from "./grep";
import { type Options, UsageFault } from "./options";
import { RegexFlag } from "./regex_flags";
import { Files, TYPES } from "./rg_files";
import { LineSearch, type Style } from "./rg_lines";

const TABLE = {
  ignoreCase: ["-i, --ignore-case", "ignore differences of case"],
  smartCase: ["-S, --smart-case", "as -i, unless the pattern has capitals"],
  caseSensitive: ["-s, --case-sensitive", "do not ignore case"],
  invert: ["-v, --invert-match", "select lines that do not match"],
  count: ["-c, --count", "print only how many lines match, for each file"],
  countMatches: ["--count-matches", "print only how many matches there are, for each file"],
  list: ["-l, --files-with-matches", "print only names of files with a match"],
  without: ["--files-without-match", "print only names of files without a match"],
  only: ["-o, --only-matching", "print only the parts that match"],
  replace: ["-r, --replace=TEXT", "print TEXT in place of matches; $1 and ${name} are groups"],
  lineNumber: ["-n, --line-number", "print line numbers"],
  noLineNumber: ["-N, --no-line-number", "print no line numbers"],
  column: ["--column", "print the first match's column too; with line numbers"],
  vimgrep: ["--vimgrep", "print each match with name, line and column"],
  byteOffset: ["-b, --byte-offset", "print the byte offset too"],
  passthru: ["--passthru, --passthrough", "print lines that do not match too"],
  trim: ["--trim", "leave out blanks at the start of lines"],
  maxColumns: ["-M, --max-columns=NUM", "leave out lines of more than NUM bytes"],
  word: ["-w, --word-regexp", "match whole words only"],
  line: ["-x, --line-regexp", "match whole lines only"],
  fixed: ["-F, --fixed-strings", "patterns are strings"],
  perl: ["-P, --pcre2", "patterns are Perl regular expressions"],
  quiet: ["-q, --quiet", "print nothing; the status tells"],
  withName: ["-H, --with-filename", "print the file's name too"],
  noName: ["-I, --no-filename", "do not print the file's name"],
  nullName: ["-0, --null", "print a NUL byte behind a file's name"],
  text: ["-a, --text", "search binary files as text"],
  pattern: ["-e, --regexp=PATTERN", "match this pattern"],
  patternFile: ["-f, --file=FILE", "take patterns from FILE"],
  most: ["-m, --max-count=NUM", "stop after NUM lines of a file"],
  after: ["-A, --after-context=NUM", "print NUM lines behind"],
  before: ["-B, --before-context=NUM", "print NUM lines before"],
  context: ["-C, --context=NUM", "print NUM lines before and behind"],
  glob: ["-g, --glob=GLOB", "search only files that match GLOB; with ! in front, all others"],
  iglob: ["--iglob=GLOB", "as -g, and ignore case"],
  type: ["-t, --type=TYPE", "search only files of the type"],
  typeNot: ["-T, --type-not=TYPE", "skip files of the type"],
  typeList: ["--type-list", "print the types"],
  hidden: ["-., --hidden", "search hidden files too"],
  unrestricted: ["-u, --unrestricted", "twice: as --hidden; three times: as -a too"],
  follow: ["-L, --follow", "follow links"],
  depth: ["-d, --max-depth=NUM", "go NUM directories deep"],
  noMessages: ["--no-messages", "be silent about files that can't be read"],
  noIgnore: ["--no-ignore, --no-ignore-vcs, --no-config", "ignored: there are no ignore files"],
  threads: ["-j, --threads=NUM", "ignored"],
  lineBuffered: ["--line-buffered", "ignored"],
  mmap: ["--mmap, --no-mmap", "ignored"],
  files: ["--files", "print the files that would be searched"],
  color: ["--color=WHEN", "mark matches; WHEN is always, never or auto"],
  heading: ["--heading", "print a file's name once, above its lines"],
  noHeading: ["--no-heading", "print a file's name on each line"],
  multiline: ["-U, --multiline", "matches may go over lines"],
  dotAll: ["--multiline-dotall", "with -U: . matches ends of lines, too"],
  json: ["--json", "print what is found as JSON, a message a line"],
  stats: ["--stats", "print how much was searched and found"],
  sort: ["--sort=KEY", "KEY is path, which is the order in any case, or none"],
} as const;

type Given = Options<typeof TABLE>;

/** Options that grep has too. */
const SAME: Readonly<Record<string, string>> = {
  invert: "-v", count: "-c", list: "-l", without: "-L", only: "-o", lineNumber: "-n", byteOffset: "-b", word: "-w", line: "-x", quiet: "-q",
  nullName: "-Z", text: "-a", most: "-m", after: "-A", before: "-B", context: "-C", noMessages: "-s",
};

/** Options that only our own search has. */
const OWN = ["countMatches", "replace", "column", "vimgrep", "passthru", "trim", "maxColumns", "heading", "multiline", "json", "stats"] as const;

function filesOf(process: Process, options: Given): Files {
  const unrestricted = options.list("unrestricted").length;
  return new Files(process, {
    globs: options.order.flatMap(({ key, value }) => (key === "glob" || key === "iglob" ? [{ glob: value!, folds: key === "iglob" }] : [])),
    types: options.list("type"),
    notTypes: options.list("typeNot"),
    hidden: options.has("hidden") || unrestricted > 1,
    follow: options.has("follow"),
    depth: numberOf(options, "depth") ?? Infinity,
  });
}

type NumberKey = "depth" | "most" | "maxColumns" | "before" | "after" | "context";

function numberOf(options: Given, key: NumberKey): number | undefined {
  const text = options.value(key);
  if (text !== undefined && !/^\d+$/.test(text)) throw new Failure(`invalid number: ${text}`, 2);
  return text === undefined ? undefined : Number(text);
}

/** Patterns, one a line. */
async function patternsOf(process: Process, options: Given, operands: string[]): Promise<string> {
  const patterns: string[] = [];
  for (const { key, value } of options.order) {
    if (key === "pattern") patterns.push(value!);
    if (key === "patternFile") patterns.push(...(await readText(process, value!)).replace(/\n$/, "").split("\n"));
  }
  if (options.has("pattern") || options.has("patternFile")) return patterns.join("\n");
  const first = operands.shift();
  if (first === undefined) throw new UsageFault("a pattern is required");
  return first;
}

function foldsCase(options: Given, pattern: string): boolean {
  const chosen = options.last("ignoreCase", "smartCase", "caseSensitive");
  return chosen === "ignoreCase" || (chosen === "smartCase" && !/\p{Lu}/u.test(pattern.replace(/\\./g, "")));
}

function isText(options: Given): boolean {
  return options.has("text") || options.list("unrestricted").length > 2;
}

/** What is searched: files, and whether their names are shown. */
interface Targets {
  readonly paths: Iterable<string>;
  readonly names: boolean;
  /** Found in directories, where binary files are passed over. */
  readonly recursive: boolean;
}

/** Whether something was piped in or redirected to standard input. */
function isPiped({ stdin: { file } }: Process): boolean {
  return !(file instanceof OpenSource) && (file.status().mode & S_IFMT) !== S_IFCHR;
}

function targetsOf(process: Process, options: Given, operands: readonly string[]): Targets {
  const files = filesOf(process, options);
  // Without a path: what was piped or redirected to it, else the present directory.
  const bare = operands.length === 0;
  const roots = !bare ? operands : isPiped(process) ? ["-"] : ["."];
  const recursive = roots.some((root) => root !== "-" && files.isDirectory(root));
  const last = options.last("withName", "noName");
  const names = last === undefined ? recursive || roots.length > 1 || options.has("vimgrep") : last === "withName";
  return { paths: below(files, roots, bare), names, recursive };
}

function* below(files: Files, roots: readonly string[], bare: boolean): Generator<string> {
  for (const root of roots) yield* root === "-" ? [root] : files.below(root, bare);
}

function grepArguments(options: Given, pattern: string, { names, recursive, paths }: Targets): string[] {
  const given = options.order.flatMap(({ key, value }) => (SAME[key] === undefined ? [] : value === undefined ? [SAME[key]] : [SAME[key], value]));
  if (options.last("lineNumber", "noLineNumber") === "noLineNumber") for (let at = given.indexOf("-n"); at >= 0; at = given.indexOf("-n")) given.splice(at, 1);
  if (foldsCase(options, pattern)) given.push("-i");
  if (options.value("color") === "always") given.push("--color=always");
  if (isText(options)) given.push("-a");
  else if (recursive) given.push("-I");
  // Rust's regular expressions are nearest to Perl's.
  return [options.has("fixed") ? "-F" : "-P", "--label=<stdin>", ...given, names ? "-H" : "-h", "-e", pattern, "--", ...paths];
}

function styleOf(options: Given, pattern: string, { names }: Targets): Style {
  const context = numberOf(options, "context") ?? 0;
  const vimgrep = options.has("vimgrep");
  const columns = vimgrep || options.has("column");
  const numbered = options.last("lineNumber", "noLineNumber");
  const last = options.last("heading", "noHeading");
  const multiline = options.has("multiline");
  return {
    pattern: multiline && !options.has("fixed") ? `(?m${options.has("dotAll") ? "s" : ""})${pattern}` : pattern,
    flags:
      (options.has("fixed") ? RegexFlag.literal : RegexFlag.perl) | (multiline ? 0 : RegexFlag.lines) | RegexFlag.newlineList | (foldsCase(options, pattern) ? RegexFlag.ignoreCase : 0) |
      (options.has("line") ? RegexFlag.wholeLine : options.has("word") ? RegexFlag.wholeWord : 0),
    names,
    columns,
    lineNumbers: numbered === undefined ? columns : numbered === "lineNumber",
    invert: options.has("invert"),
    offsets: options.has("byteOffset"),
    heading: last === "heading" && !vimgrep,
    only: options.has("only"),
    each: vimgrep,
    multiline,
    json: options.has("json"),
    stats: options.has("stats"),
    count: options.has("count"),
    list: options.has("list"),
    countMatches: options.has("countMatches") || (options.has("count") && options.has("only")),
    all: options.has("passthru"),
    trim: options.has("trim"),
    quiet: options.has("quiet"),
    text: isText(options),
    most: numberOf(options, "most") ?? Infinity,
    before: numberOf(options, "before") ?? context,
    after: numberOf(options, "after") ?? context,
    longest: numberOf(options, "maxColumns") || Infinity,
    replacement: options.value("replace"),
  };
}

function searchLines(process: Process, style: Style, { paths }: Targets): Maybe<number> {
  const search = new LineSearch(process, style);
  const each = paths[Symbol.iterator]();
  const done = repeat(() => {
    const { value, done: over } = each.next();
    return over ? false : then(search.file(value), () => !(style.quiet && search.found));
  });
  const told = then(done, () => search.summary());
  return then(told, () => (search.failed && !(style.quiet && search.found) ? 2 : search.found ? 0 : 1));
}

async function listFiles(process: Process, options: Given, operands: readonly string[]): Promise<number> {
  let found = false;
  for (const path of below(filesOf(process, options), operands.length > 0 ? operands : ["."], operands.length === 0)) {
    found = true;
    await process.stdout.write(path + (options.has("nullName") ? "\0" : "\n"));
  }
  return found ? 0 : 1;
}

function listTypes(process: Process): Maybe<number> {
  const lines = Object.entries(TYPES).map(([name, globs]) => `${name}: ${globs.join(", ")}\n`);
  return then(process.stdout.write(lines.join("")), () => 0);
}

async function search(process: Process, options: Given, operands: string[]): Promise<number> {
  const pattern = await patternsOf(process, options, operands);
  const targets = targetsOf(process, options, operands);
  const listing = options.has("without") || (options.has("list") && !options.has("stats") && !options.has("multiline"));
  if (!listing && (OWN.some((key) => options.has(key)) || (options.has("count") && options.has("only")))) {
    return searchLines(process, styleOf(options, pattern, targets), targets);
  }
  const args = grepArguments(options, pattern, targets);
  if (args[args.length - 1] === "--") return 1;
  return grep(Object.create(process, { args: { value: args } }) as Process);
}

export const rg: Command = command({
  name: "rg",
  usage: ["[OPTION]... PATTERN [PATH]...", "[OPTION]... --files [PATH]..."],
  about: "Search files for lines that match PATTERN; without PATH the present directory, or what is piped in.\nStatus: 0 when a line matches, 1 when none does, 2 on an error.",
  options: TABLE,
  failure: 2,
  run(process, options, operands) {
    const order = options.value("sort");
    if (order !== undefined && order !== "path" && order !== "none") throw new Failure(`--sort=${order} is not supported here: files come in the order of their paths`, 2);
    if (options.has("typeList")) return listTypes(process);
    if (options.has("files")) return listFiles(process, options, operands);
    return search(process, options, operands);
  },
});
