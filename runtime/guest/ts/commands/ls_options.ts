/** What the options of ls come to. */

import { compilePattern } from "../shell/expand/pattern";
import type { Process } from "../shell/process";
import { choose, themselves } from "./choices";
import { BYTES, HUMAN, KIBIBYTES, parseScale, type Scale, SI } from "./human";
import { type Options, UsageFault } from "./options";
import { Failure } from "./command";
import { quoted } from "./sizes";

export const LS_OPTIONS = {
  all: ["-a, --all", "also names that begin with a dot"],
  almostAll: ["-A, --almost-all", "as -a without . and .."],
  author: ["--author", "with -l, print the author of each file"],
  escape: ["-b, --escape", "as --quoting-style=escape"],
  blockSize: ["--block-size=SIZE", "scale sizes by SIZE"],
  noBackups: ["-B, --ignore-backups", "leave out names that end in ~"],
  ctime: ["-c", "use the time of the last change of the file's status; sort by it without -l"],
  columns: ["-C", "list in columns"],
  color: ["--color[=WHEN]", "colour the names: always, auto or never"],
  directory: ["-d, --directory", "list directories themselves"],
  dired: ["-D, --dired", "not supported"],
  unsortedAll: ["-f", "as -aU"],
  classify: ["-F, --classify[=WHEN]", "put one of */=>@| behind names"],
  fileType: ["--file-type", "as -F without *"],
  format: ["--format=WORD", "across, commas, horizontal, long, single-column, verbose, vertical"],
  fullTime: ["--full-time", "as -l --time-style=full-iso"],
  longNoOwner: ["-g", "as -l without the owner"],
  directoriesFirst: ["--group-directories-first", "directories before files"],
  noGroup: ["-G, --no-group", "with -l, leave out the group"],
  human: ["-h, --human-readable", "sizes like 1K 234M 2G"],
  si: ["--si", "as -h with powers of 1000"],
  operandLinks: ["-H, --dereference-command-line", "follow symbolic links that are operands"],
  operandDirectoryLinks: ["--dereference-command-line-symlink-to-dir", "follow operands that lead to a directory"],
  hide: ["--hide=PATTERN", "leave out names that match, unless -a or -A is given"],
  hyperlink: ["--hyperlink[=WHEN]", "ignored"],
  indicator: ["--indicator-style=WORD", "none, slash, file-type or classify"],
  inode: ["-i, --inode", "print the number of each file"],
  ignore: ["-I, --ignore=PATTERN", "leave out names that match"],
  kibibytes: ["-k, --kibibytes", "blocks of 1024 bytes"],
  long: ["-l", "the long format"],
  dereference: ["-L, --dereference", "show what symbolic links stand for"],
  commas: ["-m", "a list with commas"],
  numeric: ["-n, --numeric-uid-gid", "as -l with numbers for owners and groups"],
  literal: ["-N, --literal", "names without quotes"],
  longNoGroup: ["-o", "as -l without the group"],
  slash: ["-p", "put / behind directories"],
  hideControl: ["-q, --hide-control-chars", "? for what cannot be printed"],
  showControl: ["--show-control-chars", "names as they are"],
  quoteName: ["-Q, --quote-name", "names between double quotes"],
  quoting: ["--quoting-style=WORD", "literal, locale, shell, shell-always, shell-escape, shell-escape-always, c, escape"],
  reverse: ["-r, --reverse", "the other way round"],
  recursive: ["-R, --recursive", "list what is in directories, too"],
  size: ["-s, --size", "print the blocks of each file"],
  bySize: ["-S", "largest first"],
  sort: ["--sort=WORD", "none, size, time, version, extension, width, name"],
  time: ["--time=WORD", "atime, access, use, ctime, status, birth, creation, mtime"],
  timeStyle: ["--time-style=STYLE", "full-iso, long-iso, iso, locale or +FORMAT"],
  byTime: ["-t", "newest first"],
  tabSize: ["-T, --tabsize=COLS", "tab stops at every COLS"],
  atime: ["-u", "use the time of the last access; sort by it without -l"],
  unsorted: ["-U", "do not sort"],
  byVersion: ["-v", "numbers within names by their value"],
  width: ["-w, --width=COLS", "the width of the output; 0 for no limit"],
  across: ["-x", "list in lines instead of columns"],
  byExtension: ["-X", "by what follows the last dot"],
  context: ["-Z, --context", "ignored"],
  one: ["-1", "one name a line"],
  zero: ["--zero", "end each line with a NUL byte"],
} as const;

