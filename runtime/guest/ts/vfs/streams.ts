/** Streams that other parts of the system feed or drain, as open files: standard input and output, later pipes. */

import { native } from "../bridge/native";
import { fail } from "./errors";
import { O_RDONLY, O_WRONLY } from "./flags";
import { Inode, S_IFIFO, USER } from "./inode";
import { OpenFile } from "./openfile";
import { describe, Status } from "./status";

export interface ByteSource {
  /** Up to `most` bytes; empty at the end; undefined while none have arrived. The receiver owns them. */
  read(most: number): Uint8Array | undefined;
  /** Everything up to the end; undefined, with nothing taken, until the end has arrived. */
  readAll(): Uint8Array | undefined;
  /** Calls `wake` once more bytes or the end have arrived. */
  wait(wake: () => void): void;
}

export interface ByteSink {
  /** `bytes` is lent for the call. */
  write(bytes: Uint8Array): void;
}

class Pipe extends Inode {
  constructor() {
    super(S_IFIFO | 0o600, USER);
  }
}

export class OpenSource extends OpenFile {
  private readonly pipe = new Pipe();

  constructor(private readonly source: ByteSource) {
    super(O_RDONLY);
  }

  override status(): Status {
    return describe(this.pipe);
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    const bytes = this.source.read(count) ?? fail("EAGAIN");
    native.bytes.copy(bytes, 0, target, offset, bytes.length);
    return bytes.length;
  }

  override readAll(): Uint8Array {
    return this.source.readAll() ?? fail("EAGAIN");
  }

  override wait(wake: () => void): void {
    this.source.wait(wake);
  }
}

export class OpenSink extends OpenFile {
  private readonly pipe = new Pipe();

  constructor(private readonly sink: ByteSink) {
    super(O_WRONLY);
  }

  override status(): Status {
    return describe(this.pipe);
  }

  override write(source: Uint8Array): number {
    this.sink.write(source);
    return source.length;
  }
}

/** A source that is at its end, for runs without input. */
export const emptySource: ByteSource = {
  read: () => new Uint8Array(0),
  readAll: () => new Uint8Array(0),
  wait: (wake) => wake(),
};
