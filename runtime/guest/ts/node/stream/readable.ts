import { Buffer } from "node:buffer";
import process from "node:process";
import { coded, invalidType } from "../errors";
import { applySignal, type Done, highWaterMark, oncePerTick, Stream, type StreamOptions, streamError } from "./base";
import { chunks, filtered, mapped, readableFrom } from "./iterate";
import { connect } from "./pipe";
import type { Writable } from "./writable";

export interface ReadableOptions extends StreamOptions {
  encoding?: string;
  read?: (size: number) => void;
  construct?: (done: Done) => void;
}

type Chunk = unknown;
type Decoder = { write(chunk: Uint8Array): string; end(): string };
type Predicate = (chunk: Chunk) => unknown;

function sizeOf(chunk: Chunk, objectMode: boolean): number {
  return objectMode ? 1 : ((chunk as { length: number }).length ?? 1);
}

/**
 * A source of chunks. It is paused until someone listens to "data", pipes or iterates; `_read` is asked for more while
 * less than `readableHighWaterMark` is buffered.
 */
export class Readable extends Stream {
  readonly readableObjectMode: boolean;
  readonly readableHighWaterMark: number;
  readableFlowing: boolean | null = null;
  readableEnded = false;
  readableAborted = false;
  readableDidRead = false;
  readableEncoding: string | null = null;
  #buffer: Chunk[] = [];
  #length = 0;
  #reading = false;
  #sourceEnded = false;
  #decoder: Decoder | undefined;
  readonly #pipes = new Map<Writable, () => void>();
  readonly #pump = oncePerTick(() => this.#flow());

  constructor(options: ReadableOptions = {}) {
    super();
    this.readableObjectMode = Boolean(
      options.objectMode ?? (options as { readableObjectMode?: boolean }).readableObjectMode,
    );
    this.readableHighWaterMark = highWaterMark(options, this.readableObjectMode);
    if (options.read) this._read = options.read;
    if (options.destroy) this._destroy = options.destroy;
    if (options.autoDestroy === false) this.autoDestroy = false;
    if (options.emitClose === false) this.emitClose = false;
    if (options.encoding) this.setEncoding(options.encoding);
    applySignal(this, options.signal);
  }

  static from(source: Iterable<Chunk> | AsyncIterable<Chunk>, options: ReadableOptions = {}): Readable {
    return readableFrom(source, options);
  }

  get readable(): boolean {
    return !this.destroyed && !this.readableEnded && !this.errored;
  }
  get readableLength(): number {
    return this.#length;
  }

  _read(_size: number): void {
    throw streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _read() method is not implemented");
  }

  /** A chunk from the source; null ends it. False asks the source to pause. */
  push(chunk: Chunk, encoding?: string): boolean {
    this.#reading = false;
    if (chunk === null) this.#endSource();
    else this.#add(this.#prepare(chunk, encoding), false);
    return !this.#sourceEnded && this.#length < this.readableHighWaterMark;
  }

  unshift(chunk: Chunk, encoding?: string): void {
    if (chunk !== null) this.#add(this.#prepare(chunk, encoding), true);
  }

