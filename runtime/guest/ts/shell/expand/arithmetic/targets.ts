/** Variables and elements in expressions, as values and as what is assigned to. */

import type { Expression, Part, Subscript } from "../../syntax/ast";
import { ArithmeticFault } from "../../syntax/errors";
import { storeElement, storeText } from "../store";
import { getElement, isAssociative, type Key, wasGiven } from "../elements";
import { badSubscript, subscriptFault, unbound } from "../errors";
import { variableText } from "../references";
import type { Scope } from "../scope";
import { compileParts } from "../word";
import { type Compute, compileTree, type Held } from "./compile";
import { evaluateText, told } from "./evaluate";
import { type Integer, plainInteger } from "./numbers";

export interface Target {
  readonly read: Compute;
  /** Stores what `value` computes; returns it. */
  write(scope: Scope, held: Held, value: Compute): Integer;
  /** Stores what `change` makes of the value and of what `operand` computes after it was read; returns it. */
  update(scope: Scope, held: Held, change: Change, operand: Compute): Integer;
}

export type Change = (value: Integer, operand: Integer, held: Held) => Integer;

export function compileTarget({ name, subscript }: Extract<Expression, { kind: "variable" }>, parts: readonly Part[]): Target {
  return subscript === undefined ? variable(name) : element(name, subscript, parts);
}

function variable(name: string): Target {
  const readText = (scope: Scope): Integer => {
    const text = scope.variables.get(name) ?? variableText(scope, name);
    return text === undefined ? missing(scope, name) : (plainInteger(text) ?? evaluateText(scope, text));
  };
  const read = (scope: Scope): Integer => scope.variables.number(name) ?? readText(scope);
  const store = (scope: Scope, value: Integer): Integer => {
    if (typeof value !== "number" || scope.exporting || !scope.variables.assignNumber(name, value)) storeText(scope, name, `${value}`);
    return value;
  };
  return {
    read,
    write(scope, held, value) {
      return store(scope, value(scope, held));
    },
    update(scope, held, change, operand) {
      return store(scope, change(read(scope), operand(scope, held), held));
    },
  };
}

function element(name: string, subscript: Subscript, parts: readonly Part[]): Target {
  const keyOf = compileKey(name, subscript, parts);
  const valueAt = (scope: Scope, key: Key): Integer => {
    const text = getElement(scope, name, key);
    if (text === undefined) return wasGiven(scope, name) ? 0 : missing(scope, name);
    return plainInteger(text) ?? evaluateText(scope, text);
  };
  const keep = (scope: Scope, key: Key, value: Integer): Integer => {
    storeElement(scope, name, key, `${value}`);
    return value;
  };
  return {
    read: (scope, held) => valueAt(scope, keyOf(scope, held)),
    // The value comes before the subscript, as `a[n]=++n` shows.
    write: (scope, held, value) => {
      const result = value(scope, held);
      return keep(scope, keyOf(scope, held), result);
    },
    update(scope, held, change, operand) {
      const key = keyOf(scope, held);
      return keep(scope, key, change(valueAt(scope, key), operand(scope, held), held));
    },
  };
}

function missing(scope: Scope, name: string): number {
  if (scope.options.has("nounset")) unbound(name);
  return 0;
}

function compileKey(name: string, subscript: Subscript, parts: readonly Part[]): (scope: Scope, held: Held) => Key {
  if (subscript.kind === "all") return (scope) => (isAssociative(scope, name) ? subscript.joined : badSubscript(name));
  const { text, expression } = subscript;
  const words = compileHeld(text.parts, parts);
  const compute = expression.tree && compileIndex(expression.tree, text.parts, parts);
  return (scope, held) => {
    if (isAssociative(scope, name)) return words(scope, held);
    try {
      return Number(compute?.(scope, held) ?? evaluateText(scope, indexText(name, words(scope, held))));
    } catch (error) {
      throw subscriptFault(error instanceof ArithmeticFault ? told(error, words(scope, held)) : error);
    }
  };
}

function indexText(name: string, text: string): string {
  return text === "" ? badSubscript(`${name}[${text}]`) : text;
}

/** The text of parts some of which were expanded before. */
function compileHeld(own: readonly Part[], parts: readonly Part[]): (scope: Scope, held: Held) => string {
  const pieces = own.flatMap((part) => (part.kind === "double" ? part.parts : [part])).map((part) => {
    const slot = parts.indexOf(part);
    if (slot >= 0) return (_scope: Scope, held: Held): string => `${held[slot]}`;
    const text = compileParts([part]);
    return (scope: Scope): string => String(text(scope));
  });
  return (scope, held) => pieces.map((piece) => piece(scope, held)).join("");
}

/** The index, or undefined when the expansions in it are no plain numbers, so that only the text can tell. */
function compileIndex(
  tree: Expression,
  own: readonly Part[],
  parts: readonly Part[],
): (scope: Scope, held: Held) => Integer | undefined {
  const slots = own.flatMap((part) => (part.kind === "double" ? part.parts : [part])).map((part) => parts.indexOf(part));
  const used = slots.filter((slot) => slot >= 0);
  const compute = compileTree(tree, parts);
  return (scope, held) => (used.every((slot) => settle(held, slot)) ? compute(scope, held) : undefined);
}

/** Makes the value in that place the number it is; false when it is none. */
export function settle(held: Held, slot: number): boolean {
  const value = held[slot]!;
  if (typeof value !== "string") return true;
  const plain = plainInteger(value);
  if (plain === undefined) return false;
  held[slot] = plain;
  return true;
}