export type LsOptions = Options<typeof LS_OPTIONS>;
export type Layout = "long" | "single" | "vertical" | "across" | "commas";
export type Sorting = "name" | "none" | "size" | "time" | "version" | "extension" | "width";
export type Quoting = "literal" | "shell" | "shell-always" | "shell-escape" | "shell-escape-always" | "c" | "c-maybe" | "escape" | "locale";

export interface LsSettings {
  readonly layout: Layout;
  readonly sorting: Sorting;
  readonly which: "mtime" | "atime" | "ctime" | "birthtime";
  readonly reverse: boolean;
  readonly directoriesFirst: boolean;
  readonly quoting: Quoting;
  readonly hideControl: boolean;
  readonly indicator: "none" | "slash" | "file-type" | "classify";
  /** Scale of -s and of totals, and of the sizes of -l. */
  readonly blocks: Scale;
  readonly sizes: Scale;
  /** Of the current half year, and of other times. */
  readonly timeFormats: readonly [string, string];
  readonly width: number;
  readonly tab: number;
  readonly numeric: boolean;
  readonly owner: boolean;
  readonly group: boolean;
  readonly author: boolean;
  readonly inode: boolean;
  readonly blocksShown: boolean;
  readonly color: boolean;
  readonly end: string;
  readonly hides: (name: string) => boolean;
}

const FORMATS: Readonly<Record<string, Layout>> = {
  verbose: "long", long: "long", commas: "commas", horizontal: "across", across: "across", vertical: "vertical", "single-column": "single",
};
const LAYOUTS: Readonly<Record<string, Layout>> = {
  long: "long", longNoOwner: "long", longNoGroup: "long", numeric: "long", fullTime: "long", columns: "vertical", across: "across", commas: "commas",
};
const SORTS: Readonly<Record<string, Sorting>> = {
  bySize: "size", byTime: "time", byVersion: "version", byExtension: "extension", unsorted: "none", unsortedAll: "none",
};
const SORT_WORDS: Readonly<Record<string, Sorting>> = {
  none: "none", time: "time", size: "size", extension: "extension", version: "version", width: "width",
};
const TIMES: Readonly<Record<string, LsSettings["which"]>> = {
  atime: "atime", access: "atime", use: "atime", ctime: "ctime", status: "ctime", birth: "birthtime", creation: "birthtime", mtime: "mtime", modification: "mtime",
};
const QUOTINGS: Readonly<Record<string, Quoting>> = {
  literal: "literal", shell: "shell", "shell-always": "shell-always", "shell-escape": "shell-escape", "shell-escape-always": "shell-escape-always", c: "c",
  "c-maybe": "c-maybe", escape: "escape", locale: "locale", clocale: "locale",
};
const QUOTING_WORDS = themselves(...Object.keys(QUOTINGS));
const INDICATORS: Readonly<Record<string, LsSettings["indicator"]>> = { none: "none", slash: "slash", "file-type": "file-type", classify: "classify" };
/** When names are coloured or marked; there is no terminal. */
const WHEN = { always: "always", yes: "always", force: "always", never: "never", no: "never", none: "never", auto: "auto", tty: "auto", "if-tty": "auto" } as const;
const TIME_STYLES: Readonly<Record<string, readonly [string, string]>> = {
  "full-iso": ["%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"],
  "long-iso": ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"],
  iso: ["%m-%d %H:%M", "%Y-%m-%d "],
  locale: ["%b %e %H:%M", "%b %e  %Y"],
};

/** A `-1` among long options changes nothing. */
function layoutOf(options: LsOptions): Layout {
  let layout: Layout = "single";
  for (const { key, value } of options.order) {
    if (key === "format") layout = choose(FORMATS, value!, "--format");
    else if (key === "unsortedAll" && layout === "long") layout = "single";
    else if (key === "zero" || key === "one") layout = layout === "long" ? "long" : "single";
    else layout = LAYOUTS[key] ?? layout;
  }
  return layout;
}

function last<T>(options: LsOptions, pick: (key: string, value: string | undefined) => T | undefined): T | undefined {
  let result: T | undefined;
  for (const { key, value } of options.order) result = pick(key, value) ?? result;
  return result;
}

