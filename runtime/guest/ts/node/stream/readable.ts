import process from "node:process";
import { applySignal, type Done, highWaterMark, oncePerTick, Stream, type StreamOptions, streamError } from "./base";
import { chunks, filtered, mapped, readableFrom, reduced } from "./iterate";
import { connect } from "./pipe";
import { ChunkQueue } from "./queue";
import type { Writable } from "./writable";

export interface ReadableOptions extends StreamOptions {
  encoding?: string;
  read?: (size: number) => void;
  construct?: (done: Done) => void;
}

type Chunk = unknown;
type Predicate = (chunk: Chunk) => unknown;

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
  #reading = false;
  #sourceEnded = false;
  readonly #queue: ChunkQueue;
  readonly #pipes = new Map<Writable, () => void>();
  readonly #pump = oncePerTick(() => this.#flow());

  constructor(options: ReadableOptions = {}) {
    super();
    this.readableObjectMode = Boolean(
      options.objectMode ?? (options as { readableObjectMode?: boolean }).readableObjectMode,
    );
    this.#queue = new ChunkQueue(this.readableObjectMode);
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
    return this.#queue.length;
  }

  _read(_size: number): void {
    throw streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _read() method is not implemented");
  }

  /** A chunk from the source; null ends it. False asks the source to pause. */
  push(chunk: Chunk, encoding?: string): boolean {
    this.#reading = false;
    if (chunk === null) this.#endSource();
    else if (this.#sourceEnded) this.destroy(streamError("ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
    else this.#add(chunk, encoding, false);
    return !this.#sourceEnded && this.#queue.length < this.readableHighWaterMark;
  }

  unshift(chunk: Chunk, encoding?: string): void {
    if (chunk !== null) this.#add(chunk, encoding, true);
  }

  #add(chunk: Chunk, encoding: string | undefined, front: boolean): void {
    this.#queue.add(chunk, encoding, front);
    this.#changed();
  }

  #endSource(): void {
    if (this.#sourceEnded) return;
    this.#sourceEnded = true;
    this.#queue.end();
    this.#changed();
  }

  #changed(): void {
    if (this.listenerCount("readable") > 0) process.nextTick(() => this.#tellReadable());
    this.#pump();
  }

  #tellReadable(): void {
    if (!this.destroyed && (this.#queue.length > 0 || this.#sourceEnded) && !this.readableEnded) this.emit("readable");
    this.#finishIfDrained();
  }

  /** Asks the source, unless enough is or stays buffered. */
  #fill(buffered = this.#queue.length): void {
    if (this.#reading || this.#sourceEnded || this.destroyed || buffered >= this.readableHighWaterMark) return;
    this.#reading = true;
    try {
      this._read(this.readableHighWaterMark);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #flow(): void {
    while (this.readableFlowing && !this.#queue.empty && !this.destroyed) {
      this.readableDidRead = true;
      this.emit("data", this.#queue.take());
    }
    if (this.readableFlowing || this.listenerCount("readable") > 0) this.#fill();
    this.#finishIfDrained();
  }

  #finishIfDrained(): void {
    const wanted = this.readableFlowing || this.readableDidRead || this.listenerCount("readable") > 0;
    if (!this.#sourceEnded || !this.#queue.empty || this.readableEnded || this.destroyed || !wanted) return;
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
    this.#fill(this.#queue.length - (this.readableObjectMode ? 1 : (size ?? this.#queue.length)));
    if (this.#queue.empty) {
      this.#finishIfDrained();
      return null;
    }
    if (size !== undefined && size > this.#queue.length && !this.#sourceEnded && !this.readableObjectMode) return null;
    const chunk = this.readableObjectMode ? this.#queue.take() : this.#queue.takeBytes(size);
    this.#pump();
    if (chunk !== null) this.emit("data", chunk);
    return chunk;
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
    this.#queue.decodeAs(encoding);
    this.readableEncoding = encoding;
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

  reduce(combine: (sum: unknown, chunk: Chunk) => unknown, ...start: unknown[]): Promise<unknown> {
    return reduced(this, combine, start);
  }
}
