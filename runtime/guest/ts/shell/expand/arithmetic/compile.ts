/** Expression trees compiled to closures. */

import { ShellError } from "../../run/errors";
import { ArithmeticFault } from "../../syntax/errors";
import type { Expression, Part } from "../../syntax/ast";
import { compileParts } from "../word";
import type { Scope } from "../scope";
import { evaluateText } from "./evaluate";
import { type Integer, plainInteger } from "./numbers";
import { complement, negate, OPERATORS } from "./operators";
import { QUICK, QUICK_CONSTANT } from "./quick";
import { type Change, compileTarget, type Target } from "./targets";

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
  binary: (node, parts) => compileSpine(node, parts, compileBinary),
  condition: ({ test, yes, no }, parts) => {
    const [condition, then, otherwise] = [compile(test, parts), compile(yes, parts), compile(no, parts)];
    return (scope, held) => (condition(scope, held) === 0 ? otherwise(scope, held) : then(scope, held));
  },
  assign: compileAssign,
  comma: (node, parts) => compileSpine(node, parts, compileComma),
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

const one: Compute = () => 1;

function compileStep({ operator, prefix, target: node }: Extract<Expression, { kind: "step" }>, parts: readonly Part[]): Compute {
  const target = targetOf(node, parts);
  const step = operator === "++" ? "+" : "-";
  const [change, undo] = [OPERATORS[step]!, OPERATORS[step === "+" ? "-" : "+"]!];
  const { name, subscript } = node as Extract<Expression, { kind: "variable" }>;
  const delta = subscript === undefined ? (operator === "++" ? 1 : -1) : 0;
  if (prefix) return (scope, held) => (delta !== 0 ? scope.variables.addNumber(name, delta) : undefined) ?? target.update(scope, held, change, one);
  return (scope, held) => {
    const after = delta !== 0 ? scope.variables.addNumber(name, delta) : undefined;
    return after === undefined ? undo(target.update(scope, held, change, one), 1) : after - delta;
  };
}

type Binary = Extract<Expression, { kind: "binary" }>;
type Comma = Extract<Expression, { kind: "comma" }>;

/** Operators in a row whose closures call each other; what is to the left of them is worked out before, in a loop. */
const CHAINED = 16;

/** Operators that group to the left. A long row of them is worked out from left to right: calls in calls would end the stack. */
function compileSpine<N extends Binary | Comma>(node: N, parts: readonly Part[], link: (node: N, first: Compute, parts: readonly Part[]) => Compute): Compute {
  const spine: N[] = [];
  let left: Expression = node;
  for (; left.kind === node.kind; left = (left as N).left) spine.push(left as N);
  const codes: Compute[] = [];
  let value: Integer = 0;
  const before: Compute = () => value;
  let code = compile(left, parts);
  for (let index = spine.length - 1, row = 1; index >= 0; index -= 1, row += 1) {
    code = link(spine[index]!, code, parts);
    if (row % CHAINED > 0 || index === 0) continue;
    codes.push(code);
    code = before;
  }
  if (codes.length === 0) return code;
  codes.push(code);
  // Each code reads what was before it first, so that it does not matter if others run within it.
  return (scope, held) => {
    let result: Integer = 0;
    for (const each of codes) {
      value = result;
      result = each(scope, held);
    }
    return result;
  };
}

function compileComma({ right }: Comma, first: Compute, parts: readonly Part[]): Compute {
  const second = compile(right, parts);
  return (scope, held) => {
    first(scope, held);
    return second(scope, held);
  };
}

function compileBinary({ operator, left, right, token }: Binary, first: Compute, parts: readonly Part[]): Compute {
  const second = compile(right, parts);
  if (operator === "&&") return (scope, held) => (first(scope, held) !== 0 && second(scope, held) !== 0 ? 1 : 0);
  if (operator === "||") return (scope, held) => (first(scope, held) !== 0 || second(scope, held) !== 0 ? 1 : 0);
  if (right.kind === "number" && typeof right.value === "number") {
    const quick = QUICK_CONSTANT[operator];
    if (quick) return left.kind === "variable" && left.subscript === undefined ? quick.variable(left.name, first, right.value) : quick.any(first, right.value);
  }
  const quick = QUICK[operator];
  if (quick) return quick(first, second);
  const operate = checked(operator, token, parts);
  return (scope, held) => operate(first(scope, held), second(scope, held), held);
}

/** The operator with the checks that its operands need; `token` is the text from the right operand on, for messages. */
function checked(operator: string, token = "", parts: readonly Part[]): Change {
  const operate = OPERATORS[operator]!;
  if (operator === "/" || operator === "%") {
    return (left, right, held) => {
      if (right === 0) throw new ArithmeticFault("division by 0", fill(token, held, parts));
      return operate(left, right);
    };
  }
  if (operator !== "**") return operate;
  return (left, right, held) => {
    if (right < 0) throw new ArithmeticFault("exponent less than 0", fill(token, held, parts).replace(/^[-\s]*/, ""));
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
  const change = checked(operator, "0", parts);
  return (scope, held) => target.update(scope, held, change, compute);
}

function targetOf(node: Expression, parts: readonly Part[]): Target {
  if (node.kind !== "variable") throw new ArithmeticFault("attempted assignment to non-variable", "");
  return compileTarget(node, parts);
}
