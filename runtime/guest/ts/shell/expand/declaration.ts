/** How `declare -p` writes variables. */

import { AssociativeArray, IndexedArray } from "../run/arrays";
import type { Attributes, Variable } from "../run/variables";
import { quoteDeclared, quoteKey } from "./quote";
import { type Located, unitsOf } from "./units";

const LETTERS: readonly (readonly [keyof Attributes, string])[] = [
  ["integer", "i"],
  ["nameref", "n"],
  ["readonly", "r"],
  ["traced", "t"],
  ["exported", "x"],
  ["capital", "c"],
  ["lower", "l"],
  ["upper", "u"],
];

/** The letters of `declare` that make a variable what it is, in bash's order. */
export function attributeLetters(variable: Variable): string {
  const { value } = variable;
  const kind = value instanceof IndexedArray ? "a" : value instanceof AssociativeArray ? "A" : "";
  return kind + LETTERS.filter(([attribute]) => variable[attribute]).map(([, letter]) => letter).join("");
}

/** `declare -x name="value"`: read again, it makes the variable anew. `command`: with its options, what stands in front. */
export function declaration(scope: Located, name: string, variable: Variable, command = `declare -${attributeLetters(variable) || "-"}`): string {
  const start = `${command} ${name}`;
  const { value } = variable;
  if (value === undefined || (typeof value === "object" && value.bare && value.size === 0)) return start;
  return `${start}=${typeof value === "string" ? quoteDeclared(unitsOf(scope, value)) : compoundText(scope, value)}`;
}

/** `([0]="a" [1]="b")`; bash leaves a blank at the end of associative ones. */
export function compoundText(scope: Located, array: IndexedArray | AssociativeArray): string {
  if (array instanceof IndexedArray) {
    const keys = array.keys();
    return `(${array.values().map((value, index) => `[${keys[index]}]=${quoteDeclared(unitsOf(scope, value))}`).join(" ")})`;
  }
  const pairs = array.keys().map((key) => `[${quoteKey(unitsOf(scope, key))}]=${quoteDeclared(unitsOf(scope, array.get(key)!))} `);
  return `(${pairs.join("")})`;
}
