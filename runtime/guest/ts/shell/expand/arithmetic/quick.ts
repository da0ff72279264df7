/** The operators that loops are made of, without a call between the operands and the result. */

import type { Compute } from "./compile";
import { type Integer, isSafe } from "./numbers";
import { OPERATORS } from "./operators";

const add = OPERATORS["+"]!;
const subtract = OPERATORS["-"]!;

/** Equal values are equal as they are, and JavaScript compares numbers with BigInts by value. */
export const QUICK: Readonly<Record<string, (first: Compute, second: Compute) => Compute>> = {
  "+": (first, second) => (scope, held) => {
    const left = first(scope, held);
    const right = second(scope, held);
    if (typeof left !== "number" || typeof right !== "number") return add(left, right);
    const sum = left + right;
    return (sum | 0) === sum || isSafe(sum) ? sum : add(left, right);
  },
  "-": (first, second) => (scope, held) => {
    const left = first(scope, held);
    const right = second(scope, held);
    if (typeof left !== "number" || typeof right !== "number") return subtract(left, right);
    const difference = left - right;
    return (difference | 0) === difference || isSafe(difference) ? difference : subtract(left, right);
  },
  "<": (first, second) => (scope, held) => (first(scope, held) < second(scope, held) ? 1 : 0),
  ">": (first, second) => (scope, held) => (first(scope, held) > second(scope, held) ? 1 : 0),
  "<=": (first, second) => (scope, held) => (first(scope, held) <= second(scope, held) ? 1 : 0),
  ">=": (first, second) => (scope, held) => (first(scope, held) >= second(scope, held) ? 1 : 0),
  "==": (first, second) => (scope, held) => (first(scope, held) === second(scope, held) ? 1 : 0),
  "!=": (first, second) => (scope, held) => (first(scope, held) === second(scope, held) ? 0 : 1),
};

/** With a constant on the right: of any value, and of a variable. */
interface Constant {
  readonly any: (first: Compute, right: number) => Compute;
  readonly variable: (name: string, read: Compute, right: number) => Compute;
}

function comparison(any: Constant["any"], variable: Constant["variable"]): Constant {
  return { any, variable };
}

function sum(sign: 1 | -1): Constant {
  const operate = sign === 1 ? add : subtract;
  const plus = (left: Integer, right: number): Integer => {
    if (typeof left !== "number") return operate(left, right);
    const result = left + sign * right;
    return (result | 0) === result || isSafe(result) ? result : operate(left, right);
  };
  return {
    any: (first, right) => (scope, held) => plus(first(scope, held), right),
    variable: (name, read, right) => {
      const delta = sign * right;
      return (scope, held) => {
        const left = scope.variables.number(name);
        if (left === undefined) return plus(read(scope, held), right);
        const result = left + delta;
        return (result | 0) === result ? result : plus(left, right);
      };
    },
  };
}

export const QUICK_CONSTANT: Readonly<Record<string, Constant>> = {
  "+": sum(1),
  "-": sum(-1),
  "<": comparison(
    (first, right) => (scope, held) => (first(scope, held) < right ? 1 : 0),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) < right ? 1 : 0),
  ),
  ">": comparison(
    (first, right) => (scope, held) => (first(scope, held) > right ? 1 : 0),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) > right ? 1 : 0),
  ),
  "<=": comparison(
    (first, right) => (scope, held) => (first(scope, held) <= right ? 1 : 0),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) <= right ? 1 : 0),
  ),
  ">=": comparison(
    (first, right) => (scope, held) => (first(scope, held) >= right ? 1 : 0),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) >= right ? 1 : 0),
  ),
  "==": comparison(
    (first, right) => (scope, held) => (first(scope, held) === right ? 1 : 0),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) === right ? 1 : 0),
  ),
  "!=": comparison(
    (first, right) => (scope, held) => (first(scope, held) === right ? 0 : 1),
    (name, read, right) => (scope, held) => ((scope.variables.number(name) ?? read(scope, held)) === right ? 0 : 1),
  ),
};
