/** What one process (a script's run, later each subshell) brings to a file operation. */

import type { DescriptorTable } from "./descriptors";
import type { Volume } from "./volume";

export interface Context {
  readonly volume: Volume;
  /** An absolute path without symbolic links. */
  cwd: string;
  /** Permission bits that new files don't get. */
  umask: number;
  /** Whom it acts for: the host may do what modes forbid, but only the system may change what the system owns. */
  readonly actor: "script" | "host" | "system";
  descriptors: DescriptorTable;
}

/** A process of its own that starts where `parent` is, as a subshell does. */
export function fork(parent: Context): Context {
  return { ...parent, descriptors: parent.descriptors.clone() };
}
