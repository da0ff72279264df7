/** The functions of `bc -l`, computed with more digits than are asked for and cut. */

import { type Decimal, integerRoot, rescaled, tens, toInteger } from "./bc_number";

/** Digits beyond those asked for. */
const GUARD = 12;

/** Fixed-point numbers with `places` decimal digits. */
class Fixed {
  readonly one: bigint;

  constructor(readonly places: number) {
    this.one = tens(places);
  }

  from(value: Decimal): bigint {
    return rescaled(value, this.places).digits;
  }

  times(left: bigint, right: bigint): bigint {
    return (left * right) / this.one;
  }

  over(left: bigint, right: bigint): bigint {
    return (left * this.one) / right;
  }

  root(value: bigint): bigint {
    return integerRoot(value * this.one);
  }

  /** sum of terms, each made from the one before, until they vanish. */
  series(first: bigint, next: (term: bigint, index: bigint) => bigint): bigint {
    let sum = first;
    let index = 1n;
    for (let term = first; term !== 0n; index += 1n) {
      term = next(term, index);
      sum += term;
    }
    return sum;
  }

  exponential(x: bigint): bigint {
    let reduced = x;
    let halvings = 0;
    for (; (reduced < 0n ? -reduced : reduced) * 4n > this.one; halvings += 1) reduced /= 2n;
    let value = this.series(this.one, (term, index) => this.times(term, reduced) / index);
    for (; halvings > 0; halvings -= 1) value = this.times(value, value);
    return value;
  }

  logarithm(x: bigint): bigint {
    let value = x;
    let factor = 2n;
    for (; value * 10n > this.one * 11n || value * 11n < this.one * 10n; factor *= 2n) value = this.root(value);
    const ratio = this.over(value - this.one, value + this.one);
    return factor * this.odd(ratio, this.times(ratio, ratio));
  }

  /** x + x * step / 3 + x * step ** 2 / 5 … */
  odd(x: bigint, step: bigint): bigint {
    let sum = 0n;
    let power = x;
    for (let odd = 1n; power !== 0n; odd += 2n) {
      sum += power / odd;
      power = this.times(power, step);
    }
    return sum;
  }

  arctangent(x: bigint): bigint {
    let value = x;
    let factor = 1n;
    for (; (value < 0n ? -value : value) * 5n > this.one; factor *= 2n) {
      value = this.over(value, this.one + this.root(this.one + this.times(value, value)));
    }
    return factor * this.odd(value, -this.times(value, value));
  }

  sine(x: bigint): bigint {
    const circle = 8n * this.arctangent(this.one);
    const reduced = x % circle;
    const square = this.times(reduced, reduced);
    return this.series(reduced, (term, index) => -this.times(term, square) / (2n * index * (2n * index + 1n)));
  }

  bessel(order: bigint, x: bigint): bigint {
    const half = x / 2n;
    let first = this.one;
    for (let index = 1n; index <= order; index += 1n) first = this.times(first, half) / index;
    const square = this.times(half, half);
    return this.series(first, (term, index) => -this.times(term, square) / (index * (index + order)));
  }
}

/** Digits before the point of a value. */
function size(value: Decimal): number {
  return toInteger(value).toString().length;
}

function cut(digits: bigint, places: number, scale: number): Decimal {
  return rescaled({ digits, scale: places }, scale);
}

function compute(scale: number, more: number, work: (fixed: Fixed) => bigint): Decimal {
  const places = scale + more + GUARD;
  return cut(work(new Fixed(places)), places, scale);
}

export function exponential(x: Decimal, scale: number): Decimal {
  const most = Math.abs(Number(toInteger(x)));
  // A negative power is one divided by the positive one, which has many digits.
  const digits = Math.ceil(most * Math.LOG10E) + Math.ceil(Math.log2(most + 2));
  return compute(scale, digits + x.scale, (fixed) => {
    const value = fixed.exponential(fixed.from(x.digits < 0n ? { digits: -x.digits, scale: x.scale } : x));
    return x.digits < 0n ? fixed.over(fixed.one, value) : value;
  });
}

export function logarithm(x: Decimal, scale: number): Decimal {
  if (x.digits <= 0n) return { digits: (1n - tens(scale)) * tens(scale), scale };
  return compute(scale, size(x) + x.scale, (fixed) => fixed.logarithm(fixed.from(x)));
}

export function sine(x: Decimal, scale: number): Decimal {
  return compute(scale, size(x), (fixed) => fixed.sine(fixed.from(x)));
}

export function cosine(x: Decimal, scale: number): Decimal {
  return compute(scale, size(x), (fixed) => fixed.sine(fixed.from(x) + 2n * fixed.arctangent(fixed.one)));
}

export function arctangent(x: Decimal, scale: number): Decimal {
  return compute(scale, size(x), (fixed) => fixed.arctangent(fixed.from(x)));
}

export function bessel(order: Decimal, x: Decimal, scale: number): Decimal {
  const n = toInteger(order);
  const value = compute(scale, size(x) + Math.abs(Number(toInteger(x))), (fixed) => fixed.bessel(n < 0n ? -n : n, fixed.from(x)));
  return n < 0n && n % 2n !== 0n ? { digits: -value.digits, scale } : value;
}

