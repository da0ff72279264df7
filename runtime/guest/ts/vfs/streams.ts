/** Streams that other parts of the system feed or drain, as open files: standard input and output, later pipes. */

import { joinedBytes } from "../bridge/bytes";
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
  /** Bytes are lent for the call; a text is ASCII. */
  write(data: Uint8Array | string): void;
}

const NONE = new Uint8Array(0);
/** Bytes asked for at once when a line is looked for. */
const MOST = 64 * 1024;

class Pipe extends Inode {
  constructor() {
    super(S_IFIFO | 0o600, USER);
  }
}

export class OpenSource extends OpenFile {
  /** Made when somebody asks: nearly nobody does, and each run has three. */
  private pipe: Pipe | undefined;
  /** Bytes that came with a line but belong behind it. */
  private rest: Uint8Array = NONE;

  constructor(private readonly source: ByteSource) {
    super(O_RDONLY);
  }

  override get node(): Inode {
    return (this.pipe ??= new Pipe());
  }

  override status(): Status {
    return describe(this.node);
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    const bytes = this.take(count) ?? fail("EAGAIN");
    native.bytes.copy(bytes, 0, target, offset, bytes.length);
    return bytes.length;
  }

  override take(most: number): Uint8Array | undefined {
    if (this.rest.length === 0) return this.source.read(most);
    const taken = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(taken.length);
    return taken;
  }

  override takeLine(end: number): Uint8Array | undefined {
    let from = 0;
    for (;;) {
      const at = this.rest.indexOf(end, from);
      if (at >= 0) return this.take(at + 1);
      from = this.rest.length;
      const more = this.source.read(MOST);
      if (more === undefined) return undefined;
      if (more.length === 0) return this.rest.length > 0 ? this.take(this.rest.length) : NONE;
      this.rest = this.rest.length === 0 ? more : joinedBytes([this.rest, more]);
    }
  }

  override readAll(): Uint8Array {
    const bytes = this.source.readAll() ?? fail("EAGAIN");
    if (this.rest.length === 0) return bytes;
    const whole = joinedBytes([this.rest, bytes]);
    this.rest = NONE;
    return whole;
  }

  override wait(wake: () => void): void {
    this.source.wait(wake);
  }
}

export class OpenSink extends OpenFile {
  /** Made when somebody asks: nearly nobody does, and each run has three. */
  private pipe: Pipe | undefined;

  constructor(private readonly sink: ByteSink) {
    super(O_WRONLY);
  }

  override get node(): Inode {
    return (this.pipe ??= new Pipe());
  }

  override status(): Status {
    return describe(this.node);
  }

  override write(source: Uint8Array): number {
    this.sink.write(source);
    return source.length;
  }

  override writeText(text: string): void {
    if (native.bytes.utf8Length(text) === text.length) this.sink.write(text);
    else super.writeText(text);
  }
}
