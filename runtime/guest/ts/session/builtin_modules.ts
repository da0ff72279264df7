/** Node's modules as globals, as its REPL has them: each loads when it is first named. */

import { native } from "../bridge/native";
import type { RunRealm } from "../bridge/realms";
import { globals } from "../node/globals";

let names: readonly string[] | undefined;

function modules(): readonly string[] {
  return (names ??= native.host.modules().filter((name) => /^node:\w+$/.test(name)).map((name) => name.slice(5)));
}

export function isModule(name: string): boolean {
  return modules().includes(name);
}

/** Gives the realm the modules that it has no other global for. */
export function defineModules({ realm, require }: RunRealm): void {
  const global = native.realm.global(realm);
  for (const name of modules()) {
    if (name in globals || Object.hasOwn(global, name)) continue;
    const settle = (value: unknown): void => void Reflect.defineProperty(global, name, { value, writable: true, enumerable: false, configurable: true });
    const get = native.realm.adopt(realm, () => {
      const module = require(`node:${name}`);
      settle(module);
      return module;
    }) as () => unknown;
    Reflect.defineProperty(global, name, { get, set: native.realm.adopt(realm, settle) as (value: unknown) => void, enumerable: false, configurable: true });
  }
}
