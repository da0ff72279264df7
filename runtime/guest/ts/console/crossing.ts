/**
 * What belongs to one run: the defaults of `inspect`, which a script may change, and what custom inspectors are handed.
 * Those live in the script's realm, so the options and the `inspect` they get must too.
 */

import { defaultOptions } from "./context";

type Adopt = (value: unknown) => unknown;
export type Inspect = (...args: never[]) => unknown;

export interface Crossing {
  /** A copy of a value of ours in the script's realm. */
  toUser: Adopt;
  /** The script's own `util.inspect`, once it is known. */
  inspect: Inspect | undefined;
  /** Finds it. */
  findInspect: (() => Inspect) | undefined;
}

export const crossing: Crossing = { toUser: (value) => value, inspect: undefined, findInspect: undefined };

const nodeDefaults = { ...defaultOptions };

/**
 * Forgets what the last run changed. `toUser` copies a value into the new run's realm, `findInspect` loads that realm's
 * `util.inspect` when an inspector needs it.
 */
export function resetInspect(toUser: Adopt, findInspect?: () => Inspect): void {
  crossing.toUser = toUser;
  crossing.inspect = undefined;
  crossing.findInspect = findInspect;
  Object.assign(defaultOptions, nodeDefaults);
}