function timeStyle(style: string): readonly [string, string] {
  const bare = style.replace(/^posix-/, "");
  const near = Object.keys(TIME_STYLES).filter((each) => each.startsWith(bare));
  if (near.length === 1) return TIME_STYLES[near[0]!]!;
  const words = [...Object.keys(TIME_STYLES).map((each) => `[posix-]${each}`), "+FORMAT (e.g., +%H:%M) for a 'date'-style format"];
  throw new UsageFault(`${near.length === 0 ? "invalid" : "ambiguous"} argument ${quoted(style)} for ‘time style’\nValid arguments are:${words.map((each) => `\n  - ${each}`).join("")}`);
}

function timeFormats(options: LsOptions, process: Process): readonly [string, string] {
  const style = last(options, (key, value) => (key === "fullTime" ? "full-iso" : key === "timeStyle" ? value : undefined)) ?? process.env.get("TIME_STYLE") ?? "locale";
  if (style.startsWith("+")) {
    const [old, recent = old] = style.slice(1).split("\n");
    return [recent!, old!];
  }
  return timeStyle(style);
}

function widthOf(options: LsOptions, process: Process): number {
  const text = options.value("width") ?? process.env.get("COLUMNS") ?? "80";
  if (!/^\d+$/.test(text)) {
    if (options.has("width")) throw new Failure(`invalid line width: ${quoted(text)}`, 2);
    return 80;
  }
  return Number(text) || Infinity;
}

function hidesOf(options: LsOptions): (name: string) => boolean {
  const none: ReadonlySet<string> = new Set();
  const all = options.last("all", "almostAll", "unsortedAll");
  const compiled = (patterns: readonly string[]) => patterns.map((each) => compilePattern(each, none, false));
  const ignored = compiled([...options.list("ignore"), ...(options.has("noBackups") ? ["*~"] : [])]);
  const hidden = all === undefined ? compiled(options.list("hide")) : [];
  return (name) => {
    if (name.startsWith(".") && (all === undefined || (all === "almostAll" && (name === "." || name === "..")))) return true;
    return [...ignored, ...hidden].some((pattern) => (!name.startsWith(".") || pattern.test(`.${name.slice(1)}`)) && pattern.test(name));
  };
}

export function settings(options: LsOptions, process: Process): LsSettings {
  const layout = layoutOf(options);
  const which = last(options, (key, value) => (key === "atime" ? "atime" : key === "ctime" ? "ctime" : key === "time" ? choose(TIMES, value!, "--time") : undefined));
  const sorting = last(options, (key, value) => (key === "sort" ? choose(SORT_WORDS, value!, "--sort") : SORTS[key]));
  const scale = last(options, (key, value) => (key === "human" ? HUMAN : key === "si" ? SI : key === "blockSize" ? parseScale(value!) : undefined));
  const quoting = last(options, (key, value) => {
    if (key === "quoting") return QUOTINGS[choose(QUOTING_WORDS, value!, "--quoting-style")];
    return ({ escape: "escape", literal: "literal", quoteName: "c" } as const)[key as "escape"];
  });
  const indicator = last(options, (key, value) => {
    if (key === "indicator") return choose(INDICATORS, value!, "--indicator-style");
    if (key === "classify") return choose(WHEN, value ?? "always", "--classify") === "always" ? "classify" : "none";
    return key === "slash" ? "slash" : key === "fileType" ? "file-type" : undefined;
  });
  return {
    layout,
    which: which ?? "mtime",
    sorting: sorting ?? (which && layout !== "long" ? "time" : "name"),
    reverse: options.has("reverse"),
    directoriesFirst: options.has("directoriesFirst"),
    quoting: quoting ?? QUOTINGS[process.env.get("QUOTING_STYLE") ?? "literal"] ?? "literal",
    hideControl: options.last("hideControl", "showControl") === "hideControl",
    indicator: indicator ?? "none",
    blocks: scale ?? KIBIBYTES,
    sizes: scale ?? BYTES,
    timeFormats: timeFormats(options, process),
    width: widthOf(options, process),
    tab: Number(options.value("tabSize") ?? 8),
    numeric: options.has("numeric"),
    owner: !options.has("longNoOwner"),
    group: !options.has("noGroup") && !options.has("longNoGroup"),
    author: options.has("author"),
    inode: options.has("inode"),
    blocksShown: options.has("size"),
    color: options.has("color") && !options.has("unsortedAll") && choose(WHEN, options.value("color") ?? "always", "--color") === "always",
    end: options.has("zero") ? "\0" : "\n",
    hides: hidesOf(options),
  };
}
