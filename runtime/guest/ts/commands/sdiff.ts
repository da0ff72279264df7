import { command, Failure } from "./command";
import { demandCompared } from "./operands";

const TABLE = {
  output: ["-o, --output=FILE", "not supported: nobody is asked"],
  ignoreCase: ["-i, --ignore-case", "letters' case does not count"],
  ignoreTabExpansion: ["-E, --ignore-tab-expansion", "tabs are what they expand to"],
  ignoreTrailingSpace: ["-Z, --ignore-trailing-space", "blanks at line ends do not count"],
  ignoreSpaceChange: ["-b, --ignore-space-change", "the number of blanks does not count"],
  ignoreAllSpace: ["-W, --ignore-all-space", "blanks do not count"],
  ignoreBlankLines: ["-B, --ignore-blank-lines", "changes of empty lines alone do not count"],
  ignoreMatching: ["-I, --ignore-matching-lines=RE", "changes of lines alone that RE matches do not count"],
  stripReturn: ["--strip-trailing-cr", "drop carriage returns at line ends"],
  text: ["-a, --text", "take all files as text"],
  width: ["-w, --width=NUM", "both columns together (130)"],
  leftColumn: ["-l, --left-column", "common lines only once"],
  suppressCommon: ["-s, --suppress-common-lines", "no common lines"],
  expandTabs: ["-t, --expand-tabs", "turn tabs into blanks"],
  minimal: ["-d, --minimal", "look harder for fewer changes"],
  speed: ["-H, --speed-large-files", "ignored"],
} as const;

const TROUBLE = 2;

/** The long name of an option, which diff has as well. */
function longName(key: keyof typeof TABLE): string {
  return /--[^=]*/.exec(TABLE[key][0])![0];
}

export const sdiff = command({
  name: "sdiff",
  usage: "[OPTION]... FILE1 FILE2",
  about: "Show two files side by side, as diff -y.",
  options: TABLE,
  failure: TROUBLE,
  run(process, options, operands) {
    if (options.has("output")) throw new Failure("option -o (--output) is not supported here", TROUBLE);
    demandCompared("sdiff", operands, 2);
    const words = options.order.map(({ key, value }) => `${longName(key)}${value === undefined ? "" : `=${value}`}`);
    return process.launch(["diff", "--side-by-side", ...words, "--", ...operands]);
  },
});
