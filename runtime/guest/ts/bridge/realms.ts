/**
 * The realm that scripts run in. One is made when the guest is built, with the modules that scripts use most, and put
 * back into that state after each run; one that cannot be put back is replaced.
 */

import { type Realm, native } from "./native";

export interface RunRealm {
  readonly realm: Realm;
  /** The realm's own `require` for the guest's modules. */
  readonly require: (name: string) => unknown;
}

/** Modules that keep nothing of a run when they are loaded, so that all runs can share them. */
const PRELOADED = [
  "node:console",
  "node:buffer",
  "node:events",
  "node:path",
  "amla:timers_core",
  "amla:fs_global",
  "node:fs",
  "amla:tools",
  "node:util",
  "amla:whatwg_url",
  "node:url",
  "amla:text_encoding",
  "amla:intl-number",
  "amla:intl-collate",
];

export type Kernel = (group: string) => unknown;

let spare: RunRealm | undefined;
/** What the last run left behind. */
let used: RunRealm | undefined;

/** A realm of its own, for whoever asks. */
export function fresh(kernel: Kernel): RunRealm {
  const realm = native.realm.create();
  const { require } = native.realm.boot(realm, "amla:prelude", kernel) as RunRealm;
  return { realm, require };
}

/** While the guest is built: makes the realm that later runs share. */
export function bake(kernel: Kernel): void {
  spare = fresh(kernel);
  const known = new Set(native.host.modules());
  for (const name of PRELOADED) if (known.has(name)) spare.require(name);
  native.realm.remember(spare.realm);
}

/** Prepares a realm ahead of the run that will take it. */
export function prepare(kernel: Kernel): RunRealm {
  const left = used;
  used = undefined;
  if (left && native.realm.restore(left.realm)) spare = left;
  else if (left) native.realm.dispose(left.realm);
  return (spare ??= fresh(kernel));
}

export function take(kernel: Kernel): RunRealm {
  const taken = prepare(kernel);
  spare = undefined;
  native.realm.seed(taken.realm);
  return taken;
}

/** Takes a realm back after a run; putting it in order can wait until nobody does. */
export function giveBack(realm: RunRealm): void {
  used = realm;
}
