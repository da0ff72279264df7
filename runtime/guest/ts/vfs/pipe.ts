/** Pipes: a bounded queue of bytes between open files. */

import { fail } from "./errors";
import { O_RDONLY, O_WRONLY } from "./flags";
import { Inode, S_IFIFO, USER } from "./inode";
import { OpenFile, type Taker } from "./openfile";
import { describe, type Status } from "./status";

/** Bytes that a pipe holds before its writer waits, as on Linux. */
const CAPACITY = 64 * 1024;

class Fifo extends Inode {
  constructor() {
    super(S_IFIFO | 0o600, USER);
  }
}

export class Queue {
  chunks: Uint8Array[] = [];
  size = 0;
  readable = true;
  writable = true;
  private waiting: (() => void)[] = [];
  /** How many chunks are known to be without the byte that was sought last. */
  searched = 0;
  private sought = -1;

  constructor(
    public capacity = CAPACITY,
    readonly node: Inode = new Fifo(),
  ) {}

  wait(wake: () => void): void {
    this.waiting.push(wake);
  }

  changed(): void {
    if (this.waiting.length === 0) return;
    const woken = this.waiting;
    this.waiting = [];
    for (const wake of woken) wake();
  }

  /** Bytes up to and with the first `end`; looks into no chunk twice for the same one. */
  lineLength(end: number): number | undefined {
    if (this.sought !== end) this.searched = 0;
    this.sought = end;
    let before = 0;
    for (let index = 0; index < this.chunks.length; index += 1) {
      const chunk = this.chunks[index]!;
      const at = index < this.searched ? -1 : chunk.indexOf(end);
      if (at >= 0) return before + at + 1;
      before += chunk.length;
    }
    this.searched = this.chunks.length;
    return undefined;
  }

  /** All chunks as one. */
  whole(): Uint8Array {
    if (this.chunks.length === 1) return this.chunks[0]!;
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.chunks = bytes.length > 0 ? [bytes] : [];
    this.searched = 0;
    return bytes;
  }
}

export class ReadEnd extends OpenFile {
  constructor(private readonly queue: Queue) {
    super(O_RDONLY);
  }

  override get node(): Inode {
    return this.queue.node;
  }

  override status(): Status {
    return describe(this.queue.node);
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    const bytes = this.take(count) ?? fail("EAGAIN");
    target.set(bytes, offset);
    return bytes.length;
  }

  override take(most: number): Uint8Array | undefined {
    const { queue } = this;
    const first = queue.chunks[0];
    queue.searched = 0;
    if (first === undefined) return queue.writable ? undefined : new Uint8Array(0);
    if (first.length <= most) queue.chunks.shift();
    else queue.chunks[0] = first.subarray(most);
    const taken = first.length <= most ? first : first.subarray(0, most);
    queue.size -= taken.length;
    queue.changed();
    return taken;
  }

  override takeLine(end: number): Uint8Array | undefined {
    const { queue } = this;
    const length = queue.lineLength(end);
    if (length === undefined && !queue.writable) return this.takeWhole(queue.size);
    if (length !== undefined) return this.takeWhole(length);
    if (queue.size >= queue.capacity) {
      // A line that is longer than the pipe must not stall its writer.
      queue.capacity *= 2;
      queue.changed();
    }
    return undefined;
  }

  /** As `take`, in one piece, of bytes that are there. */
  private takeWhole(length: number): Uint8Array | undefined {
    if ((this.queue.chunks[0]?.length ?? 0) < length) this.queue.whole();
    return this.take(length);
  }

  override offer<Whose>(taker: Taker<Whose>, whose: Whose): boolean {
    const first = this.queue.chunks[0];
    const taken = first && taker(first, 0, first.length, whose);
    if (taken === undefined) return false;
    this.take(taken);
    return true;
  }

  override readAll(): Uint8Array {
    if (this.queue.writable) fail("EAGAIN");
    const bytes = this.queue.whole();
    this.queue.chunks = [];
    this.queue.size = 0;
    return bytes;
  }

  override wait(wake: () => void): void {
    this.queue.wait(wake);
  }

  override close(): void {
    this.queue.readable = false;
    this.queue.chunks = [];
    this.queue.changed();
  }
}

export class WriteEnd extends OpenFile {
  constructor(private readonly queue: Queue) {
    super(O_WRONLY);
  }

  override get node(): Inode {
    return this.queue.node;
  }

  override status(): Status {
    return describe(this.queue.node);
  }

  override write(source: Uint8Array): number {
    this.adopt(source.slice());
    return source.length;
  }

  override adopt(owned: Uint8Array): void {
    const { queue } = this;
    if (!queue.readable) fail("EPIPE");
    if (queue.size >= queue.capacity) fail("EAGAIN");
    if (owned.length === 0) return;
    queue.chunks.push(owned);
    queue.size += owned.length;
    queue.changed();
  }

  override get full(): boolean {
    return this.queue.readable && this.queue.size >= this.queue.capacity;
  }

  override waitWritable(wake: () => void): void {
    this.queue.wait(wake);
  }

  override close(): void {
    this.queue.writable = false;
    this.queue.changed();
  }
}

/** The read end of a pipe whose writer has written all and gone. */
export class Remains extends OpenFile {
  private at = 0;
  private fifo: Fifo | undefined;

  constructor(private readonly bytes: Uint8Array) {
    super(O_RDONLY);
  }

  override get node(): Inode {
    return (this.fifo ??= new Fifo());
  }

  override status(): Status {
    return describe(this.node);
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    const bytes = this.take(count);
    target.set(bytes, offset);
    return bytes.length;
  }

  override take(most: number): Uint8Array {
    const from = this.at;
    this.at = Math.min(from + most, this.bytes.length);
    return this.bytes.subarray(from, this.at);
  }

  override takeLine(end: number): Uint8Array {
    const found = this.bytes.indexOf(end, this.at);
    return this.take((found < 0 ? this.bytes.length : found + 1) - this.at);
  }

  override offer<Whose>(taker: Taker<Whose>, whose: Whose): boolean {
    const taken = this.at < this.bytes.length ? taker(this.bytes, this.at, this.bytes.length, whose) : undefined;
    if (taken === undefined) return false;
    this.at += taken;
    return true;
  }

  override readAll(): Uint8Array {
    return this.take(this.bytes.length);
  }
}

/** The read end of a pipe that holds the bytes and has no writer any more; undefined where they do not fit into one. */
export function filledPipe(owned: Uint8Array): OpenFile | undefined {
  return owned.length > CAPACITY ? undefined : new Remains(owned);
}

/** A pipe's read end and write end. */
export function createPipe(capacity?: number): [OpenFile, OpenFile] {
  const queue = new Queue(capacity);
  return [new ReadEnd(queue), new WriteEnd(queue)];
}
