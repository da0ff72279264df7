import { command, Failure } from "./command";
import { filterFiles } from "./filter";
import { OUT_OF_RANGE, parseSize, quoted } from "./sizes";

export const fold = command({
  name: "fold",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, with long lines broken.",
  options: {
    bytes: ["-b, --bytes", "count bytes, not columns"],
    spaces: ["-s, --spaces", "break at spaces"],
    width: ["-w, --width=WIDTH", "lines are at most WIDTH columns wide, not 80"],
  },
  digits: "width",
  run(process, options, operands) {
    const text = options.value("width") ?? "80";
    const width = parseSize(text);
    if (!width) throw new Failure(`invalid number of columns: ${quoted(text)}${width === 0 ? OUT_OF_RANGE : ""}`);
    return filterFiles(process, "fold", { width, bytes: options.has("bytes"), spaces: options.has("spaces") }, operands);
  },
});
