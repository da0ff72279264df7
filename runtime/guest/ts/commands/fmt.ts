import { native } from "../bridge/native";
import { command, Failure } from "./command";
import { filterFiles } from "./filter";
import type { Options } from "./options";
import { quoted } from "./sizes";
import { nameQuoted } from "./quoting";

const TABLE = {
  crown: ["-c, --crown-margin", "keep the indentation of the first two lines"],
  prefix: ["-p, --prefix=STRING", "change only lines that begin with STRING"],
  split: ["-s, --split-only", "break long lines, but do not join short ones"],
  tagged: ["-t, --tagged-paragraph", "the first line's indentation differs from the second's"],
  uniform: ["-u, --uniform-spacing", "one space between words, two between sentences"],
  width: ["-w, --width=WIDTH", "lines are at most WIDTH wide, not 75"],
  goal: ["-g, --goal=WIDTH", "lines are about WIDTH wide, not 93 % of the width"],
} as const;

type Given = Options<typeof TABLE>;

/** How c/filters/fmt.c calls the ways to tell paragraphs. */
const MODES = { split: 1, crown: 2, tagged: 3 } as const;

function number(options: Given, key: "width" | "goal"): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  if (!/^\s*\+?\d+$/.test(text) || Number(text) > 2500) throw new Failure(`invalid width: ${quoted(text)}`);
  return Number(text);
}

function settingsOf(options: Given): Record<string, unknown> {
  const prefix = options.value("prefix") ?? "";
  const [width, goal] = [number(options, "width"), number(options, "goal")];
  const most = width ?? (goal === undefined ? 75 : goal + 10);
  if (goal !== undefined && goal > most) throw new Failure(`invalid width: ${quoted(options.value("goal")!)}`);
  const mode = (["split", "crown", "tagged"] as const).find((key) => options.has(key));
  return {
    most,
    goal: goal ?? Math.trunc((most * 187) / 200),
    mode: mode ? MODES[mode] : 0,
    uniform: options.has("uniform"),
    prefix: native.text.encode(prefix.trim()),
    prefixLead: /^ */.exec(prefix)![0].length,
  };
}

export const fmt = command({
  name: "fmt",
  usage: "[-WIDTH] [OPTION]... [FILE]...",
  about: "Print the paragraphs of the files, or of standard input, with lines of about equal length.",
  options: TABLE,
  rewrite: (args) => (/^-\d+$/.test(args[0] ?? "") ? [`-w${args[0]!.slice(1)}`, ...args.slice(1)] : args),
  run: (process, options, operands) => filterFiles(process, "fmt", settingsOf(options), operands, (name, reason) => `cannot open ${nameQuoted(name)} for reading: ${reason}`),
});