  #prepare(chunk: Chunk, encoding?: string): Chunk {
    if (this.readableObjectMode) return chunk;
    if (typeof chunk !== "string" && !ArrayBuffer.isView(chunk)) {
      throw invalidType("chunk", "of type string or an instance of Buffer or Uint8Array", chunk);
    }
    const bytes =
      typeof chunk === "string"
        ? Buffer.from(chunk, encoding)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#decoder ? this.#decoder.write(bytes) : bytes;
  }

  #add(chunk: Chunk, front: boolean): void {
    if (this.#sourceEnded && !front) {
      this.destroy(streamError("ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
      return;
    }
    const size = sizeOf(chunk, this.readableObjectMode);
    if (size > 0 || this.readableObjectMode) {
      if (front) this.#buffer.unshift(chunk);
      else this.#buffer.push(chunk);
      this.#length += size;
    }
    this.#changed();
  }

  #endSource(): void {
    if (this.#sourceEnded) return;
    this.#sourceEnded = true;
    const rest = this.#decoder?.end();
    if (rest) {
      this.#buffer.push(rest);
      this.#length += rest.length;
    }
    this.#changed();
  }

  #changed(): void {
    if (this.listenerCount("readable") > 0) process.nextTick(() => this.#tellReadable());
    this.#pump();
  }

  #tellReadable(): void {
    if (!this.destroyed && (this.#length > 0 || this.#sourceEnded) && !this.readableEnded) this.emit("readable");
    this.#finishIfDrained();
  }

  /** Asks the source, unless enough is or stays buffered. */
  #fill(buffered = this.#length): void {
    if (this.#reading || this.#sourceEnded || this.destroyed || buffered >= this.readableHighWaterMark) return;
    this.#reading = true;
    try {
      this._read(this.readableHighWaterMark);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #flow(): void {
    while (this.readableFlowing && this.#buffer.length > 0 && !this.destroyed) {
      this.readableDidRead = true;
      this.emit("data", this.#take());
    }
    if (this.readableFlowing || this.listenerCount("readable") > 0) this.#fill();
    this.#finishIfDrained();
  }

  #take(): Chunk {
    const chunk = this.#buffer.shift();
    this.#length -= sizeOf(chunk, this.readableObjectMode);
    return chunk;
  }

  #finishIfDrained(): void {
    const wanted = this.readableFlowing || this.readableDidRead || this.listenerCount("readable") > 0;
    if (!this.#sourceEnded || this.#buffer.length > 0 || this.readableEnded || this.destroyed || !wanted) return;
    this.readableEnded = true;
    process.nextTick(() => {
      if (this.errored) return;
      this.emit("end");
      if (this.autoDestroy && this.endsWithRead()) this.destroy();
    });
  }

  /** Whether the end of reading is the end of the whole stream. */
  protected endsWithRead(): boolean {
    return true;
  }

  read(size?: number): Chunk {
    this.readableDidRead = true;
    this.#fill(this.#length - (this.readableObjectMode ? 1 : (size ?? this.#length)));
    if (this.#buffer.length === 0) {
      this.#finishIfDrained();
      return null;
    }
    const chunk = this.readableObjectMode ? this.#take() : this.#takeBytes(size);
    this.#pump();
    if (chunk !== null) this.emit("data", chunk);
    return chunk;
  }

  #takeBytes(size?: number): Chunk {
    if (size !== undefined && size > this.#length && !this.#sourceEnded) return null;
    const text = typeof this.#buffer[0] === "string";
    const all = text ? (this.#buffer as string[]).join("") : Buffer.concat(this.#buffer as Uint8Array[]);
    const wanted = size === undefined ? all.length : Math.min(size, all.length);
    const rest = all.slice(wanted);
    this.#buffer = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.slice(0, wanted);
  }

  override on(name: string | symbol, listener: (...args: never[]) => unknown): this {
    super.on(name, listener);
    if (name === "data" && this.readableFlowing !== false) this.resume();
    else if (name === "readable") this.#pump();
    return this;
  }

  override addListener(name: string | symbol, listener: (...args: never[]) => unknown): this {
    return this.on(name, listener);
  }

  resume(): this {
    this.readableFlowing = true;
    this.emit("resume");
    this.#pump();
    return this;
  }

  pause(): this {
    if (this.readableFlowing !== false) {
      this.readableFlowing = false;
      this.emit("pause");
    }
    return this;
  }

  isPaused(): boolean {
    return this.readableFlowing === false;
  }

  setEncoding(encoding: string): this {
    const { StringDecoder } = require("node:string_decoder");
    this.#decoder = new StringDecoder(encoding) as Decoder;
    this.readableEncoding = encoding;
    this.#buffer = this.#buffer.map((chunk) =>
      typeof chunk === "string" ? chunk : this.#decoder!.write(chunk as Uint8Array),
    );
    this.#length = this.#buffer.reduce((sum: number, chunk) => sum + sizeOf(chunk, this.readableObjectMode), 0);
    return this;
  }

  pipe<W extends Writable>(target: W, options: { end?: boolean } = {}): W {
    this.#pipes.set(target, connect(this, target, options.end !== false));
    target.emit("pipe", this);
    return target;
  }

  unpipe(target?: Writable): this {
    for (const [piped, detach] of this.#pipes) {
      if (target !== undefined && piped !== target) continue;
      detach();
      this.#pipes.delete(piped);
      piped.emit("unpipe", this);
    }
    if (this.#pipes.size === 0) this.pause();
    return this;
  }

  /** Chunks until the end; leaving early destroys the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    yield* chunks(this);
  }

  iterator(): AsyncGenerator<Chunk> {
    return this[Symbol.asyncIterator]();
  }

  async toArray(): Promise<Chunk[]> {
    const all: Chunk[] = [];
    for await (const chunk of this) all.push(chunk);
    return all;
  }

  map(change: (chunk: Chunk) => unknown): Readable {
    return readableFrom(mapped(this, change), {});
  }

  filter(test: Predicate): Readable {
    return readableFrom(filtered(this, test), {});
  }

  async forEach(visit: (chunk: Chunk) => unknown): Promise<void> {
    for await (const chunk of this) await visit(chunk);
  }

  async reduce(combine: (sum: unknown, chunk: Chunk) => unknown, ...start: unknown[]): Promise<unknown> {
    let sum = start[0];
    let begun = start.length > 0;
    for await (const chunk of this) {
      sum = begun ? await combine(sum, chunk) : chunk;
      begun = true;
    }
    if (!begun) throw coded(TypeError, "ERR_MISSING_ARGS", "Reduce of an empty stream requires an initial value");
    return sum;
  }
}
