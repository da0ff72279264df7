import { outOfRange, requireString } from "../errors";
import { FastBuffer } from "./base";
import { type Encoding, encodingOf } from "./encodings";
import { kernel } from "amla:kernel";

const { bytes: native } = kernel;

/** Bytes shown by `console.log`; scripts may change it. */
export const shown = { limit: 50 };

function clampIndex(value: unknown, absent: number, length: number): number {
  if (value === undefined) return absent;
  const at = Math.trunc(+(value as number)) || 0;
  return Math.min(Math.max(at, 0), length);
}

function slice(buffer: FastBuffer, start: number, end: number): Uint8Array {
  return start === 0 && end === buffer.length
    ? buffer
    : new Uint8Array(buffer.buffer, buffer.byteOffset + start, end - start);
}

function toString(this: FastBuffer, encoding?: unknown, start?: unknown, end?: unknown): string {
  const { decode } = encodingOf(encoding);
  if (start === undefined && end === undefined) return decode(this);
  const from = clampIndex(start, 0, this.length);
  const to = clampIndex(end, this.length, this.length);
  return from >= to ? "" : decode(slice(this, from, to));
}

/** The most bytes, up to `room`, that end at the end of a character. */
function wholeCharacters(bytes: Uint8Array, room: number, { name }: Encoding): number {
  if (bytes.length <= room) return bytes.length;
  if (name === "utf16le") return room & ~1;
  let end = room;
  if (name === "utf8") while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

function writeText(buffer: FastBuffer, text: string, offset: number, room: number, encoding: Encoding): number {
  const bytes = encoding.encode(text);
  const size = wholeCharacters(bytes, Math.min(room, buffer.length - offset), encoding);
  native.copy(bytes, 0, buffer, offset, size);
  return size;
}

function index(name: string, value: unknown, absent: number, limit: number): number {
  if (value === undefined) return absent;
  const at = value as number;
  if (typeof at !== "number" || !Number.isInteger(at)) throw outOfRange(name, "an integer", value);
  if (at < 0 || at > limit) throw outOfRange(name, `>= 0 && <= ${limit}`, at);
  return at;
}

/** `write(text[, offset[, length]][, encoding])` */
function write(this: FastBuffer, text: string, offset?: unknown, length?: unknown, encoding?: unknown): number {
  if (typeof offset === "string") [offset, length, encoding] = [undefined, undefined, offset];
  else if (typeof length === "string") [length, encoding] = [undefined, length];
  if (typeof text !== "string") throw new TypeError("argument must be a string");
  const at = index("offset", offset, 0, this.length);
  const room = index("length", length, this.length - at, this.length);
  return writeText(this, text, at, room, encodingOf(encoding || undefined));
}

function subarray(this: FastBuffer, start?: unknown, end?: unknown): FastBuffer {
  const relative = (value: unknown, absent: number): number => {
    const at = value === undefined ? absent : Math.trunc(+(value as number)) || 0;
    return at < 0 ? Math.max(at + this.length, 0) : Math.min(at, this.length);
  };
  const from = relative(start, 0);
  const size = Math.max(relative(end, this.length) - from, 0);
  return new FastBuffer(this.buffer, this.byteOffset + from, size);
}

function toJSON(this: FastBuffer): { type: "Buffer"; data: number[] } {
  return { type: "Buffer", data: Array.from(this) };
}

type Inspect = (value: unknown, options: object) => string;

/** Properties that a script put on the buffer, as `, name: value`. */
function ownProperties(buffer: FastBuffer, options: object, inspect: Inspect): string {
  const keys = Object.keys(buffer).slice(buffer.length);
  return keys
    .map((key) => `, ${key}: ${inspect((buffer as unknown as Record<string, unknown>)[key], options)}`)
    .join("");
}

function show(this: FastBuffer, _depth: unknown, options: object, inspect: Inspect): string {
  const hex = native.hexEncode(slice(this, 0, Math.min(shown.limit, this.length)));
  const left = this.length - shown.limit;
  const more = left > 0 ? ` ... ${left} more byte${left > 1 ? "s" : ""}` : "";
  const extra = typeof inspect === "function" && !more ? ownProperties(this, options, inspect) : "";
  return `<${this.constructor.name} ${hex.replace(/(..)(?=.)/g, "$1 ")}${more}${extra}>`;
}

function slicer(name: string): (this: FastBuffer, start?: number, end?: number) => string {
  return function (this: FastBuffer, start?: number, end?: number): string {
    return toString.call(this, name, start, end);
  };
}

function writer(name: string): (this: FastBuffer, text: string, offset?: number, length?: number) => number {
  return function (this: FastBuffer, text: string, offset?: number, length?: number): number {
    requireString("argument", text);
    return write.call(this, text, offset, length, name);
  };
}

export const textMethods: Record<PropertyKey, unknown> = {
  toString,
  toLocaleString: toString,
  write,
  slice: subarray,
  subarray,
  toJSON,
  inspect: show,
  [Symbol.for("nodejs.util.inspect.custom")]: show,
};

for (const name of ["ascii", "base64", "base64url", "latin1", "hex", "ucs2", "utf8"]) {
  textMethods[`${name}Slice`] = slicer(name);
  textMethods[`${name}Write`] = writer(name);
}
