import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import { kernel } from "amla:kernel";

/** `process.stdin`, `stdout` and `stderr`. */

const run = kernel.process;

class Output extends Writable {
  constructor(readonly fd: number) {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Uint8Array, encoding: string, done: () => void): void {
    const plain = typeof chunk !== "string" || encoding === "utf8" || encoding === "utf-8";
    run.write(this.fd, plain ? chunk : Buffer.from(chunk, encoding));
    done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    done();
  }
}

class Input extends Readable {
  readonly fd = 0;

  override _read(): void {
    const chunk = run.readStdin();
    if (chunk === undefined) run.waitStdin(() => this._read());
    else this.push(chunk.length > 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : null);
  }

  /** A paused input keeps no script alive, even if more of it is to come. */
  override pause(): this {
    run.holdStdin(false);
    return super.pause();
  }

  override resume(): this {
    run.holdStdin(true);
    return super.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    run.holdStdin(false);
    done(error);
  }

  setRawMode(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

export const stdin = new Input();
export const stdout = new Output(1);
export const stderr = new Output(2);
