import { Buffer } from "node:buffer";
import process from "node:process";
import { coded, invalidType } from "../errors";
import { applySignal, type Done, highWaterMark, Stream, type StreamOptions, streamError } from "./base";

export interface WritableOptions extends StreamOptions {
  decodeStrings?: boolean;
  defaultEncoding?: string;
  write?: (chunk: never, encoding: string, done: Done) => void;
  writev?: (chunks: Entry[], done: Done) => void;
  final?: (done: Done) => void;
}

interface Entry {
  chunk: unknown;
  encoding: string;
  done: Done | undefined;
}

/** A sink of chunks: one `_write` at a time, the others wait in order. */
export class WritableSide {
  readonly waiting: Entry[] = [];
  length = 0;
  busy = false;
  ending = false;
  finished = false;
  needDrain = false;
  corked = 0;
  defaultEncoding = "utf8";

  constructor(
    readonly stream: WritableStream,
    readonly objectMode: boolean,
    readonly highWaterMark: number,
    readonly decodeStrings: boolean,
  ) {}

  write(chunk: unknown, encoding: string, done?: Done): boolean {
    const { stream } = this;
    if (chunk === null) throw coded(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream");
    const refused = this.#refusal();
    if (refused) {
      process.nextTick(() => done?.(refused));
      stream.destroy(refused);
      return false;
    }
    this.waiting.push(this.#prepare({ chunk, encoding, done }));
    this.length += this.#size(this.waiting.at(-1)!.chunk);
    const room = this.length < this.highWaterMark;
    if (!room) this.needDrain = true;
    this.advance();
    return room && !stream.destroyed;
  }

  #refusal(): Error | undefined {
    if (this.ending) return streamError("ERR_STREAM_WRITE_AFTER_END", "write after end");
    if (this.stream.destroyed) return streamError("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed");
    return undefined;
  }

  #prepare(entry: Entry): Entry {
    if (this.objectMode) return entry;
    const { chunk, encoding } = entry;
    if (typeof chunk === "string") return this.decodeStrings ? { ...entry, chunk: Buffer.from(chunk, encoding), encoding: "buffer" } : entry;
    if (!ArrayBuffer.isView(chunk)) throw invalidType("chunk", "of type string or an instance of Buffer or Uint8Array", chunk);
    return { ...entry, chunk: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), encoding: "buffer" };
  }

  #size(chunk: unknown): number {
    return this.objectMode ? 1 : (chunk as { length: number }).length;
  }

  advance(): void {
    if (this.busy || this.corked > 0 || this.stream.destroyed) return;
    const entry = this.waiting.shift();
    if (entry) this.#send(entry);
    else if (this.ending) this.#finish();
  }

  #send(entry: Entry): void {
    this.busy = true;
    let sync = true;
    const settle = (error?: Error | null): void => {
      this.busy = false;
      this.length -= this.#size(entry.chunk);
      if (error) {
        entry.done?.(error);
        this.stream.destroy(error);
        return;
      }
      const after = (): void => {
        if (this.needDrain && this.length === 0 && !this.ending) {
          this.needDrain = false;
          this.stream.emit("drain");
        }
        entry.done?.();
        this.advance();
      };
      if (sync) process.nextTick(after);
      else after();
    };
    try {
      this.stream._write(entry.chunk as never, entry.encoding, settle);
    } catch (error) {
      settle(error as Error);
    }
    sync = false;
    if (!this.busy) this.advance();
  }

  end(): void {
    this.ending = true;
    this.corked = 0;
    this.advance();
  }

  #finish(): void {
    if (this.finished || this.busy) return;
    this.busy = true;
    const done = (error?: Error | null): void => {
      if (error) {
        this.stream.destroy(error);
        return;
      }
      process.nextTick(() => {
        if (this.stream.destroyed && this.stream.errored) return;
        this.finished = true;
        this.stream.emit("finish");
        this.stream._afterFinish();
      });
    };
    try {
      this.stream._final(done);
    } catch (error) {
      done(error as Error);
    }
  }
}

