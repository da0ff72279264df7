import { EventEmitter } from "node:events";
import process from "node:process";
import { coded } from "../errors";

export type Done = (error?: Error | null) => void;

/** What both kinds of stream share: destruction, and the errors that come with it. */
export class Stream extends EventEmitter {
  destroyed = false;
  closed = false;
  errored: Error | null = null;
  protected autoDestroy = true;
  protected emitClose = true;

  _destroy(error: Error | null, done: Done): void {
    done(error);
  }

  destroy(error?: Error | null): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.errored = error ?? null;
    this._destroy(error ?? null, (failure) => {
      const reason = failure ?? null;
      this.errored = reason;
      process.nextTick(() => {
        if (reason) this.emit("error", reason);
        this.closed = true;
        if (this.emitClose) this.emit("close");
      });
    });
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.destroy();
    return Promise.resolve();
  }
}

export function abortError(reason?: unknown): Error {
  const error = coded(Error, "ABORT_ERR", "The operation was aborted");
  error.name = "AbortError";
  return Object.assign(error, reason === undefined ? {} : { cause: reason });
}

export function streamError(code: string, message: string): Error {
  return coded(Error, code, message);
}

/** Work to do once in a coming tick, however often it is asked for before. */
export function oncePerTick(work: () => void): () => void {
  let queued = false;
  return () => {
    if (queued) return;
    queued = true;
    process.nextTick(() => {
      queued = false;
      work();
    });
  };
}

const HIGH_WATER_MARK = 16 * 1024;
const OBJECT_HIGH_WATER_MARK = 16;

export interface StreamOptions {
  objectMode?: boolean;
  highWaterMark?: number;
  emitClose?: boolean;
  autoDestroy?: boolean;
  destroy?: (error: Error | null, done: Done) => void;
  signal?: { aborted: boolean; reason: unknown; addEventListener(type: "abort", listener: () => void): void };
}

export function applySignal(stream: Stream, signal: StreamOptions["signal"]): void {
  if (!signal) return;
  const stop = (): void => void stream.destroy(abortError(signal.reason));
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
}

export function highWaterMark(options: StreamOptions, objectMode: boolean): number {
  return options.highWaterMark ?? (objectMode ? OBJECT_HIGH_WATER_MARK : HIGH_WATER_MARK);
}
