/** `createReadStream` and `createWriteStream`. The classes are made when first asked for: few scripts need streams. */

import type { Readable as AnyReadable, Writable as AnyWritable } from "node:stream";
import { kernel } from "amla:kernel";
import { Options, toInteger, toOptions, toPath } from "./arguments";
import { buffers } from "./bytes";
import * as files from "./files";
import { impatiently } from "./forms";

type Done = (error?: Error | null) => void;
type Stream = AnyReadable | AnyWritable;

/** Bytes that are read at a time. */
const CHUNK = 64 * 1024;

function make() {
  const { Readable, Writable } = require("node:stream") as {
    Readable: typeof AnyReadable;
    Writable: typeof AnyWritable;
  };

  class ReadStream extends Readable {
    bytesRead = 0;
    readonly path: unknown;
    readonly file: OpenedFile;
    private position: number | null;
    private readonly last: number;

    constructor(path: unknown, options?: unknown) {
      const chosen = toOptions(options);
      super({ highWaterMark: CHUNK, ...chosen });
      this.path = path;
      this.position = bound(chosen, "start", null);
      this.last = bound(chosen, "end", Infinity);
      this.file = new OpenedFile(this, chosen["autoClose"] !== false);
      this.file.open(path, chosen, "r");
    }

    get fd(): number | null {
      return this.file.fd;
    }

    /** In a later turn, as from a disk: a consumer gets each chunk before the next is read. */
    override _read(size: number): void {
      kernel.timers.setImmediate(() => this.readNow(size));
    }

    private readNow(size: number): void {
      if (this.fd === null) return;
      const wanted = Math.min(size, this.last + 1 - (this.position ?? this.bytesRead));
      const buffer = buffers().alloc(Math.max(0, wanted));
      const count = this.file.whenReady(
        (fd) => files.read(fd, buffer, 0, buffer.length, this.position),
        () => this.readNow(size),
      );
      if (count === undefined) return;
      this.bytesRead += count;
      if (this.position !== null) this.position += count;
      this.push(count === 0 ? null : buffer.subarray(0, count));
    }

    override _destroy(error: Error | null, done: Done): void {
      this.file.close(error, done);
    }

    close(callback?: () => void): void {
      if (callback) whenClosed(this, callback);
      this.destroy();
    }
  }

  class WriteStream extends Writable {
    bytesWritten = 0;
    readonly path: unknown;
    readonly file: OpenedFile;
    private position: number | null;

    constructor(path: unknown, options?: unknown) {
      const { encoding, ...chosen } = toOptions(options);
      super({ ...chosen, ...(encoding ? { defaultEncoding: encoding as string } : {}) });
      this.path = path;
      this.position = bound(chosen, "start", null);
      this.file = new OpenedFile(this, chosen["autoClose"] !== false);
      this.file.open(path, chosen, "w");
    }

    get fd(): number | null {
      return this.file.fd;
    }

    override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
      if (this.fd === null) return done(this.file.failure);
      files.write(this.fd, chunk, 0, chunk.length, this.position);
      this.bytesWritten += chunk.length;
      if (this.position !== null) this.position += chunk.length;
      done();
    }

    override _destroy(error: Error | null, done: Done): void {
      this.file.close(error, done);
    }

    close(callback?: () => void): void {
      if (callback) whenClosed(this, callback);
      this.end();
    }
  }

  return { ReadStream, WriteStream };
}

/** The descriptor of a stream: opened with it, and closed with it unless the options say otherwise. */
class OpenedFile {
  fd: number | null = null;
  /** Why it could not be opened; the stream fails in a later turn, when its user listens. */
  failure: Error | undefined;

  constructor(
    private readonly stream: Stream,
    private readonly closes: boolean,
  ) {}

  /** A file that can't be opened is the stream's error; a wrong argument is thrown. */
  open(path: unknown, options: Options, flags: string): void {
    try {
      this.fd =
        (options["fd"] as number | undefined) ?? files.open(toPath(path), options["flags"] ?? flags, options["mode"]);
    } catch (error) {
      if (!("syscall" in (error as Error))) throw error;
      this.failure = error as Error;
      kernel.timers.setImmediate(() => void this.stream.destroy(this.failure));
      return;
    }
    require("node:process").nextTick(() => {
      this.stream.emit("open", this.fd);
      this.stream.emit("ready");
    });
  }

  /** The result of `operation`, or undefined when it must wait; then `again` is called. */
  whenReady<T>(operation: (fd: number) => T, again: () => void): T | undefined {
    try {
      return impatiently(() => operation(this.fd!));
    } catch (error) {
      if ((error as { code?: string }).code === "EAGAIN") kernel.vfs.whenReadable(this.fd!, again);
      else this.stream.destroy(error as Error);
      return undefined;
    }
  }

  close(error: Error | null, done: Done): void {
    if (this.closes && this.fd !== null) files.close(this.fd);
    this.fd = null;
    done(error);
  }
}

function bound<T>(options: Options, name: string, absent: T): number | T {
  return options[name] === undefined ? absent : toInteger(options[name], name, 0);
}

function whenClosed(stream: Stream, callback: () => void): void {
  if (stream.closed) require("node:process").nextTick(callback);
  else stream.once("close", callback);
}

let made: ReturnType<typeof make> | undefined;

export function streams(): ReturnType<typeof make> {
  made ??= make();
  return made;
}

export const operations = {
  createReadStream: (path: unknown, options?: unknown) => new (streams().ReadStream)(path, options),
  createWriteStream: (path: unknown, options?: unknown) => new (streams().WriteStream)(path, options),
};
