import { Buffer } from "node:buffer";

type Value = string | number | bigint | boolean | readonly (string | number | bigint | boolean)[] | null | undefined;

interface ParseOptions {
  maxKeys?: number;
  decodeURIComponent?: (text: string) => string;
}

const KEPT = /[^A-Za-z0-9\-_.!~*'()]/;

export function escape(value: unknown): string {
  const text = typeof value === "string" ? value : typeof value === "object" ? String(value) : `${value}`;
  return KEPT.test(text) ? encodeURIComponent(text) : text;
}

export function unescapeBuffer(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text[at] === "%" ? /^[0-9a-f]{2}/i.exec(text.slice(at + 1, at + 3))?.[0] : undefined;
    bytes.push(code === undefined ? text.charCodeAt(at) : Number.parseInt(code, 16));
    if (code !== undefined) at += 2;
  }
  return Buffer.from(bytes);
}

export function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text).toString();
  }
}

function primitive(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? `${value}` : "";
  return typeof value === "bigint" || typeof value === "boolean" ? `${value}` : "";
}

export function stringify(
  values: Record<string, Value> | null,
  separator = "&",
  equals = "=",
  options?: { encodeURIComponent?: (text: string) => string } | null,
): string {
  const encode = options?.encodeURIComponent ?? escape;
  if (values === null || typeof values !== "object") return "";
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const head = encode(primitive(key)) + (equals || "=");
    for (const each of Array.isArray(value) ? value : [value]) pairs.push(head + encode(primitive(each)));
  }
  return pairs.join(separator || "&");
}

function decoder(options: ParseOptions): (text: string) => string {
  const decode = options.decodeURIComponent ?? unescape;
  const space = options.decodeURIComponent ? "%20" : " ";
  return (text) => {
    const spaced = text.replaceAll("+", space);
    try {
      return decode(spaced);
    } catch {
      return unescape(spaced);
    }
  };
}

export function parse(
  text: string,
  separator = "&",
  equals = "=",
  options: ParseOptions | null = {},
): Record<string, string | string[]> {
  const result = Object.create(null) as Record<string, string | string[]>;
  if (typeof text !== "string" || text === "") return result;
  const { maxKeys = 1000 } = options ?? {};
  const [between, sign] = [separator || "&", equals || "="];
  const decode = decoder(options ?? {});
  const parts = text.split(between).filter((part) => part !== "");
  for (const part of maxKeys > 0 ? parts.slice(0, maxKeys) : parts) {
    const at = part.indexOf(sign);
    const key = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? "" : decode(part.slice(at + sign.length));
    const known = result[key];
    if (known === undefined) result[key] = value;
    else if (Array.isArray(known)) known.push(value);
    else result[key] = [known, value];
  }
  return result;
}

export { parse as decode, stringify as encode };
