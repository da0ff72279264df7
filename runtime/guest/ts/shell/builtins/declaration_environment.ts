/** What stands before a declaration builtin, `x=1 export x`, or came with a function's call, `x=1 f`, and is declared then. */

import type { Shell } from "../run/shell";
import type { Variable } from "../run/variables";

type Given = readonly [name: string, hidden: Variable | undefined];

/** Takes what stands before the running command and is named by it out of what ends with the command. */
function takeTemporary(shell: Shell, operands: readonly string[]): readonly Given[] {
  const { running } = shell;
  if (running?.kind !== "simple" || running.assignments.length === 0 || !shell.temporary) return [];
  const names = new Set(operands.map(nameOf));
  const taken = shell.temporary.filter(([name]) => names.has(name));
  shell.temporary = shell.temporary.filter(([name]) => !names.has(name));
  return taken;
}

function nameOf(operand: string): string {
  return operand.replace(/\+?=[^]*/, "");
}

/** `x=1 declare -x x`: it stays. */
export function keepTemporary(shell: Shell, operands: readonly string[]): void {
  takeTemporary(shell, operands);
}

/** `x=1 local x`: the local variable starts as it. */
export function localizeTemporary(shell: Shell, operands: readonly string[]): void {
  const { variables } = shell;
  for (const [name, hidden] of takeTemporary(shell, operands)) {
    const given = variables.own(name);
    variables.replace(name, hidden);
    variables.local(name);
    variables.replace(name, given);
  }
}

/** `x=1 export x` and, in a function that was called as `x=1 f`, `export x`: it stays, after the function too. */
export function keepGiven(shell: Shell, operands: readonly string[]): void {
  keepTemporary(shell, operands);
  const { locals } = shell.variables;
  for (const name of operands.map(nameOf)) if (locals.isGiven(name)) locals.drop(name);
}
