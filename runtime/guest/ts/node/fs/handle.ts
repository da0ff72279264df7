/** What `fs.promises.open` resolves to. */

import { coded } from "../errors";
import { Options, toOptions } from "./arguments";
import { buffers } from "./bytes";
import * as files from "./files";
import { promised } from "./forms";
import * as meta from "./meta";

type Result = Promise<unknown>;

const DEFAULT_READ = 16 * 1024;

export class FileHandle {
  constructor(private descriptor: number) {}

  get fd(): number {
    return this.descriptor;
  }

  /** `read(buffer, offset, length, position)`, `read(buffer, options)`, `read(options)` or `read()`. */
  read(first?: unknown, offset?: unknown, length?: unknown, position?: unknown): Result {
    const plain = first === undefined || (typeof first === "object" && first !== null && !ArrayBuffer.isView(first));
    const options = (plain ? (first ?? {}) : {}) as Options;
    const buffer = plain ? (options["buffer"] ?? buffers().alloc(DEFAULT_READ)) : first;
    return this.run((fd) => {
      const bytesRead = files.read(fd, buffer, plain ? options : offset, length, position);
      return { __proto__: null, bytesRead, buffer };
    });
  }

  readv(buffers: ArrayBufferView[], position?: unknown): Result {
    return this.run((fd) => ({ __proto__: null, bytesRead: files.readv(fd, buffers, position), buffers }));
  }

  write(buffer: unknown, offset?: unknown, length?: unknown, position?: unknown): Result {
    return this.run((fd) => ({ __proto__: null, bytesWritten: files.write(fd, buffer, offset, length, position), buffer }));
  }

  writev(buffers: ArrayBufferView[], position?: unknown): Result {
    return this.run((fd) => ({ __proto__: null, bytesWritten: files.writev(fd, buffers, position), buffers }));
  }

  readFile(options?: unknown): Result {
    return this.run((fd) => files.readFile(fd, options));
  }

  writeFile(data: unknown, options?: unknown): Result {
    return this.run((fd) => files.writeFile(fd, data, options));
  }

  appendFile(data: unknown, options?: unknown): Result {
    return this.writeFile(data, options);
  }

  async *readLines(options?: unknown): AsyncGenerator<string> {
    const text = (await this.readFile({ encoding: "utf8", ...toOptions(options) })) as string;
    const lines = text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === "") lines.pop();
    yield* lines;
  }

  stat(options?: unknown): Result {
    return this.run((fd) => meta.fstat(fd, options));
  }

  truncate(length?: unknown): Result {
    return this.run((fd) => files.ftruncate(fd, length));
  }

  chmod(mode: unknown): Result {
    return this.run((fd) => meta.fchmod(fd, mode));
  }

  chown(uid: unknown, gid: unknown): Result {
    return this.run((fd) => meta.fchown(fd, uid, gid));
  }

  utimes(atime: unknown, mtime: unknown): Result {
    return this.run((fd) => meta.futimes(fd, atime, mtime));
  }

  sync(): Result {
    return this.run((fd) => files.fsync(fd));
  }

  datasync(): Result {
    return this.sync();
  }

  /** Closing twice is no error. */
  async close(): Promise<void> {
    if (this.descriptor === -1) return;
    const fd = this.descriptor;
    this.descriptor = -1;
    files.close(fd);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private run(operation: (fd: number) => unknown): Result {
    return promised(() => {
      if (this.descriptor === -1) throw coded(Error, "EBADF", "file closed");
      return operation(this.descriptor);
    })();
  }
}
