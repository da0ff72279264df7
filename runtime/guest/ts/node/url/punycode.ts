/** Punycode, RFC 3492: labels of any script in letters, digits and hyphens. */

const BASE = 36;
const LEAST = 1;
const MOST = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const LIMIT = 2 ** 31 - 1;

function adapt(delta: number, points: number, first: boolean): number {
  let left = first ? Math.floor(delta / DAMP) : delta >> 1;
  left += Math.floor(left / points);
  let k = 0;
  for (; left > ((BASE - LEAST) * MOST) >> 1; k += BASE) left = Math.floor(left / (BASE - LEAST));
  return Math.floor(k + ((BASE - LEAST + 1) * left) / (left + SKEW));
}

function threshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, LEAST), MOST);
}

const digitText = (digit: number): string => String.fromCharCode(digit + (digit < 26 ? 97 : 22));

function variableLength(delta: number, bias: number): string {
  let text = "";
  let left = delta;
  for (let k = BASE; ; k += BASE) {
    const limit = threshold(k, bias);
    if (left < limit) return text + digitText(left);
    text += digitText(limit + ((left - limit) % (BASE - limit)));
    left = Math.floor((left - limit) / (BASE - limit));
  }
}

export function encode(input: string): string {
  const points = [...input].map((character) => character.codePointAt(0)!);
  const basic = points.filter((point) => point < FIRST_CODE);
  let text = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let [code, delta, bias, done] = [FIRST_CODE, 0, FIRST_BIAS, basic.length];
  while (done < points.length) {
    const next = Math.min(...points.filter((point) => point >= code));
    delta += (next - code) * (done + 1);
    if (delta > LIMIT) throw new RangeError("Overflow: input needs wider integers to process");
    code = next;
    for (const point of points) {
      if (point < code) delta++;
      if (point !== code) continue;
      text += variableLength(delta, bias);
      bias = adapt(delta, done + 1, done === basic.length);
      delta = 0;
      done++;
    }
    delta++;
    code++;
  }
  return text;
}

function digitValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 22;
  const letter = code | 0x20;
  return letter >= 97 && letter <= 122 ? letter - 97 : BASE;
}

export function decode(input: string): string {
  const split = Math.max(input.lastIndexOf("-"), 0);
  const points = [...input.slice(0, split)].map((character) => character.charCodeAt(0));
  if (points.some((point) => point >= FIRST_CODE))
    throw new RangeError("Illegal input >= 0x80 (not a basic code point)");
  let [code, index, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let at = split > 0 ? split + 1 : 0; at < input.length; index++) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitValue(input.charCodeAt(at++));
      if (Number.isNaN(digit) || digit >= BASE || at > input.length) throw new RangeError("Invalid input");
      index += digit * weight;
      if (index > LIMIT) throw new RangeError("Overflow: input needs wider integers to process");
      const limit = threshold(k, bias);
      if (digit < limit) break;
      weight *= BASE - limit;
    }
    bias = adapt(index - before, points.length + 1, before === 0);
    code += Math.floor(index / (points.length + 1));
    index %= points.length + 1;
    if (code > 0x10ffff) throw new RangeError("Invalid input");
    points.splice(index, 0, code);
  }
  return String.fromCodePoint(...points);
}

const SEPARATORS = /[.\u3002\uff0e\uff61]/;

function mapLabels(domain: string, change: (label: string) => string): string {
  const at = domain.lastIndexOf("@");
  const labels = domain
    .slice(at + 1)
    .split(SEPARATORS)
    .map(change);
  return domain.slice(0, at + 1) + labels.join(".");
}

export function toASCII(domain: string): string {
  return mapLabels(domain, (label) => (/[^\0-\x7f]/.test(label) ? `xn--${encode(label)}` : label));
}

export function toUnicode(domain: string): string {
  return mapLabels(domain, (label) => (label.startsWith("xn--") ? decode(label.slice(4).toLowerCase()) : label));
}
