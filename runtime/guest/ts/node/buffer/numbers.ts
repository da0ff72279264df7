import { coded, invalidType, outOfRange } from "../errors";
import type { FastBuffer } from "./base";

/**
 * Numbers at byte positions: `readUInt16LE`, `writeDoubleBE` and the others, made from tables.
 *
 * Integers go through arithmetic on bytes (a DataView for each access would cost more), floats and BigInts through
 * one small scratch view.
 */

type Methods = Record<string, (this: FastBuffer, ...args: never[]) => unknown>;

function checkOffset(buffer: FastBuffer, offset: unknown, size: number): asserts offset is number {
  const last = buffer.length - size;
  if (typeof offset !== "number") throw invalidType("offset", "of type number", offset);
  if (offset >>> 0 === offset && offset <= last) return;
  if (Math.floor(offset) !== offset) throw outOfRange("offset", "an integer", offset);
  if (last < 0) throw coded(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  throw outOfRange("offset", `>= 0 and <= ${last}`, offset);
}

function rangeText(bits: number, signed: boolean, suffix = ""): string {
  const power = (exponent: number): string => `2${suffix} ** ${exponent}${suffix}`;
  if (bits > 32)
    return signed ? `>= -(${power(bits - 1)}) and < ${power(bits - 1)}` : `>= 0${suffix} and < ${power(bits)}`;
  return signed ? `>= ${-(2 ** (bits - 1))} and <= ${2 ** (bits - 1) - 1}` : `>= 0 and <= ${2 ** bits - 1}`;
}

function checkValue(value: number, size: number, signed: boolean): void {
  const bits = 8 * size;
  const high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const low = signed ? -(2 ** (bits - 1)) : 0;
  if (value > high || value < low) throw outOfRange("value", rangeText(bits, signed), value);
}

function readInteger(buffer: FastBuffer, offset: number, size: number, signed: boolean, little: boolean): number {
  checkOffset(buffer, offset, size);
  const step = little ? -1 : 1;
  let at = little ? offset + size - 1 : offset;
  let value = buffer[at]!;
  for (let left = size; left > 1; left--) value = value * 256 + buffer[(at += step)]!;
  return signed && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

function writeInteger(
  buffer: FastBuffer,
  input: unknown,
  offset: number,
  size: number,
  signed: boolean,
  little: boolean,
): number {
  const value = +(input as number);
  checkValue(value, size, signed);
  checkOffset(buffer, offset, size);
  let rest = Math.trunc(value) || 0;
  for (let at = 0; at < size; at++) {
    const byte = rest & 255;
    buffer[offset + (little ? at : size - 1 - at)] = byte;
    rest = (rest - byte) / 256;
  }
  return offset + size;
}

function checkSize(size: unknown): asserts size is number {
  if (typeof size !== "number") throw invalidType("byteLength", "of type number", size);
  if (!Number.isInteger(size)) throw outOfRange("byteLength", "an integer", size);
  if (size < 1 || size > 6) throw outOfRange("byteLength", ">= 1 and <= 6", size);
}

function checkGiven(offset: unknown): asserts offset is number {
  if (offset === undefined) throw invalidType("offset", "of type number", offset);
}

function addSized(methods: Methods, kind: string, signed: boolean, little: boolean): void {
  const end = little ? "LE" : "BE";
  methods[`read${kind}${end}`] = function (this: FastBuffer, offset: number, size: number): number {
    checkGiven(offset);
    checkSize(size);
    return readInteger(this, offset, size, signed, little);
  };
  methods[`write${kind}${end}`] = function (this: FastBuffer, value: number, offset: number, size: number): number {
    checkSize(size);
    return writeInteger(this, value, offset, size, signed, little);
  };
}

function addFixed(methods: Methods, name: string, size: number, signed: boolean, little: boolean): void {
  methods[`read${name}`] = function (this: FastBuffer, offset: number = 0): number {
    return readInteger(this, offset, size, signed, little);
  };
  methods[`write${name}`] = function (this: FastBuffer, value: number, offset: number = 0): number {
    return writeInteger(this, value, offset, size, signed, little);
  };
}

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

type ViewKind = "Float32" | "Float64" | "BigInt64" | "BigUint64";

function checkBig(value: unknown, kind: ViewKind): void {
  if (!kind.startsWith("Big")) return;
  const signed = kind === "BigInt64";
  if (typeof value !== "bigint") throw new TypeError("Cannot mix BigInt and other types, use explicit conversions");
  const [low, high] = signed ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
  if (value < low || value > high) throw outOfRange("value", rangeText(64, signed, "n"), value);
}

function addScratch(methods: Methods, name: string, kind: ViewKind, size: number): void {
  for (const little of [true, false]) {
    const end = little ? "LE" : "BE";
    methods[`read${name}${end}`] = function (this: FastBuffer, offset: number = 0): number | bigint {
      checkOffset(this, offset, size);
      for (let at = 0; at < size; at++) scratchBytes[at] = this[offset + at]!;
      return scratch[`get${kind}`](0, little);
    };
    methods[`write${name}${end}`] = function (this: FastBuffer, value: never, offset: number = 0): number {
      checkBig(value, kind);
      scratch[`set${kind}`](0, value, little);
      checkOffset(this, offset, size);
      for (let at = 0; at < size; at++) this[offset + at] = scratchBytes[at]!;
      return offset + size;
    };
  }
}

function makeMethods(): Methods {
  const methods: Methods = {};
  for (const [kind, signed] of [
    ["UInt", false],
    ["Uint", false],
    ["Int", true],
  ] as const) {
    addFixed(methods, `${kind}8`, 1, signed, true);
    for (const little of [true, false]) {
      const end = little ? "LE" : "BE";
      addSized(methods, kind, signed, little);
      addFixed(methods, `${kind}16${end}`, 2, signed, little);
      addFixed(methods, `${kind}32${end}`, 4, signed, little);
    }
  }
  addScratch(methods, "Float", "Float32", 4);
  addScratch(methods, "Double", "Float64", 8);
  addScratch(methods, "BigInt64", "BigInt64", 8);
  addScratch(methods, "BigUInt64", "BigUint64", 8);
  addScratch(methods, "BigUint64", "BigUint64", 8);
  return methods;
}

export const numberMethods = makeMethods();
