/** What bc's operators and the functions of its library do. */

import * as library from "./bc_library";
import { type Machine, truth } from "./bc_machine";
import { add, compare, type Decimal, divide, modulo, multiply, power, subtract, toInteger } from "./bc_number";

export type Binary = (machine: Machine, left: Decimal, right: Decimal) => Decimal;
/** Those that bind alike. */
export type Operators = Readonly<Record<string, Binary>>;

function nonZero(machine: Machine, divisor: Decimal, what: string): Decimal {
  return divisor.digits === 0n ? machine.fault(what) : divisor;
}

export function raised(machine: Machine, base: Decimal, exponent: Decimal): Decimal {
  const count = toInteger(exponent);
  if (exponent.scale > 0 && exponent.digits !== count * 10n ** BigInt(exponent.scale)) machine.warn("non-zero scale in exponent");
  if (count > 10_000_000n || count < -10_000_000n) machine.fault("exponent too large in raise");
  if (count < 0n) nonZero(machine, base, "Divide by zero");
  return power(base, Number(count), machine.scale);
}

export const SUMS: Operators = {
  "+": (_machine, left, right) => add(left, right),
  "-": (_machine, left, right) => subtract(left, right),
};

export const PRODUCTS: Operators = {
  "*": (machine, left, right) => multiply(left, right, machine.scale),
  "/": (machine, left, right) => divide(left, nonZero(machine, right, "Divide by zero"), machine.scale),
  "%": (machine, left, right) => modulo(left, nonZero(machine, right, "Modulo by zero"), machine.scale),
};

export const ARITHMETIC: Operators = { ...SUMS, ...PRODUCTS, "^": raised };

const relation =
  (holds: (order: number) => boolean): Binary =>
  (_machine, left, right) =>
    truth(holds(compare(left, right)));

export const COMPARISONS: Operators = {
  "<": relation((order) => order < 0),
  "<=": relation((order) => order <= 0),
  ">": relation((order) => order > 0),
  ">=": relation((order) => order >= 0),
  "==": relation((order) => order === 0),
  "!=": relation((order) => order !== 0),
};

export const isTrue = (value: Decimal): boolean => value.digits !== 0n;

/** Both sides are worked out, whatever the left one is. */
export const BOTH: Operators = { "&&": (_machine, left, right) => truth(isTrue(left) && isTrue(right)) };
export const EITHER: Operators = { "||": (_machine, left, right) => truth(isTrue(left) || isTrue(right)) };

/** What -l defines, by how many arguments they take. */
export const LIBRARY: Readonly<Record<string, (scale: number, ...values: Decimal[]) => Decimal>> = {
  e: (scale, x) => library.exponential(x!, scale),
  l: (scale, x) => library.logarithm(x!, scale),
  s: (scale, x) => library.sine(x!, scale),
  c: (scale, x) => library.cosine(x!, scale),
  a: (scale, x) => library.arctangent(x!, scale),
  j: (scale, n, x) => library.bessel(n!, x!, scale),
};