/** What WritableSide asks of the stream that it serves. */
export interface WritableStream extends Stream {
  _write(chunk: never, encoding: string, done: Done): void;
  _final(done: Done): void;
  _afterFinish(): void;
}

type Callback = (error?: Error | null) => void;

/** `end([chunk[, encoding]][, callback])` and `write(chunk[, encoding][, callback])`, for Writable and Duplex. */
export const writableMethods = {
  write(this: Writable, chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    return this._sink.write(chunk, (encoding as string | undefined) ?? this._sink.defaultEncoding, done as Done | undefined);
  },
  end(this: Writable, chunk?: unknown, encoding?: unknown, done?: unknown): unknown {
    if (typeof chunk === "function") [chunk, encoding, done] = [undefined, undefined, chunk];
    else if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    if (chunk !== undefined && chunk !== null) this.write(chunk as never, encoding as string);
    if (typeof done === "function") {
      if (this._sink.finished) process.nextTick(done as () => void);
      else this.once("finish", done as Callback);
    }
    this._sink.end();
    return this;
  },
  cork(this: Writable): void {
    this._sink.corked++;
  },
  uncork(this: Writable): void {
    this._sink.corked = Math.max(this._sink.corked - 1, 0);
    this._sink.advance();
  },
  setDefaultEncoding(this: Writable, encoding: string): Writable {
    this._sink.defaultEncoding = encoding;
    return this;
  },
};

const writableFacts: Record<string, (sink: WritableSide) => unknown> = {
  writable: ({ stream, ending }) => !stream.destroyed && !ending && !stream.errored,
  writableEnded: ({ ending }) => ending,
  writableFinished: ({ finished }) => finished,
  writableLength: ({ length }) => length,
  writableNeedDrain: ({ needDrain }) => needDrain,
  writableHighWaterMark: (sink) => sink.highWaterMark,
  writableObjectMode: ({ objectMode }) => objectMode,
  writableCorked: ({ corked }) => corked,
};

/** Gives a class the methods and properties of the writable side that `_sink` holds. */
export function makeWritable(prototype: object): void {
  Object.assign(prototype, writableMethods);
  for (const [name, tell] of Object.entries(writableFacts)) {
    const get = function (this: { _sink: WritableSide }): unknown {
      return tell(this._sink);
    };
    Object.defineProperty(prototype, name, { get, configurable: true });
  }
}

export function sinkOf(stream: WritableStream, options: WritableOptions & { writableObjectMode?: boolean }): WritableSide {
  const objectMode = Boolean(options.objectMode ?? options.writableObjectMode);
  const sink = new WritableSide(stream, objectMode, highWaterMark(options, objectMode), options.decodeStrings !== false);
  if (options.defaultEncoding) sink.defaultEncoding = options.defaultEncoding;
  Object.defineProperty(stream, "_sink", { value: sink });
  if (options.write) stream._write = options.write;
  if (options.final) stream._final = options.final;
  return sink;
}

export interface Writable {
  readonly writable: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly writableLength: number;
  write(chunk: unknown, encoding?: string | Callback, done?: Callback): boolean;
  end(chunk?: unknown, encoding?: string | Callback, done?: Callback): this;
  cork(): void;
  uncork(): void;
}

export class Writable extends Stream {
  declare readonly _sink: WritableSide;

  constructor(options: WritableOptions = {}) {
    super();
    if (options.destroy) this._destroy = options.destroy;
    if (options.autoDestroy === false) this.autoDestroy = false;
    if (options.emitClose === false) this.emitClose = false;
    sinkOf(this, options);
    applySignal(this, options.signal);
  }

  _write(_chunk: never, _encoding: string, done: Done): void {
    done(streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented"));
  }
  _final(done: Done): void {
    done();
  }
  _afterFinish(): void {
    if (this.autoDestroy) this.destroy();
  }
}

makeWritable(Writable.prototype);
