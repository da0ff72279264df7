/** Turns of a loop: break, continue, and looking up now and then. */

import type { Maybe } from "../io/maybe";
import { Break, Continue } from "./control";
import { PAUSED, pause } from "./pause";
import type { Shell } from "./shell";

/** Turns between two looks at whether to go on. */
const TURNS = 64;

/** What a loop does once: its status, or `undefined` when the loop is over. */
export type Turn = (shell: Shell) => Maybe<number | undefined>;

/** For a control flow error that is for this loop: the status that ends it, or undefined to go on; others are thrown on. */
function leaves(error: unknown): number | undefined {
  if (!(error instanceof Break || error instanceof Continue)) throw error;
  if (error.levels > 1) {
    error.levels -= 1;
    throw error;
  }
  return error instanceof Break ? error.status : undefined;
}

/** Runs turns until one is the last. */
export function loop(shell: Shell, turn: Turn): Maybe<number> {
  shell.loops += 1;
  const end = (status: number): number => {
    shell.loops -= 1;
    return status;
  };
  try {
    const result = turns(shell, turn, 0);
    return typeof result === "number" ? end(result) : result.then(end, fail);
  } catch (error) {
    return fail(error);
  }
  function fail(error: unknown): never {
    shell.loops -= 1;
    throw error;
  }
}

function turns(shell: Shell, turn: Turn, before: number): Maybe<number> {
  let status = before;
  for (;;) {
    try {
      const result = ((shell.ticks += 1) > TURNS || shell.attention ? pause(shell) : undefined) ?? turn(shell);
      if (result === undefined) return status;
      if (typeof result === "number") {
        shell.status = status = result;
        continue;
      }
      const seen = status;
      return result.then(
        (value) => (value === undefined ? seen : turns(shell, turn, value === PAUSED ? seen : (shell.status = value))),
        (error: unknown) => leaves(error) ?? turns(shell, turn, 0),
      );
    } catch (error) {
      const left = leaves(error);
      if (left !== undefined) return left;
      shell.status = status = 0;
    }
  }
}
