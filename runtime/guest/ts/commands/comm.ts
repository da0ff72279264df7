import { native } from "../bridge/native";
import { command, Failure } from "./command";
import { close } from "./files";
import { checkingOf, merge, OrderedFilter } from "./merging";
import { UsageFault } from "./options";
import { quoted } from "./sizes";
import { openNamed } from "./named";

const TABLE = {
  noFirst: ["-1", "leave out column 1: lines that are only in FILE1"],
  noSecond: ["-2", "leave out column 2: lines that are only in FILE2"],
  noBoth: ["-3", "leave out column 3: lines that are in both files"],
  check: ["--check-order", "check that the input is in order, also where it does not matter"],
  noCheck: ["--nocheck-order", "do not check that the input is in order"],
  delimiter: ["--output-delimiter=STR", "put STR between columns, not a tab"],
  total: ["--total", "print the counts at the end"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

const COLUMNS = ["noFirst", "noSecond", "noBoth"] as const;

export const comm = command({
  name: "comm",
  usage: "[OPTION]... FILE1 FILE2",
  about: "Compare files that are in order: print lines that are only in FILE1, only in FILE2, and in both, in three columns.",
  options: TABLE,
  async run(process, options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    if (operands.length === 1) throw new UsageFault(`missing operand after ${quoted(operands[0]!)}`);
    if (operands.length > 2) throw new UsageFault(`extra operand ${quoted(operands[2]!)}`);
    const delimiter = options.value("delimiter") ?? "\t";
    const readers = operands.map((name) => openNamed(process, name));
    const filter = new OrderedFilter(
      process,
      "comm",
      {
        end: options.has("zero") ? 0 : 10,
        checking: checkingOf(options.last("check", "noCheck")),
        hidden: COLUMNS.reduce((bits, key, index) => bits | (Number(options.has(key)) << index), 0),
        delimiter: native.text.encode(delimiter === "" ? "\0" : delimiter),
        total: options.has("total"),
      },
      ([file]) => `file ${file + 1} is not in sorted order`,
    );
    await merge(process, filter, readers, () => filter.wanted);
    for (const reader of readers) if (reader !== process.stdin) close(reader);
    if (!filter.disordered) return 0;
    if (options.last("check", "noCheck") === "check") return 1;
    throw new Failure("input is not in sorted order");
  },
});
