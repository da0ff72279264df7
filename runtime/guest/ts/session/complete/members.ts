/** What an object has, found without running code of the script: no getter, no trap of a proxy. */

import { type Realm, native } from "../../bridge/native";
import type { Candidate } from "./slot";

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** Prototypes that are looked at; arbitrary. */
const DEEPEST = 30;
/** Names that are taken of one object; arbitrary. */
const MOST = 3000;

/** Every key of an object's own, also those that are no names. */
export function keysOf(value: unknown): Candidate[] {
  if (!isObject(value) || native.types.isProxy(value)) return [];
  return ownKeys(value).map((key) => describe(key, native.realm.peek(value, key)));
}

/** Own names first, then those of each prototype. */
export function members(realm: Realm, value: unknown): Candidate[] {
  const found = new Map<string, Candidate>();
  let owner: unknown = isObject(value) ? value : native.realm.proto(realm, value);
  for (let depth = 0; isObject(owner) && depth < DEEPEST && !native.types.isProxy(owner); depth += 1) {
    for (const name of namesOf(owner)) if (!found.has(name)) found.set(name, describe(name, native.realm.peek(owner, name)));
    owner = native.realm.proto(realm, owner);
  }
  return [...found.values()];
}

export function namesOf(object: unknown): string[] {
  return ownKeys(object).filter((key) => IDENTIFIER.test(key)).sort();
}

function ownKeys(object: unknown): string[] {
  const keys = native.types.ownNonIndexKeys(object, false).slice(0, MOST);
  return keys.filter((key): key is string => typeof key === "string");
}

export function describe(name: string, value: unknown): Candidate {
  if (typeof value !== "function") return [name, "property", value === undefined ? "" : typeName(value)];
  return native.types.functionKind(value) === "class" ? [name, "class", ""] : [name, "function", ""];
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (!isObject(value)) return typeof value;
  return native.types.isProxy(value) ? "proxy" : Array.isArray(value) ? "array" : "object";
}

export function isObject(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
