import { command } from "./command";
import { filterFiles } from "./filter";
import { parseTabStops } from "./tab_stops";

/** `-4` and `-2,8` are old spellings of -t that change leading blanks only. */
function rewrite(args: readonly string[]): readonly string[] {
  const all = args.some((arg) => arg === "-a" || arg === "--all");
  return args.flatMap((arg) => (/^-\d[\d,]*$/.test(arg) ? [...(all ? [] : ["--first-only"]), `-t${arg.slice(1)}`] : [arg]));
}

export const unexpand = command({
  name: "unexpand",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, with blanks in front of other text changed to tabs.",
  options: {
    all: ["-a, --all", "change all blanks"],
    first: ["--first-only", "change only blanks in front, also with -t"],
    tabs: ["-t, --tabs=LIST", "tabs stop at every N columns, not 8, or at the columns of a list; implies -a"],
  },
  rewrite,
  run(process, options, operands) {
    const all = (options.has("all") || options.has("tabs")) && !options.has("first");
    return filterFiles(process, "unexpand", { ...parseTabStops(options.list("tabs")), all }, operands);
  },
});
