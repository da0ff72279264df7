/** `declare -f` and `-F`: shows functions, or changes their attributes. */

import type { Maybe } from "../io/maybe";
import { exportFunctions, unexport } from "../run/exported_functions";
import type { Shell } from "../run/shell";
import { refuse } from "./builtin";
import { listFunctions } from "./declaration_lists";

/** Letters of attributes that only variables have. */
const OF_VARIABLES = ["a", "A", "i", "n"];
/** Letters that are about functions themselves: in front of names, what they say is changed. */
const OF_FUNCTIONS = "rxtluc";

export function declareFunctions(shell: Shell, operands: readonly string[], flags: ReadonlySet<string>, off: ReadonlySet<string>, name: string): Maybe<number> {
  const strange = OF_VARIABLES.find((letter) => flags.has(letter));
  if (strange !== undefined) refuse(name, `-${strange}: invalid option`);
  if (operands.some((operand) => operand.includes("="))) refuse(name, "cannot use `-f' to make functions");
  const changes = off.size > 0 || [...flags].some((letter) => OF_FUNCTIONS.includes(letter));
  if (operands.length === 0 || !changes || flags.has("p")) return listFunctions(shell, operands, flags, name);
  let status = 0;
  for (const operand of operands) if (!change(shell, operand, flags, off, name)) status = 1;
  return status;
}

/** Whether it is a function that may be changed so. */
function change(shell: Shell, operand: string, flags: ReadonlySet<string>, off: ReadonlySet<string>, name: string): boolean {
  if (!shell.functions.has(operand)) return false;
  if (off.has("r") && shell.fixedFunctions.has(operand)) {
    shell.warn(`${name}: ${operand}: readonly function`);
    return false;
  }
  if (flags.has("r")) shell.fixedFunctions = new Set(shell.fixedFunctions).add(operand);
  if (flags.has("x")) void exportFunctions(shell, [operand], name, true);
  if (off.has("x")) unexport(shell, operand);
  return true;
}
