import * as tree from "../vfs/tree";
import { command } from "./command";
import { nameQuoted } from "./quoting";
import { demandOperands } from "./operands";
import { orFail } from "./named";

/** One system call and nothing around it. */
function direct(what: string, call: () => void): number {
  orFail(what, call);
  return 0;
}

export const link = command({
  name: "link",
  usage: "FILE1 FILE2",
  about: "Make FILE2 a further name of FILE1.",
  options: {},
  run({ context }, _options, operands) {
    demandOperands(operands, 2, 2);
    const [from, to] = operands as [string, string];
    return direct(`cannot create link ${nameQuoted(to)} to ${nameQuoted(from)}`, () => tree.link(context, from, to));
  },
});

export const unlink = command({
  name: "unlink",
  usage: "FILE",
  about: "Remove one name of a file.",
  options: {},
  run({ context }, _options, operands) {
    demandOperands(operands, 1, 1);
    return direct(`cannot unlink ${nameQuoted(operands[0]!)}`, () => tree.unlink(context, operands[0]!));
  },
});
