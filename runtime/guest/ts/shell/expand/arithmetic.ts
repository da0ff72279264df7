/** Arithmetic: `$((…))`, `((…))`, subscripts, and texts evaluated as expressions. */

import { then, type Maybe } from "../io/maybe";
import type { Arithmetic, Expression, Part, Subscript, Word } from "../syntax/ast";
import { ArithmeticFault } from "../syntax/errors";
import { type Compute, compileTree, fill, type Held, NOTHING_HELD } from "./arithmetic/compile";
import { evaluateText, told } from "./arithmetic/evaluate";
import type { Integer } from "./arithmetic/numbers";
import { compileProgram, runProgram } from "./arithmetic/program";
import { arrayIndex, badSubscript, subscriptFault } from "./errors";
import { settle } from "./arithmetic/targets";
import type { Scope } from "./scope";
import { compileParts, type Reading } from "./word";

export { evaluateText } from "./arithmetic/evaluate";
export { arithmeticText, type Integer } from "./arithmetic/numbers";

/**
 * An expression's value. Its expansions come first, each once; where they all are plain numbers the tree made beforehand
 * is used, and else the text that they make is parsed.
 */
export function compileArithmetic(arithmetic: Arithmetic): Computation {
  const program = arithmetic.tree && compileProgram(arithmetic.tree);
  if (!program) return compileAny(arithmetic);
  let any: Computation | undefined;
  return (scope) => (scope.exporting ? undefined : runProgram(program, scope.variables, scope.positional)) ?? (any ??= compileAny(arithmetic))(scope);
}

export type Computation = (scope: Scope) => Maybe<Integer>;

function compileAny({ text, tree }: Arithmetic): Computation {
  const { template, parts } = flatten(text);
  const compute = tree && compileTree(tree, parts);
  if (parts.length === 0) return compute ? constant(compute, template) : (scope) => evaluateText(scope, template);
  const readings = parts.map((part) => compileParts([part]));
  const operands = tree ? operandSlots(tree, parts) : [];
  const conclude = (scope: Scope, held: Held): Integer => {
    if (!compute || !operands.every((slot) => settle(held, slot))) return evaluateText(scope, fill(template, held, parts));
    return guarded(compute, scope, held, template, parts);
  };
  return (scope) => {
    const held: Held = [];
    const waiting = readFrom(scope, readings, held);
    return waiting ? waiting.then(() => conclude(scope, held)) : conclude(scope, held);
  };
}

/** The text of an expression with its expansions in place. */
export function compileExpanded(text: Word): Reading {
  const { template, parts } = flatten(text);
  const readings = parts.map((part) => compileParts([part]));
  return (scope) => {
    const held: Held = [];
    return then(readFrom(scope, readings, held), () => fill(template, held, parts));
  };
}

function constant(compute: Compute, template: string): (scope: Scope) => Integer {
  return (scope) => {
    try {
      return compute(scope, NOTHING_HELD);
    } catch (error) {
      throw told(error, template);
    }
  };
}

function guarded(compute: Compute, scope: Scope, held: Held, template: string, parts: readonly Part[]): Integer {
  try {
    return compute(scope, held);
  } catch (error) {
    throw told(error, error instanceof ArithmeticFault ? fill(template, held, parts) : "");
  }
}

/** Expands one after the other, waiting where one has to. */
function readFrom(scope: Scope, readings: readonly Reading[], held: Held): Promise<void> | undefined {
  for (let index = held.length; index < readings.length; index += 1) {
    const value = readings[index]!(scope);
    if (typeof value !== "string") {
      return value.then((late) => {
        held.push(late);
        return readFrom(scope, readings, held);
      });
    }
    held.push(value);
  }
}

/** The text with a NUL for each expansion. */
function flatten({ parts }: Word): { template: string; parts: readonly Part[] } {
  const expansions: Part[] = [];
  let template = "";
  const visit = (part: Part): void => {
    if (part.kind === "double") part.parts.forEach(visit);
    else if (part.kind === "literal") template += part.text;
    else {
      template += "\0";
      expansions.push(part);
    }
  };
  parts.forEach(visit);
  return { template, parts: expansions };
}

/** The expansions that stand as operands outside subscripts. */
function operandSlots(tree: Expression, parts: readonly Part[]): number[] {
  const slots: number[] = [];
  const left = [tree];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.kind === "part") slots.push(parts.indexOf(node.part));
    for (const child of Object.values(node) as unknown[]) if (isExpression(child)) left.push(child);
  }
  return slots;
}

const SUBTREES = new Set(["number", "variable", "part", "unary", "step", "binary", "condition", "assign", "comma"]);

function isExpression(value: unknown): value is Expression {
  return typeof value === "object" && value !== null && "kind" in value && SUBTREES.has((value as Expression).kind);
}

/** A subscript as an index; an empty one is a fault. */
export function compileIndex({ text, expression }: Extract<Subscript, { kind: "index" }>): (scope: Scope, name: string) => Maybe<number> {
  if (text.parts.length === 0) return (_scope, name) => badSubscript(`${name}[]`);
  const value = compileArithmetic(expression);
  const late = (error: unknown): never => {
    throw subscriptFault(error);
  };
  return (scope, name) => {
    try {
      const index = value(scope);
      if (typeof index === "number") return index;
      return index instanceof Promise ? index.then((result) => arrayIndex(name, result), late) : arrayIndex(name, index);
    } catch (error) {
      throw subscriptFault(error);
    }
  };
}
