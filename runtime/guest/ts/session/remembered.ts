/** `_` and `_error`: globals that hold what lines came to, until somebody assigns to them. */

import { type Realm, native } from "../bridge/native";

/** What was last stored under a name. */
const stored = new Map<string, unknown>();

export function remember(realm: Realm, name: string, value: unknown): void {
  const global = native.realm.global(realm);
  const isOurs = !stored.has(name) || Object.is(native.realm.peek(global, name), stored.get(name));
  if (!isOurs) return;
  stored.set(name, value);
  Reflect.defineProperty(global, name, { value, writable: true, enumerable: false, configurable: true });
}

/** For a session that begins. */
export function forget(): void {
  stored.clear();
}
