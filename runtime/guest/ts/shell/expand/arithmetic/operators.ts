/** What the operators do with two values; comparisons see quick.ts. */

import { type Integer, isSafe, wrap } from "./numbers";

export type Operate = (left: Integer, right: Integer) => Integer;

function add(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (isSafe(sum)) return sum;
  }
  return wrap(BigInt(left) + BigInt(right));
}

function subtract(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") {
    const difference = left - right;
    if (isSafe(difference)) return difference;
  }
  return wrap(BigInt(left) - BigInt(right));
}

function multiply(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") {
    const product = left * right;
    if (isSafe(product)) return product;
  }
  return wrap(BigInt(left) * BigInt(right));
}

/** The divisor is not zero: whoever calls looks first, for the message's sake. */
function divide(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") return (left - (left % right)) / right;
  return wrap(BigInt(left) / BigInt(right));
}

function remainder(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") return left % right;
  return wrap(BigInt(left) % BigInt(right));
}

/** The exponent is not negative. */
function power(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number") {
    const result = left ** right;
    if (isSafe(result)) return result;
  }
  let base = BigInt(left);
  let result = 1n;
  for (let rest = BigInt(right); rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asIntN(64, result * base);
    base = BigInt.asIntN(64, base * base);
  }
  return wrap(result);
}

/** Bits of 32-bit integers are quick; others go the long way. */
const bitwise =
  (small: (left: number, right: number) => number, large: (left: bigint, right: bigint) => bigint): Operate =>
  (left, right) => {
    if (typeof left === "number" && typeof right === "number" && (left | 0) === left && (right | 0) === right) return small(left, right);
    return wrap(large(BigInt(left), BigInt(right)));
  };

/** Counts are taken modulo 64, as the machine does. */
function shiftLeft(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && typeof right === "number" && right >= 0 && right < 53) {
    const result = left * 2 ** right;
    if (isSafe(result)) return result;
  }
  return wrap(BigInt(left) << (BigInt(right) & 63n));
}

function shiftRight(left: Integer, right: Integer): Integer {
  if (typeof left === "number" && (left | 0) === left && typeof right === "number" && right >= 0 && right < 32) return left >> right;
  return wrap(BigInt(left) >> (BigInt(right) & 63n));
}

export const OPERATORS: Readonly<Record<string, Operate>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "**": power,
  "<<": shiftLeft,
  ">>": shiftRight,
  "&": bitwise(
    (left, right) => left & right,
    (left, right) => left & right,
  ),
  "|": bitwise(
    (left, right) => left | right,
    (left, right) => left | right,
  ),
  "^": bitwise(
    (left, right) => left ^ right,
    (left, right) => left ^ right,
  ),
};

export const negate = (value: Integer): Integer => subtract(0, value);
export const complement = (value: Integer): Integer => subtract(-1, value);
