/**
 * Errors of expansions. A ShellError that is not fatal abandons the command line that is running, as bash does: a script
 * goes on with its next line.
 */

import { ScriptFault, ShellError, VariableFault } from "../run/errors";

/** A parameter that has to be set is not. */
export class UnsetFault extends VariableFault {}

/** An expression that cannot be computed. */
export class ExpressionFault extends ShellError {}

/** What an expression in a subscript ends with: the line, wherever it stands. */
export function subscriptFault(error: unknown): unknown {
  return error instanceof ExpressionFault ? new ScriptFault(error.message) : error;
}

export function unbound(name: string): never {
  throw new UnsetFault(`${name}: unbound variable`, 1, true);
}

/** What `${name:?message}` ends with. */
export function refused(name: string, message: string): never {
  throw new UnsetFault(`${name}: ${message}`, 1, true);
}

export function badSubscript(name: string): never {
  throw new VariableFault(`${name}: bad array subscript`);
}

/** Arrays of ours have indices up to 2^53. */
export function arrayIndex(name: string, value: number | bigint): number {
  const index = Number(value);
  if (!Number.isSafeInteger(index)) throw new ShellError(`${name}[${value}]: arrays have no indices beyond 2^53 in this sandbox`);
  return index;
}
