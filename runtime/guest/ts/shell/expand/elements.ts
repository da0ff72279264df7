/** Elements of arrays. A variable that is none counts as an array with its value at index 0. */

import { AssociativeArray, IndexedArray } from "../run/arrays";
import type { Variable } from "../run/variables";
import { ShellError } from "../run/errors";
import { badSubscript } from "./errors";
import type { Scope } from "./scope";

/** An index for an indexed array, a text for an associative one. */
export type Key = string | number;

export interface Elements {
  readonly keys: readonly Key[];
  readonly values: readonly string[];
}

const NONE: Elements = { keys: [], values: [] };

export function isAssociative(scope: Scope, name: string): boolean {
  return scope.variables.find(name)?.value instanceof AssociativeArray;
}

/** Undefined when not set. A negative index counts from the end; one before the start is told of and not set. */
export function getElement(scope: Scope, name: string, key: Key): string | undefined {
  const value = scope.variables.find(name)?.value;
  if (value instanceof IndexedArray) {
    if (typeof key !== "number") return undefined;
    if (key >= 0 || key + value.end >= 0) return value.get(key);
    scope.report(`${name}: bad array subscript`);
    return undefined;
  }
  if (value instanceof AssociativeArray) return value.get(String(key));
  if (key === 0) return scope.variables.get(name);
  if (Number(key) < 0) scope.report(`${name}: bad array subscript`);
  return undefined;
}

/** All elements; follows name references. */
export function elementsOf(scope: Scope, name: string): Elements {
  const value = scope.variables.find(name)?.value ?? scope.variables.get(name);
  if (value === undefined) return NONE;
  if (typeof value === "string") return { keys: [0], values: [value] };
  return { keys: value.keys(), values: value.values() };
}

export function valuesOf(scope: Scope, name: string): readonly string[] {
  const value = scope.variables.find(name)?.value ?? scope.variables.get(name);
  if (value === undefined) return NONE.values;
  return typeof value === "string" ? [value] : value.values();
}

/** Whether the variable has a value: a list that was given, be it empty; not one that was only declared. */
export function wasGiven({ variables }: Scope, name: string): boolean {
  const value = variables.find(name)?.value;
  return value !== undefined && !(typeof value === "object" && value.bare && value.size === 0);
}

export function countElements(scope: Scope, name: string): number {
  const value = scope.variables.find(name)?.value ?? scope.variables.get(name);
  return value === undefined ? 0 : typeof value === "string" ? 1 : value.size;
}

/** Stores a text as it is; returns its place. What was a plain variable becomes an array with its value at index 0. */
export function setElement(variable: Variable, name: string, key: Key, text: string): Key {
  if (variable.value instanceof AssociativeArray) {
    if (key === "") badSubscript(`${name}[""]`);
    variable.value.bare = false;
    variable.value.set(String(key), text);
    return key;
  }
  const array = indexed(variable);
  const index = typeof key === "number" && key < 0 ? key + array.end : Number(key);
  if (index < 0) badSubscript(`${name}[${key}]`);
  array.bare = false;
  array.set(index, text);
  return index;
}

/** The variable's array, made of its plain value if it is none. */
export function indexed(variable: Variable): IndexedArray {
  const { value } = variable;
  if (value instanceof IndexedArray) return value;
  const array = new IndexedArray(typeof value === "string" ? [value] : []);
  variable.value = array;
  return array;
}

export function deleteElement(scope: Scope, name: string, key: Key): void {
  const known = scope.variables.find(name)?.value;
  const value = typeof known === "object" ? scope.variables.declare(scope.variables.target(name)).value : known;
  if (value instanceof AssociativeArray) value.delete(String(key));
  else if (value instanceof IndexedArray) {
    if (Number(key) < -value.end) badSubscript(`[${key}]`);
    value.delete(Number(key));
  } else if (Number(key) === 0) scope.variables.unset(name);
  else if (value !== undefined) throw new ShellError(`${name}: not an array variable`);
}
