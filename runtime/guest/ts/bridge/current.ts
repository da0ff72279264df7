/** The run that is under way. */

import type { Environment } from "../session/environment";
import type { Input } from "./input";
import type { Run } from "./run";
import type { RunRealm } from "./realms";

export interface Current {
  readonly run: Run;
  /** The shell's run around a program that its `js` runs. */
  readonly outer?: Run;
  /** Taken when it is first asked for, in runs of shell scripts. */
  readonly realm: RunRealm;
  readonly input: Input;
  /** Of a session, which shares it between its languages. */
  readonly environment?: Environment;
}

let active: Current | undefined;

/** Throws between runs, when nothing of a script can ask. */
export function current(): Current {
  if (active === undefined) throw new Error("no script is running");
  return active;
}

export function maybeCurrent(): Current | undefined {
  return active;
}

export function setCurrent(next: Current | undefined): void {
  active = next;
}
