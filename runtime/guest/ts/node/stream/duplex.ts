import { type Done, streamError } from "./base";
import { Readable, type ReadableOptions } from "./readable";
import type { WritableSide } from "./sink";
import { makeWritable, sinkOf, type Writable, type WritableOptions } from "./writable";

export type DuplexOptions = ReadableOptions &
  WritableOptions & { readableObjectMode?: boolean; writableObjectMode?: boolean; allowHalfOpen?: boolean };

export interface Duplex extends Pick<Writable, "write" | "end" | "cork" | "uncork"> {
  readonly writableFinished: boolean;
}

/** Readable and writable, the two sides independent of each other. */
export class Duplex extends Readable {
  declare readonly _sink: WritableSide;
  readonly allowHalfOpen: boolean;

  constructor(options: DuplexOptions = {}) {
    super(options);
    this.allowHalfOpen = options.allowHalfOpen !== false;
    sinkOf(this, options);
    if (!this.allowHalfOpen) this.once("end", () => this.end());
  }

  _write(_chunk: never, _encoding: string, done: Done): void {
    done(streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented"));
  }
  _final(done: Done): void {
    done();
  }
  _afterFinish(): void {
    if (this.autoDestroy && this.readableEnded) this.destroy();
  }
  protected override endsWithRead(): boolean {
    return this._sink.finished;
  }
}

makeWritable(Duplex.prototype);

type Produced = (error?: Error | null, chunk?: unknown) => void;

export type TransformOptions = DuplexOptions & {
  transform?: (chunk: never, encoding: string, done: Produced) => void;
  flush?: (done: Produced) => void;
};

/** What is written comes out changed. A write is done once what it produced fits the readable side. */
export class Transform extends Duplex {
  #resume: (() => void) | undefined;

  constructor(options: TransformOptions = {}) {
    super(options);
    if (options.transform) this._transform = options.transform;
    if (options.flush) this._flush = options.flush;
  }

  _transform(_chunk: never, _encoding: string, done: Produced): void {
    done(streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _transform() method is not implemented"));
  }

  _flush(done: Produced): void {
    done();
  }

  override _write(chunk: never, encoding: string, done: Done): void {
    this._transform(chunk, encoding, (error, produced) => {
      if (error) done(error);
      else if (produced === undefined || produced === null || this.push(produced)) done();
      else this.#resume = done;
    });
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _final(done: Done): void {
    this._flush((error, produced) => {
      if (error) {
        done(error);
        return;
      }
      if (produced !== undefined && produced !== null) this.push(produced);
      this.push(null);
      done();
    });
  }
}

export class PassThrough extends Transform {
  override _transform(chunk: never, _encoding: string, done: Produced): void {
    done(null, chunk);
  }
}
