import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { command, Failure } from "./command";
import { colored } from "./diff_color";
import { columns } from "./diff_columns";
import { formatted, type Formats, ifdef } from "./diff_format";
import { DiffRun, type Settings } from "./diff_run";
import { context, ed, headings, type Layout, normal, rcs, type Style, unified } from "./diff_output";
import { type Change, DiffFlag, type Lines } from "./diff_text";
import { demandCompared } from "./operands";
import { type Options, UsageFault } from "./options";
import { shellQuoted } from "./quoting";

const TABLE = {
  normal: ["--normal", "the normal style (the default)"],
  brief: ["-q, --brief", "tell only whether files differ"],
  identical: ["-s, --report-identical-files", "tell of files that are the same too"],
  contextPlain: ["-c", "three lines of context, old and new lines apart"],
  context: ["-C, --context[=NUM]", "NUM (3) lines of context, old and new lines apart"],
  unifiedPlain: ["-u", "three lines of context, old and new lines together"],
  unified: ["-U, --unified[=NUM]", "NUM (3) lines of context, old and new lines together"],
  ed: ["-e, --ed", "an ed script"],
  rcs: ["-n, --rcs", "in RCS's format"],
  ifdef: ["-D, --ifdef=NAME", "both texts together, with #ifdef NAME"],
  lineFormat: ["--line-format=FORMAT", "FORMAT of all lines: %L the line, %l without its end, %dn its number"],
  oldLine: ["--old-line-format=FORMAT", "of lines of the first file only"],
  newLine: ["--new-line-format=FORMAT", "of lines of the second file only"],
  unchangedLine: ["--unchanged-line-format=FORMAT", "of common lines"],
  oldGroup: ["--old-group-format=FORMAT", "of groups of lines of the first file only: %< its lines, %> those of the second, %= common ones"],
  newGroup: ["--new-group-format=FORMAT", "of lines of the second file only"],
  changedGroup: ["--changed-group-format=FORMAT", "of lines in place of others"],
  unchangedGroup: ["--unchanged-group-format=FORMAT", "of common lines"],
  columns: ["-y, --side-by-side", "in two columns"],
  width: ["-W, --width=NUM", "columns of -y together (130)"],
  leftColumn: ["--left-column", "with -y, common lines only once"],
  suppressCommon: ["--suppress-common-lines", "with -y, no common lines"],
  function: ["-p, --show-c-function", "tell which C function a change is in"],
  functionLine: ["-F, --show-function-line=RE", "show the last line that RE matches"],
  label: ["-L, --label=LABEL", "in place of a file's name and time; may be given twice"],
  expandTabs: ["-t, --expand-tabs", "turn tabs into blanks"],
  initialTab: ["-T, --initial-tab", "a tab behind the marks, so that tabs line up"],
  suppressBlankEmpty: ["--suppress-blank-empty", "no blanks before empty lines"],
  recursive: ["-r, --recursive", "compare directories within directories"],
  noDereference: ["--no-dereference", "take links as links"],
  newFile: ["-N, --new-file", "take files that are absent as empty"],
  newFirst: ["--unidirectional-new-file", "take first files that are absent as empty"],
  exclude: ["-x, --exclude=PAT", "leave out files that match PAT"],
  excludeFrom: ["-X, --exclude-from=FILE", "leave out files that match a line of FILE"],
  from: ["--from-file=FILE", "compare FILE with each operand"],
  to: ["--to-file=FILE", "compare each operand with FILE"],
  ignoreCase: ["-i, --ignore-case", "letters' case does not count"],
  ignoreTabExpansion: ["-E, --ignore-tab-expansion", "tabs are what they expand to"],
  ignoreTrailingSpace: ["-Z, --ignore-trailing-space", "blanks at line ends do not count"],
  ignoreSpaceChange: ["-b, --ignore-space-change", "the number of blanks does not count"],
  ignoreAllSpace: ["-w, --ignore-all-space", "blanks do not count"],
  ignoreBlankLines: ["-B, --ignore-blank-lines", "changes of empty lines alone do not count"],
  ignoreMatching: ["-I, --ignore-matching-lines=RE", "changes of lines alone that RE matches do not count"],
  text: ["-a, --text", "take all files as text"],
  stripReturn: ["--strip-trailing-cr", "drop carriage returns at line ends"],
  minimal: ["-d, --minimal", "look harder for fewer changes"],
  horizon: ["--horizon-lines=NUM", "lines of the same start and end that are compared all the same"],
  speed: ["-H, --speed-large-files", "ignored"],
  color: ["--color[=WHEN]", "mark lines: always, never, or auto, which is never here"],
} as const;

