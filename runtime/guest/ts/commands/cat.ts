import { then, type Maybe } from "../shell/io/maybe";
import { ownOutput } from "../shell/io/own_output";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { command, complain } from "./command";
import { eachInput } from "./files";
import { filterFiles } from "./filter";

const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  showAll: ["nonprinting", "ends", "tabs"],
  endsAndNonprinting: ["nonprinting", "ends"],
  tabsAndNonprinting: ["nonprinting", "tabs"],
};

/** Writes all that the reader gives to stdout. */
export function copy(process: Process, reader: Reader): Maybe<void> {
  return reader.pour((chunk) => then(process.stdout.write(chunk), () => process.pause()));
}

function copyAll(process: Process, operands: readonly string[]): Maybe<number> {
  let refused = 0;
  const done = eachInput(process, operands, (reader, name) => {
    if (!ownOutput(reader)) return copy(process, reader);
    complain(process, `${name}: input file is output file`);
    refused = 1;
  });
  return then(done, (status) => status || refused);
}

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
    if (keys.length === 0) return copyAll(process, operands);
    return filterFiles(process, "cat", Object.fromEntries(keys.map((key) => [key, true])), operands);
  },
});
