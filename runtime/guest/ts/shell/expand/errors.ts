/**
 * Errors of expansions. A ShellError that is not fatal abandons the command line that is running, as bash does: a script
 * goes on with its next line.
 */

import { ShellError } from "../run/errors";

/** The status with which `${x:?}` and `set -u` end a shell. */
const UNSET_STATUS = 127;

export function unbound(name: string): never {
  throw new ShellError(`${name}: unbound variable`, UNSET_STATUS, true);
}

/** What `${name:?message}` ends with. */
export function refused(name: string, message: string): never {
  throw new ShellError(`${name}: ${message}`, UNSET_STATUS, true);
}

export function badSubscript(name: string): never {
  throw new ShellError(`${name}: bad array subscript`);
}
