/** A script's text to a function of its realm. */

import { type Realm, native } from "../bridge/native";
import { stripFence } from "./fence";
import type { rewriteImports } from "./imports";
import type { stripTypes } from "./typescript";

export interface Program {
  start: () => Promise<unknown>;
  /** What was compiled in the end. */
  text: string;
}

const MODULE_SYNTAX = /^\s*(?:import\b(?!\s*[(.])|export\b)/m;
const TYPESCRIPT_NAME = /\.[mc]?ts$/;

/**
 * Plain JavaScript compiles at once. Only what does not is looked at again: with its imports rewritten, then as
 * TypeScript. If nothing helps, the first error stands, since it speaks of the text that the author wrote.
 */
export function compileScript(realm: Realm, text: string, filename: string): Program {
  const source = stripFence(text);
  if (TYPESCRIPT_NAME.test(filename)) return compile(realm, adapt(stripTypesOf(source, filename)), filename);
  try {
    return compile(realm, source, filename);
  } catch (error) {
    for (const attempt of [plainModule, typescript]) {
      const adapted = attempt(source, filename);
      if (adapted === undefined || adapted === source) continue;
      try {
        return compile(realm, adapted, filename);
      } catch {
        continue;
      }
    }
    throw error;
  }
}

function compile(realm: Realm, source: string, filename: string): Program {
  return { start: native.realm.compile(realm, source, filename), text: source };
}

function plainModule(source: string): string | undefined {
  if (!MODULE_SYNTAX.test(source)) return undefined;
  try {
    return adapt(source);
  } catch {
    return undefined;
  }
}

function typescript(source: string, filename: string): string | undefined {
  try {
    return adapt(stripTypesOf(source, filename));
  } catch {
    return undefined;
  }
}

function adapt(source: string): string {
  if (!MODULE_SYNTAX.test(source)) return source;
  const module = native.host.module("amla:loader/imports") as { rewriteImports: typeof rewriteImports };
  return module.rewriteImports(source);
}

/** The JavaScript of a TypeScript source. */
export function stripTypesOf(source: string, filename: string): string {
  const module = native.host.module("amla:loader/typescript") as { stripTypes: typeof stripTypes };
  return module.stripTypes(source, filename);
}
