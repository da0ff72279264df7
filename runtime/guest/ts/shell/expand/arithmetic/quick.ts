/** The operators that loops are made of, without a call between the operands and the result. */

import type { Compute } from "./compile";
import { isSafe } from "./numbers";
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
