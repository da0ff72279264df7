import { kernel } from "amla:kernel";
import { coded, invalidType, outOfRange } from "../errors";
import { type Bytes, type FastBuffer, isBytes, requireBytes } from "./base";
import { encodingOf } from "./encodings";

const { bytes: native } = kernel;

function needle(value: unknown, encoding: unknown): Uint8Array {
  if (typeof value === "string") return encodingOf(encoding || undefined).encode(value);
  if (typeof value === "number") return Uint8Array.of(Math.trunc(value) & 255);
  if (isBytes(value)) return value;
  const expected = "one of type number or string or an instance of Buffer or Uint8Array";
  throw invalidType("value", expected, value);
}

/** An index that may count from the end; anything that is no number means `absent`. */
function position(value: unknown, absent: number, length: number): number {
  const at = Math.trunc(+(value as number));
  if (Number.isNaN(at)) return absent;
  return at < 0 ? at + length : at;
}

function indexOf(this: FastBuffer, value: unknown, offset?: unknown, encoding?: unknown): number {
  if (typeof offset === "string") [offset, encoding] = [undefined, offset];
  const part = needle(value, encoding);
  const from = Math.min(Math.max(position(offset, 0, this.length), 0), this.length);
  return native.indexOf(this, part, from);
}

function lastIndexOf(this: FastBuffer, value: unknown, offset?: unknown, encoding?: unknown): number {
  if (typeof offset === "string") [offset, encoding] = [undefined, offset];
  const part = needle(value, encoding);
  const from = Math.min(position(offset, this.length, this.length), this.length);
  return from < 0 ? -1 : native.lastIndexOf(this, part, from);
}

function includes(this: FastBuffer, value: unknown, offset?: unknown, encoding?: unknown): boolean {
  return indexOf.call(this, value, offset, encoding) !== -1;
}

export function compareBytes(a: unknown, b: unknown): number {
  requireBytes("buf1", a);
  requireBytes("buf2", b);
  return native.compare(a, b);
}

function bound(name: string, value: number | undefined, absent: number, length: number): number {
  if (value === undefined) return absent;
  if (typeof value !== "number") throw invalidType(name, "of type number", value);
  if (!(value >= 0 && value <= length)) throw outOfRange(name, `>= 0 && <= ${length}`, value);
  return value;
}

function compare(
  this: FastBuffer,
  target: Bytes,
  targetStart?: number,
  targetEnd?: number,
  sourceStart?: number,
  sourceEnd?: number,
): number {
  requireBytes("target", target);
  if (targetStart === undefined) return native.compare(this, target);
  const from = bound("targetStart", targetStart, 0, Number.MAX_SAFE_INTEGER);
  const to = bound("targetEnd", targetEnd, target.length, target.length);
  const ownFrom = bound("sourceStart", sourceStart, 0, Number.MAX_SAFE_INTEGER);
  const ownTo = bound("sourceEnd", sourceEnd, this.length, this.length);
  if (ownFrom >= ownTo) return from >= to ? 0 : -1;
  if (from >= to) return 1;
  return native.compare(this.subarray(ownFrom, ownTo), target.subarray(from, to));
}

function equals(this: FastBuffer, other: Bytes): boolean {
  requireBytes("otherBuffer", other);
  return this.length === other.length && native.compare(this, other) === 0;
}

function copyBound(name: string, value: number | undefined, absent: number): number {
  const at = value === undefined ? absent : Math.trunc(+value) || 0;
  if (at < 0) throw outOfRange(name, ">= 0", at);
  return at;
}

/** Copies what fits and says how much that was. */
function copy(this: FastBuffer, target: Bytes, targetStart?: number, sourceStart?: number, sourceEnd?: number): number {
  requireBytes("target", target);
  const at = copyBound("targetStart", targetStart, 0);
  const from = copyBound("sourceStart", sourceStart, 0);
  if (from > this.length) throw outOfRange("sourceStart", `>= 0 && <= ${this.length}`, from);
  const to = Math.min(copyBound("sourceEnd", sourceEnd, this.length), this.length);
  const size = Math.min(to - from, target.length - at);
  if (size <= 0) return 0;
  native.copy(this, from, target, at, size);
  return size;
}

function swapper(width: number): (this: FastBuffer) => FastBuffer {
  return function swap(this: FastBuffer): FastBuffer {
    if (this.length % width !== 0) {
      throw coded(RangeError, "ERR_INVALID_BUFFER_SIZE", `Buffer size must be a multiple of ${width * 8}-bits`);
    }
    native.swap(this, width);
    return this;
  };
}

export const searchMethods = {
  indexOf,
  lastIndexOf,
  includes,
  compare,
  equals,
  copy,
  swap16: swapper(2),
  swap32: swapper(4),
  swap64: swapper(8),
};
