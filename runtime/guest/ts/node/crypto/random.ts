import { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { invalidType, outOfRange, requireFunction, requireInteger } from "../errors";

const { random: native, types } = kernel;

type Done<T> = (error: Error | null, value: T) => void;

/** Hands a result over as Node does: at once, or to a callback in a later turn. */
export function deliver<T>(value: T, done: Done<T> | undefined): T | undefined {
  if (done === undefined) return value;
  requireFunction("callback", done);
  setImmediate(() => done(null, value));
  return undefined;
}

function setImmediate(callback: () => void): void {
  kernel.timers.setImmediate(callback);
}

const MOST = 2 ** 31 - 1;

function filled(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  native.fill(bytes);
  return bytes;
}

export function randomBytes(size: number, done?: Done<Buffer>): Buffer | undefined {
  if (typeof size !== "number") throw invalidType("size", "of type number", size);
  if (!(size >= 0 && size <= MOST)) throw outOfRange("size", `>= 0 && <= ${MOST}`, size);
  return deliver(filled(Math.trunc(size)), done);
}

function bytesOf(view: ArrayBufferView | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
}

export function randomFillSync<T extends ArrayBufferView | ArrayBuffer>(target: T, offset = 0, size?: number): T {
  if (!ArrayBuffer.isView(target) && !types.isArrayBuffer(target)) {
    throw invalidType("buf", "an instance of ArrayBuffer or ArrayBufferView", target);
  }
  const bytes = bytesOf(target);
  requireInteger("offset", offset, 0, bytes.length);
  const length = size ?? bytes.length - offset;
  requireInteger("size", length, 0, bytes.length - offset);
  native.fill(bytes.subarray(offset, offset + length));
  return target;
}

export function randomFill<T extends ArrayBufferView>(target: T, ...rest: unknown[]): void {
  const done = rest.at(-1) as Done<T>;
  requireFunction("callback", done);
  deliver(randomFillSync(target, ...(rest.slice(0, -1) as [number?, number?])), done);
}

const RANGE = 2 ** 48;

/** Below `range`, each value as likely: draws that would favour the low ones are drawn again. */
function below(range: number): number {
  const limit = RANGE - (RANGE % range);
  for (;;) {
    const drawn = (filled(6) as Buffer & { readUIntBE(offset: number, size: number): number }).readUIntBE(0, 6);
    if (drawn < limit) return drawn % range;
  }
}

/** `randomInt([min, ]max[, callback])`: min ≤ n < max. */
export function randomInt(...args: unknown[]): number | undefined {
  const done = typeof args.at(-1) === "function" ? (args.pop() as Done<number>) : undefined;
  const [min, max] = args.length < 2 ? [0, args[0]] : args;
  for (const [name, value] of Object.entries({ min, max })) {
    if (!Number.isSafeInteger(value)) throw invalidType(name, "a safe integer", value);
  }
  const [low, high] = [min as number, max as number];
  if (high <= low) throw outOfRange("max", `greater than the value of "min" (${low})`, high);
  if (high - low >= RANGE) throw outOfRange(args.length < 2 ? "max" : "max - min", `<= ${RANGE - 1}`, high - low);
  return deliver(low + below(high - low), done);
}

export function randomUUID(): string {
  const bytes = filled(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const QUOTA = 65536;

export function getRandomValues<T extends ArrayBufferView>(array: T): T {
  const name = types.typedArrayName(array);
  if (name === undefined || name.startsWith("Float")) {
    throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
  }
  if (array.byteLength > QUOTA) {
    const message = `The requested length exceeds 65,536 bytes`;
    throw new DOMException(message, "QuotaExceededError");
  }
  return randomFillSync(array);
}

export function timingSafeEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
  for (const [name, value] of Object.entries({ buf1: a, buf2: b })) {
    if (!ArrayBuffer.isView(value) && !types.isArrayBuffer(value)) {
      const message = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
      throw Object.assign(new TypeError(message), { code: "ERR_INVALID_ARG_TYPE" });
    }
  }
  const [left, right] = [bytesOf(a), bytesOf(b)];
  if (left.length !== right.length) {
    const message = "Input buffers must have the same byte length";
    throw Object.assign(new RangeError(message), { code: "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH" });
  }
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= left[at]! ^ right[at]!;
  return difference === 0;
}
