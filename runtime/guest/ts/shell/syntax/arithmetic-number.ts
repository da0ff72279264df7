/** Integer constants: decimal, `0x`, octal with a leading zero, `base#digits`; 64 bits that wrap around. */

import { ArithmeticFault } from "./errors";

const SMALL = "0123456789abcdefghijklmnopqrstuvwxyz";
const LARGE = `${SMALL}ABCDEFGHIJKLMNOPQRSTUVWXYZ@_`;

export function integer(token: string): number | bigint {
  const fault = (reason: string): ArithmeticFault => new ArithmeticFault(reason, token);
  if (/^(0|[1-9]\d{0,14})$/.test(token)) return Number(token);
  const { base, digits } = split(token, fault);
  let value = 0n;
  for (const each of digits) {
    const digit = base <= 36 ? LARGE.indexOf(each.toLowerCase()) : LARGE.indexOf(each);
    if (each === "#") throw fault("invalid number");
    if (digit < 0 || digit >= base) throw fault("value too great for base");
    value = BigInt.asIntN(64, value * BigInt(base) + BigInt(digit));
  }
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function split(token: string, fault: (reason: string) => ArithmeticFault): { base: number; digits: string } {
  if (/^0[xX]/.test(token)) return { base: 16, digits: token.slice(2) };
  const hash = token.indexOf("#");
  if (token.startsWith("0")) return { base: 8, digits: token.slice(1) };
  if (hash < 0) return { base: 10, digits: token };
  const base = integer(token.slice(0, hash));
  if (base < 2 || base > 64) throw fault("invalid arithmetic base");
  if (hash === token.length - 1) throw fault("invalid integer constant");
  return { base: Number(base), digits: token.slice(hash + 1) };
}
