import { Buffer } from "node:buffer";
import process from "node:process";
import { coded, invalidType } from "../errors";
import { type Done, type Stream, streamError } from "./base";

export interface Entry {
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
    if (this.stream.destroyed)
      return streamError("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed");
    return undefined;
  }

  #prepare(entry: Entry): Entry {
    if (this.objectMode) return entry;
    const { chunk, encoding } = entry;
    if (typeof chunk === "string")
      return this.decodeStrings ? { ...entry, chunk: Buffer.from(chunk, encoding), encoding: "buffer" } : entry;
    if (!ArrayBuffer.isView(chunk))
      throw invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", chunk);
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
