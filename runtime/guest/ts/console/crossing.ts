/**
 * What belongs to one run: the defaults of `inspect`, which a script may change, and what custom inspectors are handed.
 * Those live in the script's realm, so the options and the `inspect` they get must too.
 */

import { defaultOptions } from "./context";

type Adopt = (value: unknown) => unknown;

export interface Crossing {
  /** A copy of a value of ours in the script's realm. */
  toUser: Adopt;
  /** The script's own `util.inspect`. */
  inspect: ((...args: never[]) => unknown) | undefined;
}

export const crossing: Crossing = { toUser: (value) => value, inspect: undefined };

const nodeDefaults = { ...defaultOptions };

/** Forgets what the last run changed. `toUser` copies a value into the new run's realm. */
export function resetInspect(toUser: Adopt): void {
  crossing.toUser = toUser;
  crossing.inspect = undefined;
  Object.assign(defaultOptions, nodeDefaults);
}
