import { kernel } from "amla:kernel";
import { bytesOf, FastBuffer, isAnyBuffer, MAX_LENGTH, MAX_STRING_LENGTH } from "./buffer/base";
import { alloc, allocUnsafe, byteLength, concat, copyBytesFrom, from, of, transcode } from "./buffer/create";
import { findEncoding } from "./buffer/encodings";
import { fill } from "./buffer/fill";
import { numberMethods } from "./buffer/numbers";
import { compareBytes, searchMethods } from "./buffer/search";
import { shown, textMethods } from "./buffer/text";
import { invalidType } from "./errors";
import { lazily } from "./lazily";

/** The instance side as the other modules use it. */
export interface Buffer extends Uint8Array {
  toString(encoding?: string, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  subarray(start?: number, end?: number): Buffer;
  toJSON(): { type: "Buffer"; data: number[] };
}

export interface BufferConstructor {
  new (value: unknown, encodingOrOffset?: unknown, length?: unknown): Buffer;
  (value: unknown, encodingOrOffset?: unknown, length?: unknown): Buffer;
  prototype: Buffer;
  poolSize: number;
  from(value: unknown, encodingOrOffset?: unknown, length?: unknown): Buffer;
  of(...items: number[]): Buffer;
  alloc(size: number, value?: unknown, encoding?: string): Buffer;
  allocUnsafe(size: number): Buffer;
  allocUnsafeSlow(size: number): Buffer;
  isBuffer(value: unknown): value is Buffer;
  isEncoding(name: unknown): boolean;
  byteLength(value: unknown, encoding?: string): number;
  compare(a: Uint8Array, b: Uint8Array): number;
  concat(list: readonly Uint8Array[], length?: number): Buffer;
  copyBytesFrom(view: ArrayBufferView, offset?: number, length?: number): Buffer;
}

/** The old form: a number is a size, all else is Buffer.from. */
function makeBuffer(value: unknown, encodingOrOffset: unknown, length: unknown): FastBuffer {
  if (typeof value !== "number") return from(value, encodingOrOffset, length);
  if (typeof encodingOrOffset === "string") throw invalidType("string", "of type string", value);
  return alloc(value);
}

const statics = {
  poolSize: 8192,
  from,
  copyBytesFrom,
  of,
  alloc,
  allocUnsafe,
  allocUnsafeSlow: allocUnsafe,
  isBuffer: (value: unknown): boolean => value instanceof FastBuffer,
  compare: compareBytes,
  isEncoding: (name: unknown): boolean => findEncoding(name) !== undefined,
  concat,
  byteLength,
};

/** An old name for a property of views; absent elsewhere, also on the prototype itself. */
function viewed(name: "buffer" | "byteOffset"): (this: unknown) => unknown {
  return function (this: unknown): unknown {
    return this instanceof FastBuffer ? this[name] : undefined;
  };
}

function assemble(): BufferConstructor {
  const made = function (value: unknown, encodingOrOffset: unknown, length: unknown): FastBuffer {
    return makeBuffer(value, encodingOrOffset, length);
  };
  const prototype = FastBuffer.prototype;
  Object.assign(prototype, numberMethods, searchMethods, textMethods, { fill });
  Object.defineProperties(prototype, {
    constructor: { value: made, writable: true, configurable: true },
    parent: { get: viewed("buffer"), enumerable: true },
    offset: { get: viewed("byteOffset"), enumerable: true },
  });
  Object.setPrototypeOf(made, Uint8Array);
  Object.defineProperties(made, { name: { value: "Buffer" }, [Symbol.species]: { get: () => FastBuffer } });
  return Object.assign(made, statics, { prototype }) as unknown as BufferConstructor;
}

export const Buffer = assemble();
export const SlowBuffer = (size: number): Buffer => allocUnsafe(size) as unknown as Buffer;
export const constants = { MAX_LENGTH, MAX_STRING_LENGTH };
export const kMaxLength = MAX_LENGTH;
export const kStringMaxLength = MAX_STRING_LENGTH;

function asBytes(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return bytesOf(value);
  if (isAnyBuffer(value)) return new Uint8Array(value);
  throw invalidType("input", "an instance of ArrayBuffer, Buffer, or TypedArray", value);
}

export const isUtf8 = (input: unknown): boolean => kernel.bytes.isUtf8(asBytes(input));
export const isAscii = (input: unknown): boolean => kernel.bytes.isAscii(asBytes(input));

export { atob, btoa } from "./buffer/base64";
export { transcode };

lazily(module.exports, {
  Blob: () => require("amla:blob").Blob,
  File: () => require("amla:blob").File,
});
Object.defineProperty(module.exports, "INSPECT_MAX_BYTES", {
  get: () => shown.limit,
  set: (limit: number) => {
    shown.limit = limit;
  },
  enumerable: true,
  configurable: true,
});
