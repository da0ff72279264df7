/** What expansions need of the shell that runs them. The shell (run/shell.ts) is one. */

import type { Context } from "../../vfs/context";
import type { CommandSubstitution, ProcessSubstitution } from "../syntax/ast";
import type { Maybe } from "../io/maybe";
import type { Variables } from "../run/variables";

export interface Scope {
  readonly variables: Variables;
  /** `set -u`, `set -f` and so on by long name (nounset, noglob), and the names of shopt (nullglob, extglob …). */
  readonly options: ReadonlySet<string>;
  /** `set -a`: whatever is assigned is exported. */
  readonly exporting: boolean;
  readonly context: Context;
  /** $0 and $1, $2 … */
  readonly name: string;
  readonly positional: readonly string[];
  /** The present directory, and those behind it on the stack of pushd. */
  readonly here: string;
  readonly directories: readonly string[];
  /** How many values of variables are being evaluated as expressions, one for the other. */
  evaluating: number;
  /** `?`, `$`, `!`, `-`, `_`: undefined for `!` without a background job. */
  special(name: string): string | undefined;
  /** What the commands print, without the newlines at its end. */
  substitute(part: CommandSubstitution): Maybe<string>;
  /** A path that leads to the commands' input or output. */
  processSubstitution(part: ProcessSubstitution): Maybe<string>;
  /** A message on stderr in the shell's form: `script: line N: message`. */
  warn(message: string): void;
  /** Says what is wrong with a name or a value: `set -e` ends the shell then, whatever the command is part of. */
  report(message: string): void;
}
