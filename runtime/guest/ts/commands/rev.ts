import { command } from "./command";
import { filterFiles } from "./filter";

export const rev = command({
  name: "rev",
  usage: "[FILE]...",
  about: "Print the lines of the files, or of standard input, with their characters in reverse order.",
  options: {},
  run: (process, _options, operands) => filterFiles(process, "rev", {}, operands, (name, reason) => `cannot open ${name}: ${reason}`),
});
