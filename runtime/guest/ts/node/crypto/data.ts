import { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { invalidType } from "../errors";

const ACCEPTED = "of type string or an instance of Buffer, TypedArray, or DataView";

/** The bytes of a text or of any view or buffer; views share their memory. */
export function bytesFrom(name: string, value: unknown, encoding?: string, expected = ACCEPTED): Buffer {
  if (typeof value === "string") return Buffer.from(value, encoding === "buffer" ? "utf8" : encoding);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (kernel.types.isArrayBuffer(value)) return Buffer.from(value);
  if (value instanceof KeyObject) return value.export();
  throw invalidType(name, expected, value);
}

/** Bytes as a Buffer, or as text when an encoding is named. */
export function output(bytes: Uint8Array, encoding?: string): Buffer | string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === undefined || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

/** A secret key, as `createSecretKey` makes it for `createHmac`. */
export class KeyObject {
  readonly type = "secret";
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = Buffer.from(bytes);
  }
  get symmetricKeySize(): number {
    return this.#bytes.length;
  }
  export(): Buffer {
    return Buffer.from(this.#bytes);
  }
  equals(other: KeyObject): boolean {
    return this.#bytes.equals(other.export());
  }
}
