/** Compiled commands. */

import type { Maybe } from "../io/maybe";
import type { Shell } from "./shell";
import { undoing } from "./undoing";

/** Does what was compiled in a process; the exit status. */
export type Code = (shell: Shell) => Maybe<number>;

/** Runs `body` with failures allowed: neither `set -e` nor an ERR trap sees them. */
export function guarded(shell: Shell, body: Code): Maybe<number> {
  const { guards } = shell;
  shell.guards = guards + 1;
  let status: Maybe<number>;
  try {
    status = body(shell);
  } catch (error) {
    shell.guards = guards;
    throw error;
  }
  if (typeof status !== "number") return status.finally(() => (shell.guards = guards));
  shell.guards = guards;
  return status;
}

/** Runs what a builtin evaluates or calls: where its failure is a condition, nothing that it reports ends the shell. */
export function excusing(shell: Shell, work: () => Maybe<number>): Maybe<number> {
  if (shell.guards === 0 || shell.excused) return work();
  shell.excused = true;
  return undoing(work, () => (shell.excused = false));
}

export const nothing: Code = () => 0;