type Given = Options<typeof TABLE>;

const TROUBLE = 2;
const STYLES: Readonly<Record<string, Style>> = { normal, contextPlain: context, context, unifiedPlain: unified, unified, ed, rcs, columns };
const FORMATS = ["ifdef", "lineFormat", "oldLine", "newLine", "unchangedLine", "oldGroup", "newGroup", "changedGroup", "unchangedGroup"] as const;
/** Long before short, as getopt sees `-U5` and `-u`. */
const NUMBERED = /^-([a-zA-Z]*)(?:([CU])(\d*)|([cu])(\d+))$/;

/** `-3` and `-u3`, `-3u`: in former times so many lines of context, where any are shown. */
function oldContext(args: readonly string[]): readonly string[] {
  const style = /u/.test(shortOptions(args)) ? "unified" : /c/.test(shortOptions(args)) ? "context" : undefined;
  if (!args.some((word) => OLD_NUMBER.test(word))) return args;
  return args.flatMap((word) => {
    const [, digits, letters] = OLD_NUMBER.exec(word) ?? [, undefined, /^-([a-zA-Z]+)$/.exec(word)?.[1]];
    if (letters === undefined && digits === undefined) return [word];
    // The number says how much context there is: then -u and -c alone do not.
    const others = /[CUDFILSWXx]/.test(letters ?? "") ? letters : letters?.replace(/[uc]/g, "");
    return [...(others ? [`-${others}`] : []), ...(digits !== undefined && style ? [`--${style}=${digits}`] : [])];
  });
}

const OLD_NUMBER = /^-(\d+)([a-z]*)$/;


function shortOptions(args: readonly string[]): string {
  return args.filter((word) => /^-\w*$/.test(word)).join("");
}

/** -C and -U need a number, which the long options may leave out; -c and -u took one in former times. */
function rewrite(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  const words = oldContext(args);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === "--") return [...result, ...words.slice(at)];
    const [, before, capital, after, small, old] = NUMBERED.exec(word) ?? [];
    const [letter, digits] = [(capital ?? small)?.toUpperCase(), after || old || undefined];
    if (letter === undefined) {
      result.push(word);
      continue;
    }
    const number = digits ?? words[++at];
    if (number === undefined) throw new UsageFault(`option requires an argument -- '${letter}'`);
    if (before) result.push(`-${before}`);
    result.push(`--${letter === "C" ? "context" : "unified"}=${number}`);
  }
  return result;
}

function regexFinder(source: string): (text: string) => boolean {
  const regex = native.regex.create(native.text.encode(source), 0);
  return (text) => native.regex.search(regex, native.text.encode(text), 0, 0) !== undefined;
}

function headingOf(options: Given): () => Layout["heading"] {
  const sources = [...(options.has("function") ? ["^[[:alpha:]$_]"] : []), ...options.list("functionLine")];
  if (sources.length === 0) return () => () => "";
  const find = sources.map(regexFinder);
  return () => headings((text) => find.some((finds) => finds(text)));
}

function number(options: Given, key: keyof typeof TABLE, absent: number, what: string): number {
  const text = options.value(key);
  if (text === undefined) return absent;
  if (!/^\s*\+?\d+$/.test(text)) throw new UsageFault(`invalid ${what} '${text}'`);
  return Number(text);
}

/** Whether all lines of a change are such as do not count. */
function ignoring(options: Given): (left: Lines, right: Lines, change: Change) => boolean {
  const finders = options.list("ignoreMatching").map(regexFinder);
  const blank = options.has("ignoreBlankLines");
  if (finders.length === 0 && !blank) return () => false;
  const skips = (lines: Lines, at: number): boolean => (blank && lines.isEmpty(at)) || finders.some((finds) => finds(lines.text(at)));
  const all = (lines: Lines, from: number, count: number): boolean => Array.from({ length: count }, (_, i) => from + i).every((at) => skips(lines, at));
  return (left, right, change) => all(left, change.left, change.leftCount) && all(right, change.right, change.rightCount);
}

function flagsOf(options: Given): number {
  const keys = ["ignoreCase", "ignoreAllSpace", "ignoreSpaceChange", "ignoreTrailingSpace", "stripReturn", "minimal", "ignoreTabExpansion"] as const;
  return keys.reduce((sum, key) => sum | (options.has(key) ? DiffFlag[key] : 0), options.has("ed") ? DiffFlag.ignoreOpenEnd : 0);
}

