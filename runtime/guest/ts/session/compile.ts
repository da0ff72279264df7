/** A line of JavaScript or TypeScript to a function of the session's realm. */

import { type Realm, native } from "../bridge/native";
import { compileAdapted, type Program } from "../loader/compile";

const OBJECT = /^\s*\{[^]*[^;\s]\s*$/;

/** Nothing for an empty line. What begins like an object is one, if it can be. */
export function compileLine(realm: Realm, source: string, filename: string): Program | undefined {
  if (source === "" || source === "\n") return undefined;
  return (OBJECT.test(source) ? asObject(realm, source, filename) : undefined) ?? asScript(realm, source, filename);
}

function asScript(realm: Realm, source: string, filename: string): Program {
  return compileAdapted(source, filename, ({ text }) => ({ start: native.realm.line(realm, text, filename, false, false), text }), true);
}

function asObject(realm: Realm, source: string, filename: string): Program | undefined {
  try {
    return { start: native.realm.line(realm, source, filename, true, false), text: source };
  } catch {
    return undefined;
  }
}
