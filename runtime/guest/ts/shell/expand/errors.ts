/** Errors of expansions. */

import { ShellError } from "../run/errors";

/**
 * Abandons the whole command line that is running, as bash does after a fault in an expansion: a script goes on with its
 * next top-level command, a subshell or `bash -c` ends.
 */
export class Discarded extends ShellError {
  constructor(message: string, status = 1) {
    super(message, status, true);
    this.name = "Discarded";
  }
}

/** The status with which `${x:?}` and `set -u` end a shell. */
const UNSET_STATUS = 127;

export function unbound(name: string): never {
  throw new ShellError(`${name}: unbound variable`, UNSET_STATUS, true);
}

/** What `${name:?message}` ends with. */
export function refused(name: string, message: string): never {
  throw new ShellError(`${name}: ${message}`, UNSET_STATUS, true);
}
