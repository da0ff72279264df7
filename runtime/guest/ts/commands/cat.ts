import { command } from "./command";
import { eachInput } from "./files";
import { filterFiles } from "./filter";

const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  showAll: ["nonprinting", "ends", "tabs"],
  endsAndNonprinting: ["nonprinting", "ends"],
  tabsAndNonprinting: ["nonprinting", "tabs"],
};

export const cat = command({
  name: "cat",
  usage: "[OPTION]... [FILE]...",
  about: "Write the files one after the other to standard output; without FILE, or where it is -, standard input.",
  options: {
    showAll: ["-A, --show-all", "as -vET"],
    numberNonblank: ["-b, --number-nonblank", "number lines that are not empty; overrides -n"],
    endsAndNonprinting: ["-e", "as -vE"],
    ends: ["-E, --show-ends", "show $ at the end of each line"],
    number: ["-n, --number", "number all lines"],
    squeeze: ["-s, --squeeze-blank", "leave out repeated empty lines"],
    tabsAndNonprinting: ["-t", "as -vT"],
    tabs: ["-T, --show-tabs", "show tabs as ^I"],
    unbuffered: ["-u", "ignored"],
    nonprinting: ["-v, --show-nonprinting", "use ^ and M- notation, but for newlines and tabs"],
  },
  run(process, options, operands) {
    const keys = options.order.flatMap(({ key }) => SHORTHANDS[key] ?? [key]).filter((key) => key !== "unbuffered");
    if (keys.length === 0) return eachInput(process, operands, (reader) => reader.pour((chunk) => process.stdout.write(chunk)));
    return filterFiles(process, "cat", Object.fromEntries(keys.map((key) => [key, true])), operands);
  },
});
