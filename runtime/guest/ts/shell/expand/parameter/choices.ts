/** `${x-word}` and `${x+word}`: the value or the word, which keeps its own quotes. */

import type { Parameter, Word } from "../../syntax/ast";
import { joinedText, List, type Value } from "../list";
import type { Scope } from "../scope";
import { compileSource, type ValueReading } from "./source";

export interface Choice {
  readonly read: ValueReading;
  readonly word: Word;
  takesWord(scope: Scope, value: Value): boolean;
  /** What stands there if not the word. */
  other(value: Value): Value;
}

export function compileChoice(part: Parameter): Choice | undefined {
  const { operation } = part;
  if (operation?.kind !== "default" && operation?.kind !== "alternate") return undefined;
  const { word, empty } = operation;
  const read = compileSource(part);
  if (operation.kind === "default") {
    return { read, word, takesWord: (scope, value) => !isThere(scope, value, empty), other: (value) => value };
  }
  return { read, word, takesWord: (scope, value) => isThere(scope, value, empty), other: nothing };
}

/** The alternative's absence: no field where there is a list without values. */
function nothing(value: Value): Value {
  return value instanceof List && value.values.length === 0 ? value : undefined;
}

/** Whether it is set and, where that matters, not empty. */
export function isThere(scope: Scope, value: Value, notEmpty: boolean): boolean {
  if (value === undefined) return false;
  if (value instanceof List && value.values.length === 0) return false;
  return !notEmpty || joinedText(scope, value) !== "";
}
