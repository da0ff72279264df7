import { kernel } from "amla:kernel";
import { invalidType } from "../errors";

/**
 * What stands behind `Buffer`: Uint8Array with a prototype of its own. Scripts see the function `Buffer`, which may
 * be called with or without `new`; the class exists for `super()`.
 */
export class FastBuffer extends Uint8Array {
  /** Results of map, filter and the like. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return FastBuffer as unknown as Uint8ArrayConstructor;
  }
}

export type Bytes = Uint8Array;

export const MAX_LENGTH = 2 ** 32;
export const MAX_STRING_LENGTH = 2 ** 29 - 24;

const { types } = kernel;

/** Gives bytes that nobody else holds the Buffer prototype, without a copy. */
export function adopt(bytes: Uint8Array): FastBuffer {
  return Object.setPrototypeOf(bytes, FastBuffer.prototype) as FastBuffer;
}

export function isBytes(value: unknown): value is Uint8Array {
  return types.typedArrayName(value) === "Uint8Array";
}

export function isAnyBuffer(value: unknown): value is ArrayBuffer {
  return types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);
}

export function requireBytes(name: string, value: unknown): asserts value is Uint8Array {
  if (!isBytes(value)) throw invalidType(name, "an instance of Buffer or Uint8Array", value);
}

/** The bytes behind a view, as a plain Uint8Array on the same memory. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
