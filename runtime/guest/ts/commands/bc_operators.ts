/** What bc's operators and the functions of its library do. */

import * as library from "./bc_library";
import type { Machine } from "./bc_machine";
import { add, type Decimal, divide, modulo, multiply, power, subtract, toInteger } from "./bc_number";

type Binary = (machine: Machine, left: Decimal, right: Decimal) => Decimal;

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

export const ARITHMETIC: Readonly<Record<string, Binary>> = {
  "+": (_machine, left, right) => add(left, right),
  "-": (_machine, left, right) => subtract(left, right),
  "*": (machine, left, right) => multiply(left, right, machine.scale),
  "/": (machine, left, right) => divide(left, nonZero(machine, right, "Divide by zero"), machine.scale),
  "%": (machine, left, right) => modulo(left, nonZero(machine, right, "Modulo by zero"), machine.scale),
  "^": raised,
};
export const RELATIONS: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
};

/** What -l defines, by how many arguments they take. */
export const LIBRARY: Readonly<Record<string, (scale: number, ...values: Decimal[]) => Decimal>> = {
  e: (scale, x) => library.exponential(x!, scale),
  l: (scale, x) => library.logarithm(x!, scale),
  s: (scale, x) => library.sine(x!, scale),
  c: (scale, x) => library.cosine(x!, scale),
  a: (scale, x) => library.arctangent(x!, scale),
  j: (scale, n, x) => library.bessel(n!, x!, scale),
};
