/** What a command with a name leaves behind: its statuses, `$_`, and nothing open. */

import type { Maybe } from "../io/maybe";
import { concluded } from "./results";
import type { Shell } from "./shell";

/** Takes note of the status and the last word. */
export function finish(shell: Shell, last: string, status: number): Maybe<number> {
  shell.lastArgument = last;
  shell.pipeStatus = status;
  if (shell.borrowed !== undefined) giveBack(shell, shell.borrowed);
  return status === 0 ? (shell.status = 0) : concluded(shell, status);
}

/** Closes what process substitutions opened for the command. */
export function giveBack(shell: Shell, numbers: readonly number[]): void {
  shell.borrowed = undefined;
  for (const number of numbers) if (shell.context.descriptors.has(number)) shell.context.descriptors.close(number);
}
