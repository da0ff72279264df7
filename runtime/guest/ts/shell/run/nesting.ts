/** How deep calls go. */

import type { Maybe } from "../io/maybe";
import type { Code } from "./code";
import { ShellError } from "./errors";
import type { Shell } from "./shell";

/** Calls that may nest on the engine's stack before the next one starts on a fresh one. */
const STACKED = 40;
/** Depth up to which calls are not counted: the engine's stack cannot be at its end there. */
export const NESTED_FREE = 10;
/** Calls that may nest at all. */
const NESTED_MOST = 10_000;

/** Runs code one call deeper; where the stack has grown, on a fresh one. */
export function nested(shell: Shell, code: Code): Maybe<number> {
  const depth = (shell.depth += 1);
  if (depth > NESTED_FREE) checkNesting(shell, depth);
  let status: Maybe<number>;
  try {
    status = depth % STACKED === 0 ? Promise.resolve().then(() => code(shell)) : code(shell);
  } catch (error) {
    shell.depth = depth - 1;
    throw error;
  }
  if (typeof status !== "number") return status.finally(() => (shell.depth -= 1));
  shell.depth = depth - 1;
  return status;
}

function checkNesting(shell: Shell, depth: number): void {
  if (depth <= NESTED_MOST) return;
  shell.depth = depth - 1;
  throw new ShellError(`maximum function nesting level exceeded (${NESTED_MOST})`, 1, true);
}
