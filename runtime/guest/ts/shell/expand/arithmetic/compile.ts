/** Expression trees compiled to closures. */

import { ShellError } from "../../run/errors";
import { ArithmeticFault } from "../../syntax/errors";
import type { Expression, Part } from "../../syntax/ast";
import { compileParts } from "../word";
import type { Scope } from "../scope";
import { evaluateText } from "./evaluate";
import { type Integer, plainInteger } from "./numbers";
import { complement, negate, type Operate, OPERATORS } from "./operators";
import { compileTarget, type Target } from "./targets";

/**
 * What the expansions in an expression gave, in their order: a text, or the number it is once that is known.
 */
export type Held = (string | Integer)[];
export type Compute = (scope: Scope, held: Held) => Integer;

export const NOTHING_HELD: Held = [];

/** The tree as a function of the values that `parts`, the expansions in its text, gave. */
export function compileTree(tree: Expression, parts: readonly Part[]): Compute {
  return compile(tree, parts);
}

type Compiler<K extends Expression["kind"]> = (node: Extract<Expression, { kind: K }>, parts: readonly Part[]) => Compute;

const COMPILERS: { readonly [K in Expression["kind"]]: Compiler<K> } = {
  number: ({ value }) => () => value,
  variable: (node, parts) => compileTarget(node, parts).read,
  part: compilePart,
  unary: ({ operator, operand }, parts) => SIGNS[operator](compile(operand, parts)),
  step: compileStep,
  binary: compileBinary,
  condition: ({ test, yes, no }, parts) => {
    const [condition, then, otherwise] = [compile(test, parts), compile(yes, parts), compile(no, parts)];
    return (scope, held) => (condition(scope, held) === 0 ? otherwise(scope, held) : then(scope, held));
  },
  assign: compileAssign,
  comma: ({ left, right }, parts) => {
    const [first, second] = [compile(left, parts), compile(right, parts)];
    return (scope, held) => {
      first(scope, held);
      return second(scope, held);
    };
  },
};

function compile(tree: Expression, parts: readonly Part[]): Compute {
  return (COMPILERS[tree.kind] as Compiler<Expression["kind"]>)(tree as never, parts);
}

/** An expansion as an operand. One that is not among `parts` stands in a text that is expanded a second time. */
function compilePart({ part }: { readonly part: Part }, parts: readonly Part[]): Compute {
  const slot = parts.indexOf(part);
  if (slot >= 0) return (_scope, held) => held[slot] as Integer;
  const text = compileParts([part]);
  return (scope) => {
    const value = text(scope);
    if (typeof value !== "string") throw new ShellError("a command in an expression's value cannot be waited for: run it first");
    return plainInteger(value) ?? evaluateText(scope, value);
  };
}

const SIGNS: Readonly<Record<"+" | "-" | "!" | "~", (operand: Compute) => Compute>> = {
  "+": (operand) => operand,
  "-": (operand) => (scope, held) => negate(operand(scope, held)),
  "!": (operand) => (scope, held) => (operand(scope, held) === 0 ? 1 : 0),
  "~": (operand) => (scope, held) => complement(operand(scope, held)),
};

function compileStep({ operator, prefix, target: node }: Extract<Expression, { kind: "step" }>, parts: readonly Part[]): Compute {
  const target = targetOf(node, parts);
  const change: Operate = OPERATORS[operator === "++" ? "+" : "-"]!;
  const { update } = target;
  if (prefix) return (scope, held) => update(scope, held, (value) => change(value, 1));
  return (scope, held) => {
    let before: Integer = 0;
    update(scope, held, (value) => change((before = value), 1));
    return before;
  };
}

function compileBinary(node: Extract<Expression, { kind: "binary" }>, parts: readonly Part[]): Compute {
  const left = compile(node.left, parts);
  const right = compile(node.right, parts);
  if (node.operator === "&&") return (scope, held) => (left(scope, held) !== 0 && right(scope, held) !== 0 ? 1 : 0);
  if (node.operator === "||") return (scope, held) => (left(scope, held) !== 0 || right(scope, held) !== 0 ? 1 : 0);
  const operate = checked(node.operator, node.token, parts);
  if (operate.length > 2) return (scope, held) => operate(left(scope, held), right(scope, held), held);
  if (node.right.kind !== "number") return (scope, held) => (operate as Operate)(left(scope, held), right(scope, held));
  const { value } = node.right;
  return (scope, held) => (operate as Operate)(left(scope, held), value);
}

type Checked = (left: Integer, right: Integer, held: Held) => Integer;

/** The operator with the checks that its operands need; `token` is the text from the right operand on, for messages. */
function checked(operator: string, token = "", parts: readonly Part[]): Operate | Checked {
  const operate = OPERATORS[operator]!;
  const shown = (held: Held): string => fill(token, held, parts);
  if (operator === "/" || operator === "%") {
    return (left: Integer, right: Integer, held: Held) => {
      if (right === 0) throw new ArithmeticFault("division by 0", shown(held));
      return operate(left, right);
    };
  }
  if (operator !== "**") return operate;
  return (left: Integer, right: Integer, held: Held) => {
    if (right < 0) throw new ArithmeticFault("exponent less than 0", shown(held).replace(/^[-\s]*/, ""));
    return operate(left, right);
  };
}

/** Puts the last values, as many as the text has places (NULs) for, in their places. */
export function fill(text: string, held: Held, parts: readonly Part[]): string {
  let slot = parts.length - (text.split("\0").length - 1);
  return text.replace(/\0/g, () => `${held[slot++]}`);
}

function compileAssign({ operator, target: node, value }: Extract<Expression, { kind: "assign" }>, parts: readonly Part[]): Compute {
  const target = targetOf(node, parts);
  const compute = compile(value, parts);
  if (operator === "") return (scope, held) => target.write(scope, held, compute);
  const operate = checked(operator, "0", parts) as Checked;
  return (scope, held) => target.update(scope, held, (before) => operate(before, compute(scope, held), held));
}

function targetOf(node: Expression, parts: readonly Part[]): Target {
  if (node.kind !== "variable") throw new ArithmeticFault("attempted assignment to non-variable", "");
  return compileTarget(node, parts);
}