function checkStyles(options: Given): string {
  const given = [...new Set(options.order.map(({ key }) => STYLES[key] && key.replace("Plain", "")).filter((key) => key !== undefined))];
  if (given.length > 1) throw new UsageFault("conflicting output style options");
  return given[0] ?? (options.has("function") ? "context" : "normal");
}

function formatsOf(options: Given): Formats {
  const line = (key: "oldLine" | "newLine" | "unchangedLine"): string => options.value(key) ?? options.value("lineFormat") ?? "%L";
  const name = options.value("ifdef");
  const changed = options.value("changedGroup");
  const plain = name === undefined ? { old: changed ?? "%<", new: changed ?? "%>", unchanged: "%=", changed } : ifdef(name);
  const [old, fresh] = [options.value("oldGroup") ?? plain.old, options.value("newGroup") ?? plain.new];
  return {
    lines: { old: line("oldLine"), new: line("newLine"), unchanged: line("unchangedLine") },
    groups: { old, new: fresh, unchanged: options.value("unchangedGroup") ?? plain.unchanged, changed: changed ?? plain.changed ?? old + fresh },
  };
}

/** The largest number of lines of context that is asked for. */
function contextOf(options: Given): number {
  const given = options.order.filter(({ key }) => key === "context" || key === "unified" || key === "contextPlain" || key === "unifiedPlain");
  for (const key of ["context", "unified"] as const) number(options, key, 3, "context length");
  return given.length === 0 ? 3 : Math.max(...given.map(({ value }) => Number(value ?? 3)));
}

function settingsOf(options: Given, inColor: boolean): Settings {
  const style = checkStyles(options);
  const context = contextOf(options);
  const shown = style === "context" || style === "unified" ? context : 0;
  const heading = headingOf(options);
  const isFormatted = FORMATS.some((key) => options.has(key));
  return {
    style: isFormatted ? formatted(formatsOf(options)) : inColor ? colored(STYLES[style]!, style) : STYLES[style]!,
    hasTitles: shown > 0 || style === "context" || style === "unified",
    layout: (titles) => ({
      titles, heading: heading(), context, width: number(options, "width", 130, "width"), leftColumn: options.has("leftColumn"),
      suppressCommon: options.has("suppressCommon"), expandTabs: options.has("expandTabs"), initialTab: options.has("initialTab"),
      suppressBlankEmpty: options.has("suppressBlankEmpty"),
    }),
    labels: options.list("label"), flags: flagsOf(options), horizon: Math.max(shown, number(options, "horizon", 0, "horizon length")),
    ignores: ignoring(options), brief: options.has("brief"), identical: options.has("identical"), text: options.has("text"),
    columns: isFormatted || (style === "columns" && !options.has("suppressCommon")), recursive: options.has("recursive"), newFile: options.has("newFile"),
    newFirst: options.has("newFirst") || options.has("newFile"), follow: !options.has("noDereference"), exclude: options.list("exclude"),
  };
}

/** The options as a directory's file is compared with, for the line that tells of it. */
function commandLine(process: Process): string {
  const options = process.args.filter((word, at) => (word.startsWith("-") && word !== "-") || takesArgument(process.args[at - 1]));
  return ["diff", ...options.map((word) => shellQuoted(word))].join(" ");
}

function takesArgument(word: string | undefined): boolean {
  return word !== undefined && /^-([a-zA-Z]*[CUWFxXIDL]|-(label|exclude|exclude-from|width|show-function-line|ignore-matching-lines|horizon-lines))$/.test(word);
}

async function compareAll(run: DiffRun, options: Given, operands: readonly string[]): Promise<number> {
  const [from, to] = [options.value("from"), options.value("to")];
  if (from !== undefined && to !== undefined) throw new Failure("--from-file and --to-file both specified", TROUBLE);
  if (from !== undefined || to !== undefined) {
    let status = 0;
    for (const name of operands) status = Math.max(status, await run.operands(from ?? name, to ?? name));
    return status;
  }
  demandCompared("diff", operands, 2);
  return run.operands(operands[0]!, operands[1]!);
}

export const diff = command({
  name: "diff",
  usage: "[OPTION]... FILES",
  about: "Compare files line by line, or directories file by file. Status 0: they are the same, 1: they differ, 2: trouble.",
  options: TABLE,
  failure: TROUBLE,
  rewrite,
  async run(process, options, operands) {
    const color = options.value("color") ?? "auto";
    if (!["always", "never", "auto"].includes(color)) throw new UsageFault(`invalid color '${color}'`);
    const run = new DiffRun(process, settingsOf(options, color === "always"), commandLine(process));
    for (const name of options.list("excludeFrom")) await run.excludeFrom(name);
    return compareAll(run, options, operands);
  },
});
