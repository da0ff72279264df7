import { controlSet, percentDecode, percentEncode } from "./percent";
import { decode, toASCII, toUnicode } from "./punycode";

/** Hosts of URLs: domains, IPv4 and IPv6 addresses. All functions return undefined for what is no host. */

const FORBIDDEN = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_IN_DOMAIN = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;

export function parseHost(text: string, special: boolean): string | undefined {
  if (text.startsWith("[")) {
    const address = text.endsWith("]") ? parseIPv6(text.slice(1, -1)) : undefined;
    return address && `[${address}]`;
  }
  if (!special) return FORBIDDEN.test(text) ? undefined : percentEncode(text, controlSet);
  const domain = asciiDomain(percentDecode(text));
  if (domain === undefined || domain === "" || FORBIDDEN_IN_DOMAIN.test(domain)) return undefined;
  return endsInNumber(domain) ? parseIPv4(domain) : domain;
}

/** Characters that IDNA drops, and those that it refuses. */
const IGNORED = /[\u00ad\u200b\u2060\ufeff\u034f\u180b-\u180d\ufe00-\ufe0f]/g;
const REFUSED = /[\ufffd\ud800-\udfff\u200e\u200f\u202a-\u202e]/;

/** Lower case and compatibility forms as IDNA maps them, but without its whole table. */
export function asciiDomain(domain: string): string | undefined {
  if (!/[^\0-\x7f]/.test(domain)) {
    const lower = domain.toLowerCase();
    return lower.includes("xn--") && !validLabels(lower) ? undefined : lower;
  }
  const mapped = domain
    .replace(IGNORED, "")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[\u3002\uff61]/g, ".");
  if (REFUSED.test(mapped) || /(?:^|\.)xn--[^.]*[^\0-\x7f]/.test(mapped)) return undefined;
  const ascii = toASCII(mapped);
  return validLabels(ascii) ? ascii : undefined;
}

function validLabels(domain: string): boolean {
  try {
    return domain.split(".").every((label) => !label.startsWith("xn--") || isEncoded(decode(label.slice(4))));
  } catch {
    return false;
  }
}

export function domainToUnicode(domain: string): string {
  const ascii = parseHost(domain, true);
  return ascii === undefined ? "" : toUnicode(ascii);
}

/** What a label in Punycode may stand for: text that needs it and that mapping leaves alone. */
function isEncoded(label: string): boolean {
  return /[^\0-\x7f]/.test(label) && !/[\x80-\x9f]/.test(label) && label.normalize("NFKC").toLowerCase() === label;
}

function endsInNumber(domain: string): boolean {
  const parts = domain.split(".");
  if (parts.at(-1) === "" && parts.length > 1) parts.pop();
  const last = parts.at(-1)!;
  return /^\d+$/.test(last) || /^0x[0-9a-f]*$/i.test(last);
}

/** Decimal, octal after "0", hexadecimal after "0x". */
function parseNumber(text: string): number {
  if (text === "") return Number.NaN;
  if (/^0x[0-9a-f]*$/i.test(text)) return text.length === 2 ? 0 : Number.parseInt(text.slice(2), 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
}

function parseIPv4(domain: string): string | undefined {
  const parts = domain.split(".");
  if (parts.at(-1) === "" && parts.length > 1) parts.pop();
  const numbers = parts.map(parseNumber);
  if (numbers.length > 4 || numbers.some(Number.isNaN)) return undefined;
  const last = numbers.pop()!;
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return undefined;
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

/** Four decimal bytes as the two last pieces of an IPv6 address. */
function embeddedIPv4(text: string): string | undefined {
  const bytes = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
    .exec(text)
    ?.slice(1)
    .map(Number);
  if (!bytes || bytes.some((byte) => byte > 255)) return undefined;
  return `${(bytes[0]! * 256 + bytes[1]!).toString(16)}:${(bytes[2]! * 256 + bytes[3]!).toString(16)}`;
}

function withoutIPv4(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const pieces = embeddedIPv4(text.slice(at));
  return pieces && text.slice(0, at) + pieces;
}

function pieces(text: string): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  return parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))
    ? parts.map((part) => Number.parseInt(part, 16))
    : undefined;
}

function parseIPv6(text: string): string | undefined {
  const halves = withoutIPv4(text)?.split("::").map(pieces);
  if (!halves || halves.length > 2 || halves.includes(undefined)) return undefined;
  const [head, tail] = halves as [number[], number[] | undefined];
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  return serializeIPv6([...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])]);
}

/** The first longest run of two or more zeros is written as "::". */
function serializeIPv6(address: number[]): string {
  const text = address.map((piece) => piece.toString(16)).join(":");
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const longest = runs.reduce<RegExpMatchArray | undefined>(
    (best, run) => (best && best[0].length >= run[0].length ? best : run),
    undefined,
  );
  if (!longest) return text;
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index! + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}
