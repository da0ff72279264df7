/** rg: ripgrep's command line in front of grep, with its defaults: directories are searched through, hidden files left out. */

import type { Command, Process } from "../shell/process";
import { OpenSource } from "../vfs/streams";
import { command, Failure } from "./command";
import { grep } from "./grep";
import { filesBelow } from "./grep_files";
import { type Options, type OptionTable, UsageFault } from "./options";

const TABLE = {
  ignoreCase: ["-i, --ignore-case", "ignore differences of case"],
  smartCase: ["-S, --smart-case", "as -i, unless the pattern has capitals"],
  caseSensitive: ["-s, --case-sensitive", "do not ignore case"],
  invert: ["-v, --invert-match", "select lines that do not match"],
  count: ["-c, --count", "print only how many lines match, for each file"],
  list: ["-l, --files-with-matches", "print only names of files with a match"],
  without: ["--files-without-match", "print only names of files without a match"],
  only: ["-o, --only-matching", "print only the parts that match"],
  lineNumber: ["-n, --line-number", "print line numbers"],
  noLineNumber: ["-N, --no-line-number", "print no line numbers"],
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
  type: ["-t, --type=TYPE", "search only files of the type"],
  typeNot: ["-T, --type-not=TYPE", "skip files of the type"],
  hidden: ["-., --hidden", "search hidden files too"],
  unrestricted: ["-u, --unrestricted", "twice: as --hidden"],
  noIgnore: ["--no-ignore", "ignored: there are no ignore files"],
  files: ["--files", "print the files that would be searched"],
  color: ["--color=WHEN", "mark matches; WHEN is always, never or auto"],
  heading: ["--heading", "ignored"],
  noHeading: ["--no-heading", "ignored"],
  sort: ["--sort=KEY", "ignored: files come in the order of their names"],
} as const;

type Given = Options<typeof TABLE>;

/** Options that grep has too. */
const SAME: Readonly<Record<string, string>> = {
  invert: "-v", count: "-c", list: "-l", without: "-L", only: "-o", lineNumber: "-n", word: "-w", line: "-x", quiet: "-q",
  withName: "-H", noName: "-h", nullName: "-Z", text: "-a", pattern: "-e", patternFile: "-f", most: "-m", after: "-A",
  before: "-B", context: "-C",
};

const TYPES: Readonly<Record<string, readonly string[]>> = {
  c: ["*.c", "*.h"], cpp: ["*.cpp", "*.cc", "*.cxx", "*.hpp", "*.hh", "*.h"], css: ["*.css"], csv: ["*.csv"], go: ["*.go"],
  html: ["*.html", "*.htm"], java: ["*.java"], js: ["*.js", "*.mjs", "*.cjs", "*.jsx"], json: ["*.json"], log: ["*.log"],
  md: ["*.md", "*.markdown"], py: ["*.py", "*.pyi"], rust: ["*.rs"], sh: ["*.sh", "*.bash"], toml: ["*.toml"],
  ts: ["*.ts", "*.tsx"], txt: ["*.txt"], xml: ["*.xml"], yaml: ["*.yaml", "*.yml"],
};

function globsOf(type: string): readonly string[] {
  const globs = TYPES[type];
  if (!globs) throw new Failure(`unrecognized file type: ${type}`, 2);
  return globs;
}

/** Globs of files to search, and to skip. */
function choices(options: Given): { include: string[]; exclude: string[] } {
  const globs = options.list("glob").map((glob) => glob.replace(/^(!?)(?:\*\*\/)+/, "$1"));
  const hidden = options.has("hidden") || options.list("unrestricted").length > 1;
  return {
    include: [...globs.filter((glob) => !glob.startsWith("!")), ...options.list("type").flatMap(globsOf)],
    exclude: [...globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)), ...options.list("typeNot").flatMap(globsOf), ...(hidden ? [] : [".?*"])],
  };
}

/** Rust's regular expressions are nearest to Perl's. */
function syntax(options: Given, pattern: string): string[] {
  const flags = [options.has("fixed") ? "-F" : "-P"];
  const chosen = options.last("ignoreCase", "smartCase", "caseSensitive");
  if (chosen === "ignoreCase" || (chosen === "smartCase" && pattern === pattern.toLowerCase())) flags.push("-i");
  if (options.value("color") === "always") flags.push("--color=always");
  return flags;
}

function grepArguments(options: Given, operands: string[], process: Process): string[] {
  const given = options.order.flatMap(({ key, value }) => (SAME[key] === undefined ? [] : value === undefined ? [SAME[key]] : [SAME[key], value]));
  if (options.last("lineNumber", "noLineNumber") === "noLineNumber") for (let at = given.indexOf("-n"); at >= 0; at = given.indexOf("-n")) given.splice(at, 1);
  let pattern = options.value("pattern") ?? "";
  if (!options.has("pattern") && !options.has("patternFile")) {
    const first = operands.shift();
    if (first === undefined) throw new UsageFault("a pattern is required");
    pattern = first;
    given.push("-e", first);
  }
  const { include, exclude } = choices(options);
  // Without a path: what was piped or redirected to it, else the present directory.
  const paths = operands.length > 0 ? operands : process.stdin.file instanceof OpenSource ? [] : ["-"];
  return [
    ...syntax(options, pattern), ...given, ...(paths[0] === "-" ? [] : ["-r"]),
    ...include.map((glob) => `--include=${glob}`), ...exclude.flatMap((glob) => [`--exclude=${glob}`, `--exclude-dir=${glob}`]),
    "--", ...paths,
  ];
}

async function listFiles(process: Process, options: Given, operands: readonly string[]): Promise<number> {
  const { include, exclude } = choices(options);
  const wanted = { list: (key: string) => ({ include, exclude, excludeDirectory: exclude })[key] ?? [], has: () => false };
  let found = false;
  for (const root of operands.length > 0 ? operands : ["."]) {
    for (const path of filesBelow(process, root, operands.length === 0, wanted as unknown as Options<OptionTable>)) {
      found = true;
      await process.stdout.write(`${path}\n`);
    }
  }
  return found ? 0 : 1;
}

export const rg: Command = command({
  name: "rg",
  usage: ["[OPTION]... PATTERN [PATH]...", "[OPTION]... --files [PATH]..."],
  about: "Search files for lines that match PATTERN; without PATH the present directory, or what is piped in.\nStatus: 0 when a line matches, 1 when none does, 2 on an error.",
  options: TABLE,
  failure: 2,
  run(process, options, operands) {
    if (options.has("files")) return listFiles(process, options, operands);
    return grep(Object.create(process, { args: { value: grepArguments(options, operands, process) } }) as Process);
  },
});
