import process from "node:process";
import { applySignal, type Done, highWaterMark, Stream, type StreamOptions, streamError } from "./base";
import { type Entry, WritableSide, type WritableStream } from "./sink";

export interface WritableOptions extends StreamOptions {
  decodeStrings?: boolean;
  defaultEncoding?: string;
  write?: (chunk: never, encoding: string, done: Done) => void;
  writev?: (chunks: Entry[], done: Done) => void;
  final?: (done: Done) => void;
}

type Callback = (error?: Error | null) => void;

/** `end([chunk[, encoding]][, callback])` and `write(chunk[, encoding][, callback])`, for Writable and Duplex. */
const writableMethods = {
  write(this: Writable, chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    return this._sink.write(
      chunk,
      (encoding as string | undefined) ?? this._sink.defaultEncoding,
      done as Done | undefined,
    );
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

export function sinkOf(
  stream: WritableStream,
  options: WritableOptions & { writableObjectMode?: boolean },
): WritableSide {
  const objectMode = Boolean(options.objectMode ?? options.writableObjectMode);
  const sink = new WritableSide(
    stream,
    objectMode,
    highWaterMark(options, objectMode),
    options.decodeStrings !== false,
  );
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
