/** Realms ready for the next run. */

import { type Realm, native } from "./native";

export interface RunRealm {
  readonly realm: Realm;
  /** The realm's own `require` for the guest's modules. */
  readonly require: (name: string) => unknown;
}

/** Which object serves a group of the kernel in the run that uses the realm. */
export type KernelGroups = () => Record<string, unknown>;

let spare: RunRealm | undefined;

/** Makes a realm; its kernel is looked up when the run uses it. */
function create(groups: KernelGroups): RunRealm {
  const realm = native.realm.create();
  const { require } = native.realm.boot(realm, "amla:prelude", (group) => groups()[group]) as RunRealm;
  return { realm, require };
}

/** Prepares a realm ahead of the run that will take it. */
export function prepare(groups: KernelGroups): void {
  spare ??= create(groups);
}

export function take(groups: KernelGroups): RunRealm {
  const taken = spare ?? create(groups);
  spare = undefined;
  native.realm.seed(taken.realm);
  return taken;
}
