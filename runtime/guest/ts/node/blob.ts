import { kernel } from "amla:kernel";
import { invalidType } from "./errors";

/** `Blob` and `File`: bytes in memory with a type. */

const { bytes: native, types } = kernel;
const inspectCustom = Symbol.for("nodejs.util.inspect.custom");
type Inspect = (value: unknown, options: object) => string;

interface BlobOptions {
  type?: string;
  endings?: "transparent" | "native";
}

const contents = new WeakMap<Blob, Uint8Array>();

function partBytes(part: unknown): Uint8Array {
  if (part instanceof Blob) return contents.get(part)!;
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  if (types.isArrayBuffer(part) || types.isSharedArrayBuffer(part)) return new Uint8Array(part as ArrayBuffer);
  return native.utf8Encode(`${part}`);
}

function join(parts: Iterable<unknown>): Uint8Array {
  const pieces = [...parts].map(partBytes);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function cleanType(type: unknown): string {
  const text = `${type}`;
  return /[^\x20-\x7e]/.test(text) ? "" : text.toLowerCase();
}

export class Blob {
  readonly #type: string;

  constructor(parts: Iterable<unknown> = [], { type = "" }: BlobOptions = {}) {
    if (typeof parts !== "object" || parts === null || !(Symbol.iterator in parts)) {
      throw invalidType("sources", "an instance of Iterable", parts);
    }
    contents.set(this, join(parts));
    this.#type = cleanType(type);
  }

  get size(): number {
    return contents.get(this)!.length;
  }
  get type(): string {
    return this.#type;
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return contents.get(this)!.slice().buffer as ArrayBuffer;
  }
  async bytes(): Promise<Uint8Array> {
    return contents.get(this)!.slice();
  }
  async text(): Promise<string> {
    return native.utf8Decode(contents.get(this)!, false, false);
  }
  slice(start?: number, end?: number, type = ""): Blob {
    return part(contents.get(this)!.slice(start, end), type);
  }
  stream(): never {
    throw new DOMException(
      "Blob.stream() is not available in the sandbox: use arrayBuffer() or text()",
      "NotSupportedError",
    );
  }
  get [Symbol.toStringTag](): string {
    return "Blob";
  }
  [inspectCustom](depth: number, options: object, inspect: Inspect): string {
    return depth < 0 ? "Blob" : `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
  }
}

function part(bytes: Uint8Array, type: string): Blob {
  return new Blob([bytes], { type });
}

export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(parts: Iterable<unknown>, name: string, options: BlobOptions & { lastModified?: number } = {}) {
    super(parts, options);
    this.#name = `${name}`;
    this.#lastModified = Math.trunc(options.lastModified ?? Date.now());
  }
  get name(): string {
    return this.#name;
  }
  get lastModified(): number {
    return this.#lastModified;
  }
  override get [Symbol.toStringTag](): string {
    return "File";
  }
  override [inspectCustom](depth: number, options: object, inspect: Inspect): string {
    const { size, type, name, lastModified } = this;
    return depth < 0 ? "File" : `File ${inspect({ size, type, name, lastModified }, options)}`;
  }
}
