import { command } from "./command";
import { filterFiles } from "./filter";
import { parseTabStops, rewriteTabs } from "./tab_stops";

export const expand = command({
  name: "expand",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, with tabs changed to spaces.",
  options: {
    initial: ["-i, --initial", "change only tabs in front of other text"],
    tabs: ["-t, --tabs=LIST", "tabs stop at every N columns, not 8, or at the columns of a list like 4,12,/8"],
  },
  rewrite: rewriteTabs,
  run: (process, options, operands) =>
    filterFiles(process, "expand", { ...parseTabStops(options.list("tabs")), initial: options.has("initial") }, operands),
});
