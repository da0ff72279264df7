/** What a call comes to, as far as that can be told without making it: what kind of value, not which. */

import { type Realm, native } from "../../bridge/native";

/** Functions by where they are, and the kind of what they return; as a call or method of which nothing was changed. */
const RETURNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Array.prototype": {
    Array: "concat copyWithin fill filter flat flatMap map reverse slice sort splice toReversed toSorted toSpliced with",
    Number: "findIndex findLastIndex indexOf lastIndexOf push unshift",
    String: "join toLocaleString toString",
  },
  "String.prototype": {
    Array: "match split",
    String:
      "at charAt concat normalize padEnd padStart repeat replace replaceAll slice substring toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd trimStart valueOf",
  },
  "Number.prototype": { String: "toExponential toFixed toLocaleString toPrecision toString" },
  "Date.prototype": { Number: "getTime valueOf", String: "toISOString toJSON toLocaleDateString toLocaleString toLocaleTimeString toString" },
  "Map.prototype": { Map: "set" },
  "Set.prototype": { Set: "add difference intersection symmetricDifference union" },
  "Promise.prototype": { Promise: "catch finally then" },
  Array: { Array: "from of" },
  JSON: { String: "stringify" },
  Object: { Array: "entries getOwnPropertyNames keys values" },
  Promise: { Promise: "all allSettled any race reject resolve" },
};

/** An object that has the members of whatever the call returns. */
export function returned(realm: Realm, called: unknown, name: string): unknown {
  const kind = native.types.functionKind(called) === "async" ? "Promise" : kindOf(realm, called, name);
  return kind && instanceOf(realm, kind);
}

/** An object that has the members of those of that class. */
export function instanceOf(realm: Realm, kind: string): unknown {
  return native.realm.peek(native.realm.variable(realm, kind), "prototype");
}

function kindOf(realm: Realm, called: unknown, name: string): string | undefined {
  for (const [place, kinds] of Object.entries(RETURNED)) {
    const kind = Object.keys(kinds).find((each) => kinds[each]!.split(" ").includes(name));
    if (kind && native.realm.peek(at(realm, place), name) === called) return kind;
  }
  return undefined;
}

function at(realm: Realm, place: string): unknown {
  const [name, member] = place.split(".");
  const owner = native.realm.variable(realm, name!);
  return member ? native.realm.peek(owner, member) : owner;
}
