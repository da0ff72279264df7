/** A script's text to a function of its realm. */

import { type Realm, native } from "../bridge/native";
import { furthest, unsupported } from "./faults";
import { stripFence } from "./fence";
import type { rewriteImports } from "./imports";
import type { stripTypes } from "./typescript";

export interface Program {
  start: () => Promise<unknown>;
  /** What was compiled in the end. */
  text: string;
}

const MODULE_SYNTAX = /^\s*(?:import\b(?!\s*[(.])|export\b)|\bimport\s*\.\s*meta\b/m;
const TYPESCRIPT_NAME = /\.[mc]?ts$/;

export interface Adapted {
  text: string;
  /** It has imports, exports or `import.meta`, and so is strict. */
  isModule: boolean;
}

/**
 * Plain JavaScript compiles at once. Only what does not is looked at again: with its imports rewritten, then as
 * TypeScript. If nothing helps, the error that is furthest into the text stands: that attempt understood most.
 */
export function compileScript(realm: Realm, text: string, filename: string): Program {
  return compileAdapted(text, filename, (adapted) => compile(realm, adapted, filename));
}

/** The source as `compile` takes it, in the first reading that it takes. */
export function compileAdapted<T>(text: string, filename: string, compile: (adapted: Adapted) => T, keepImports = false): T {
  const source = stripFence(text);
  const attempts = TYPESCRIPT_NAME.test(filename) ? [typescript] : [plain, plainModule, typescript];
  const faults: unknown[] = [];
  for (const attempt of attempts) {
    try {
      const adapted = attempt(source, filename, keepImports);
      if (adapted) return compile(adapted);
    } catch (error) {
      faults.push(error);
    }
  }
  const fault = furthest(faults, source, filename);
  throw unsupported(fault, source, filename) ?? fault;
}

function compile(realm: Realm, { text, isModule }: Adapted, filename: string): Program {
  return { start: native.realm.compile(realm, text, filename, isModule), text };
}

function plain(text: string): Adapted {
  return { text, isModule: false };
}

function plainModule(source: string): Adapted | undefined {
  return MODULE_SYNTAX.test(source) ? adapt(source) : undefined;
}

/** An import that nobody uses goes with the types, and makes a module all the same. */
function typescript(source: string, filename: string, keepImports: boolean): Adapted {
  const { text, isModule } = adapt(stripTypesOf(source, filename, keepImports));
  return { text, isModule: isModule || MODULE_SYNTAX.test(source) };
}

function adapt(source: string): Adapted {
  if (!MODULE_SYNTAX.test(source)) return plain(source);
  const text = rewriteImportsOf(source);
  return { text, isModule: text !== source };
}

/** The source with its imports rewritten. */
export function rewriteImportsOf(source: string): string {
  const module = native.host.module("amla:loader/imports") as { rewriteImports: typeof rewriteImports };
  return module.rewriteImports(source);
}

/** The JavaScript of a TypeScript source. */
export function stripTypesOf(source: string, filename: string, keepImports = false): string {
  const module = native.host.module("amla:loader/typescript") as { stripTypes: typeof stripTypes };
  return module.stripTypes(source, filename, keepImports);
}
