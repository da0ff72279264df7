/** What GNU commands say when operands are missing or too many. */

import { UsageFault } from "./options";
import { nameQuoted } from "./quoting";
import { quoted } from "./sizes";

/** Throws unless there are at least so many, and at most so many. */
export function demandOperands(operands: readonly string[], least: number, most = Infinity): void {
  if (operands.length < least) {
    throw new UsageFault(operands.length === 0 ? "missing operand" : `missing operand after ${quoted(operands.at(-1)!)}`);
  }
  if (operands.length > most) throw new UsageFault(`extra operand ${quoted(operands[most]!)}`);
}

/** Throws unless there are exactly so many, in the words of commands that compare files. */
export function demandCompared(name: string, operands: readonly string[], count: number): void {
  if (operands.length < count) throw new UsageFault(`missing operand after '${operands.at(-1) ?? name}'`);
  if (operands.length > count) throw new UsageFault(`extra operand '${operands[count]}'`);
}

/** As above, in the words of commands that work on files. */
export function demandFiles(operands: readonly string[]): void {
  if (operands.length === 0) throw new UsageFault("missing file operand");
}

export function missingDestination(file: string): never {
  throw new UsageFault(`missing destination file operand after ${nameQuoted(file)}`);
}
