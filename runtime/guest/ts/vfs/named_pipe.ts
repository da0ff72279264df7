/** Pipes with a name: what one process writes there another reads. Their bytes are no part of the files. */

import { O_ACCMODE, O_RDONLY, O_WRONLY } from "./flags";
import { Inode, S_IFIFO } from "./inode";
import type { OpenFile } from "./openfile";
import { Queue, ReadEnd, WriteEnd } from "./pipe";

export class NamedPipe extends Inode {
  private readers = 0;
  private writers = 0;
  private queue: Queue | undefined;
  /** Whether both sides have been open at once since there are bytes. */
  private met = false;
  private readonly awaited: Record<"readers" | "writers", (() => void)[]> = { readers: [], writers: [] };

  constructor(permissions: number, uid: number) {
    super(S_IFIFO | permissions, uid);
  }

  open(flags: number): OpenFile {
    const queue = (this.queue ??= new Queue(undefined, this));
    const mode = flags & O_ACCMODE;
    if (mode !== O_WRONLY) this.readers += 1;
    if (mode !== O_RDONLY) this.writers += 1;
    queue.readable ||= this.readers > 0;
    queue.writable ||= this.writers > 0;
    this.met ||= this.readers > 0 && this.writers > 0;
    if (mode !== O_WRONLY) for (const wake of this.awaited.readers.splice(0)) wake();
    if (mode !== O_RDONLY) for (const wake of this.awaited.writers.splice(0)) wake();
    if (mode === O_RDONLY) return new NamedReadEnd(queue, this);
    return mode === O_WRONLY ? new NamedWriteEnd(queue, this) : new BothEnds(queue, this);
  }

  /** Settled once there is somebody at the other side; undefined where there is. */
  meet(side: "readers" | "writers"): Promise<void> | undefined {
    if (this[side] > 0 || (side === "writers" && this.queue !== undefined && this.queue.size > 0)) return undefined;
    return new Promise<void>((wake) => this.awaited[side].push(wake));
  }

  leave(readers: number, writers: number): void {
    this.readers -= readers;
    this.writers -= writers;
    const { queue } = this;
    if (queue === undefined) return;
    if (this.readers === 0 && readers > 0) queue.readable = false;
    if (this.writers === 0 && writers > 0) queue.writable = false;
    queue.changed();
    if (this.readers === 0 && this.writers === 0 && this.met) this.reset();
  }

  /** As if nobody had opened it: for the end of a run. */
  reset(): void {
    this.readers = this.writers = 0;
    this.queue = undefined;
    this.met = false;
    this.awaited.readers.length = this.awaited.writers.length = 0;
  }
}

class NamedReadEnd extends ReadEnd {
  constructor(
    queue: Queue,
    private readonly pipe: NamedPipe,
  ) {
    super(queue);
  }

  override meet(): Promise<void> | undefined {
    return this.pipe.meet("writers");
  }

  override close(): void {
    this.pipe.leave(1, 0);
  }
}

class NamedWriteEnd extends WriteEnd {
  constructor(
    queue: Queue,
    private readonly pipe: NamedPipe,
  ) {
    super(queue);
  }

  override meet(): Promise<void> | undefined {
    return this.pipe.meet("readers");
  }

  override close(): void {
    this.pipe.leave(0, 1);
  }
}

/** `<>`: never waits for anybody. */
class BothEnds extends ReadEnd {
  private readonly writer: WriteEnd;

  constructor(
    queue: Queue,
    private readonly pipe: NamedPipe,
  ) {
    super(queue);
    this.writer = new WriteEnd(queue);
  }

  override write(source: Uint8Array): number {
    return this.writer.write(source);
  }

  override adopt(owned: Uint8Array): void {
    this.writer.adopt(owned);
  }

  override get full(): boolean {
    return this.writer.full;
  }

  override waitWritable(wake: () => void): void {
    this.writer.waitWritable(wake);
  }

  override close(): void {
    this.pipe.leave(1, 1);
  }
}
