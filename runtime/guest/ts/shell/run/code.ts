/** Compiled commands. */

import type { Maybe } from "../io/maybe";
import type { Shell } from "./shell";

/** Does what was compiled in a process; the exit status. */
export type Code = (shell: Shell) => Maybe<number>;

/** Runs `body` with failures allowed: neither `set -e` nor an ERR trap sees them. */
export function guarded(shell: Shell, body: Code): Maybe<number> {
  shell.guards += 1;
  try {
    const status = body(shell);
    if (typeof status === "number") {
      shell.guards -= 1;
      return status;
    }
    return status.finally(() => (shell.guards -= 1));
  } catch (error) {
    shell.guards -= 1;
    throw error;
  }
}

export const nothing: Code = () => 0;
