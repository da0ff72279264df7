import type { Process } from "../shell/process";
import { command, complain } from "./command";
import { quoted } from "./sizes";

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base % modulus, exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];

/** Miller and Rabin's test, which with these witnesses errs for no number below 3.3e24. */
function isPrime(value: bigint): boolean {
  if (value < 2n) return false;
  for (const prime of WITNESSES) if (value % prime === 0n) return value === prime;
  let odd = value - 1n;
  let twos = 0;
  for (; (odd & 1n) === 0n; odd >>= 1n) twos += 1;
  return WITNESSES.every((witness) => {
    let at = power(witness, odd, value);
    if (at === 1n || at === value - 1n) return true;
    for (let step = 1; step < twos; step += 1) {
      at = (at * at) % value;
      if (at === value - 1n) return true;
    }
    return false;
  });
}

function gcd(left: bigint, right: bigint): bigint {
  while (right > 0n) [left, right] = [right, left % right];
  return left;
}

/** Some divisor of a composite number, by Pollard's rho. */
async function divisorOf(process: Process, value: bigint): Promise<bigint> {
  for (let shift = 1n; ; shift += 1n) {
    let [slow, fast, divisor] = [2n, 2n, 1n];
    const next = (at: bigint): bigint => (at * at + shift) % value;
    while (divisor === 1n) {
      let product = 1n;
      const [slowBefore, fastBefore] = [slow, fast];
      for (let step = 0; step < 64; step += 1) {
        slow = next(slow);
        fast = next(next(fast));
        const difference = slow > fast ? slow - fast : fast - slow;
        product = (product * difference) % value;
      }
      divisor = gcd(product, value);
      const wait = process.pause();
      if (wait) await wait;
      if (divisor !== value) continue;
      // Somewhere in these steps all factors came at once: go through them again one by one.
      [slow, fast, divisor] = [slowBefore, fastBefore, 1n];
      while (divisor === 1n) {
        slow = next(slow);
        fast = next(next(fast));
        divisor = gcd(slow > fast ? slow - fast : fast - slow, value);
      }
    }
    if (divisor !== value) return divisor;
  }
}

const SMALL_MOST = 2000;

/** Below this, trial division in plain numbers is quickest. */
const PLAIN_MOST = 1e10;

function plainFactors(value: number): number[] {
  const factors: number[] = [];
  let left = value;
  for (let prime = 2; prime * prime <= left; prime += prime === 2 ? 1 : 2) for (; left % prime === 0; left /= prime) factors.push(prime);
  if (left > 1) factors.push(left);
  return factors;
}

async function factorsOf(process: Process, value: bigint): Promise<(bigint | number)[]> {
  if (value < PLAIN_MOST) return plainFactors(Number(value));
  const factors: bigint[] = [];
  const small = BigInt(SMALL_MOST);
  for (let prime = 2n; prime < small && prime * prime <= value; prime += prime === 2n ? 1n : 2n) {
    for (; value % prime === 0n; value /= prime) factors.push(prime);
  }
  const rest = value > 1n ? [value] : [];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part < small * small || isPrime(part)) factors.push(part);
    else {
      const divisor = await divisorOf(process, part);
      rest.push(divisor, part / divisor);
    }
  }
  return factors.sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function layout(factors: readonly (bigint | number)[], exponents: boolean): string {
  if (!exponents) return factors.map((factor) => ` ${factor}`).join("");
  const counts = new Map<bigint | number, number>();
  for (const factor of factors) counts.set(factor, (counts.get(factor) ?? 0) + 1);
  return [...counts].map(([factor, count]) => ` ${factor}${count > 1 ? `^${count}` : ""}`).join("");
}

async function print(process: Process, text: string, exponents: boolean): Promise<boolean> {
  const digits = /^ *\+?(\d+)$/.exec(text)?.[1];
  if (digits === undefined) {
    complain(process, `${quoted(text)} is not a valid positive integer`);
    return false;
  }
  const value = BigInt(digits);
  process.stdout.print(`${value}:${layout(await factorsOf(process, value), exponents)}\n`);
  return true;
}

export const factor = command({
  name: "factor",
  usage: "[OPTION]... [NUMBER]...",
  about: "Print the prime factors of each NUMBER, or of those on standard input.",
  options: { exponents: ["-h, --exponents", "print repeated factors as p^e"] },
  async run(process, options, operands) {
    const numbers = operands.length > 0 ? operands : (await process.stdin.text()).split(/[ \t\n]+/).filter(Boolean);
    let well = true;
    for (const text of numbers) well = (await print(process, text, options.has("exponents"))) && well;
    return well ? 0 : 1;
  },
});
