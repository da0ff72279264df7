/** Operators on constants, as JavaScript itself works them out. */

import { isText, joined, literal, type Primitive, UNKNOWN, type Value } from "../value";

type Plain = string | number | boolean | null | undefined;

const BINARY: Readonly<Record<string, (left: never, right: never) => Primitive>> = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  "/": (left: number, right: number) => left / right,
  "%": (left: number, right: number) => left % right,
  "**": (left: number, right: number) => left ** right,
  "|": (left: number, right: number) => left | right,
  "&": (left: number, right: number) => left & right,
  "^": (left: number, right: number) => left ^ right,
  "<<": (left: number, right: number) => left << right,
  ">>": (left: number, right: number) => left >> right,
  ">>>": (left: number, right: number) => left >>> right,
  "<": (left: number, right: number) => left < right,
  "<=": (left: number, right: number) => left <= right,
  ">": (left: number, right: number) => left > right,
  ">=": (left: number, right: number) => left >= right,
  "===": (left: Plain, right: Plain) => left === right,
  "!==": (left: Plain, right: Plain) => left !== right,
};

const UNARY: Readonly<Record<string, (value: never) => Primitive>> = {
  "-": (value: number) => -value,
  "+": (value: number) => +value,
  "!": (value: Plain) => !value,
  "~": (value: number) => ~value,
  void: () => undefined,
};

function isPlain(value: Value): value is { kind: "literal"; value: Plain } {
  return value.kind === "literal" && typeof value.value !== "bigint";
}

export function binary(operator: string, left: Value, right: Value): Value {
  if (operator === "+" && (isText(left) || isText(right))) return joined(left, right);
  const work = BINARY[operator];
  return work && isPlain(left) && isPlain(right) ? literal(work(left.value as never, right.value as never)) : UNKNOWN;
}

export function unary(operator: string, operand: Value): Value {
  if (operand.kind === "literal" && typeof operand.value === "bigint") return operator === "-" ? literal(-operand.value) : UNKNOWN;
  const work = UNARY[operator];
  return work && isPlain(operand) ? literal(work(operand.value as never)) : UNKNOWN;
}
