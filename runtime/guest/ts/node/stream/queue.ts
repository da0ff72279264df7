import { Buffer } from "node:buffer";
import { invalidType } from "../errors";

type Chunk = unknown;
type Decoder = { write(chunk: Uint8Array): string; end(): string };

/** What a readable stream holds: chunks in order, decoded once an encoding is set. */
export class ChunkQueue {
  /** Bytes or text units held; chunks in object mode. */
  length = 0;
  #chunks: Chunk[] = [];
  #decoder: Decoder | undefined;

  constructor(readonly objectMode: boolean) {}

  #size(chunk: Chunk): number {
    return this.objectMode ? 1 : ((chunk as { length: number }).length ?? 1);
  }

  get empty(): boolean {
    return this.#chunks.length === 0;
  }

  /** Puts a chunk at the end or the front; empty ones mean nothing. */
  add(chunk: Chunk, encoding: string | undefined, front: boolean): void {
    const ready = this.objectMode ? chunk : this.#prepare(chunk, encoding);
    if (this.#size(ready) === 0) return;
    if (front) this.#chunks.unshift(ready);
    else this.#chunks.push(ready);
    this.length += this.#size(ready);
  }

  #prepare(chunk: Chunk, encoding: string | undefined): string | Buffer {
    if (typeof chunk !== "string" && !ArrayBuffer.isView(chunk)) {
      throw invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", chunk);
    }
    const bytes =
      typeof chunk === "string"
        ? Buffer.from(chunk, encoding)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#decoder ? this.#decoder.write(bytes) : bytes;
  }

  /** The source is done: an unfinished character comes out as it is. */
  end(): void {
    const rest = this.#decoder?.end();
    if (!rest) return;
    this.#chunks.push(rest);
    this.length += rest.length;
  }

  /** What is held already becomes one text. */
  decodeAs(encoding: string): void {
    const { StringDecoder } = require("node:string_decoder");
    const decoder = new StringDecoder(encoding) as Decoder;
    this.#decoder = decoder;
    const decoded = this.#chunks.map((chunk) => (typeof chunk === "string" ? chunk : decoder.write(chunk as Uint8Array)));
    const text = decoded.join("");
    this.#chunks = text === "" ? [] : [text];
    this.length = text.length;
  }

  take(): Chunk {
    const chunk = this.#chunks.shift();
    this.length -= this.#size(chunk);
    return chunk;
  }

  /** So much of all chunks in one, all when `size` is undefined. */
  takeBytes(size: number | undefined): Chunk {
    const text = typeof this.#chunks[0] === "string";
    const all = text ? (this.#chunks as string[]).join("") : Buffer.concat(this.#chunks as Uint8Array[]);
    const wanted = size === undefined ? all.length : Math.min(size, all.length);
    const rest = all.slice(wanted);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return all.slice(0, wanted);
  }
}
