/**
 * Open file descriptions: what an `open` makes and descriptors share. Duplicated descriptors share one, and its offset.
 * Each kind overrides what it can do; the rest is the error that a kernel gives.
 */

import { native } from "../bridge/native";
import { Errno, fail } from "./errors";
import { Directory, Inode, RegularFile } from "./inode";
import { O_ACCMODE, O_APPEND, O_RDONLY, O_WRONLY } from "./flags";
import { describe, Status } from "./status";
import type { Volume } from "./volume";

/** `null` as a position means: at the description's own offset, which then moves on. */
export type Position = number | null;

/** Bytes that are taken at once where they must be copied. */
const TAKEN_MOST = 64 * 1024;
/** Bytes between two looks at whether to go on, where they are read one by one. */
const POLLED = 4096;

/** Looks at bytes between two places, for somebody; how many it took, or undefined for none. They hold until it returns. */
export type Taker<Whose> = (bytes: Uint8Array, from: number, to: number, whose: Whose) => number | undefined;

export abstract class OpenFile {
  /** Descriptors that point here; the last one closes. */
  references = 0;

  constructor(readonly flags: number) {}

  abstract status(): Status;

  /** Reads up to `count` bytes to `target` at `offset`; 0 at the end; throws EAGAIN where a stream has nothing yet. */
  read(_target: Uint8Array, _offset: number, _count: number, _position: Position): number {
    return fail("EBADF");
  }

  /** Writes all of `source`; throws EAGAIN where a stream is full. Keeps no hold of `source`. */
  write(_source: Uint8Array, _position: Position): number {
    return fail("EBADF");
  }

  /**
   * Up to `most` bytes, without a copy where that can be: they hold until the file changes or is read again. Empty at the
   * end; undefined where a stream has nothing yet.
   */
  take(most: number): Uint8Array | undefined {
    const bytes = new Uint8Array(Math.min(most, TAKEN_MOST));
    try {
      return bytes.subarray(0, this.read(bytes, 0, bytes.length, null));
    } catch (error) {
      if (error instanceof Errno && error.code === "EAGAIN") return undefined;
      throw error;
    }
  }

  /** The bytes up to and with the next `end`, or all that are left; undefined, with nothing taken, while that isn't known. */
  takeLine(end: number): Uint8Array | undefined {
    const line: number[] = [];
    let count = 0;
    const byte = new Uint8Array(1);
    while (this.read(byte, 0, 1, null) > 0) {
      line.push(byte[0]!);
      if (byte[0] === end) break;
      if ((count += 1) % POLLED === 0) native.host.poll();
    }
    return Uint8Array.from(line);
  }

  /** Shows `taker` what lies ready in one piece, if anything does, and moves on by the bytes that it says to have taken. */
  offer<Whose>(_taker: Taker<Whose>, _whose: Whose): boolean {
    return false;
  }

  /** Whether a write would throw EAGAIN now. */
  get full(): boolean {
    return false;
  }

  /** Calls `wake` once a write that threw EAGAIN is worth trying again. */
  waitWritable(wake: () => void): void {
    wake();
  }

  /** Writes all of `owned`, which the caller gives up, at the description's own offset. */
  adopt(owned: Uint8Array): void {
    this.write(owned, null);
  }

  /** Writes a text of the shell's at the description's own offset. */
  writeText(text: string): void {
    this.write(native.text.encode(text), null);
  }

  /** Everything from the offset to the end. The result may be a view: use it before the file changes. */
  readAll(): Uint8Array {
    return fail("EBADF");
  }

  truncate(_length: number): void {
    fail("EINVAL");
  }

  /** Sets the offset and returns it. */
  seek(_offset: number, _from: "start" | "current" | "end"): number {
    return fail("ESPIPE");
  }

  /** Calls `wake` once a read that threw EAGAIN is worth trying again. */
  wait(wake: () => void): void {
    wake();
  }

  get node(): Inode | undefined {
    return undefined;
  }

  /** Settled once the other side of a pipe is there, for which an open waits; undefined where nobody has to come. */
  meet(): Promise<void> | undefined {
    return undefined;
  }

  /** Called when the last descriptor goes. */
  close(): void {}

  protected demandReadable(): void {
    if ((this.flags & O_ACCMODE) === O_WRONLY) fail("EBADF");
  }

  protected demandWritable(): void {
    if ((this.flags & O_ACCMODE) === O_RDONLY) fail("EBADF");
  }
}

export class OpenRegular extends OpenFile {
  private offset = 0;

  constructor(
    private readonly volume: Volume,
    private readonly file: RegularFile,
    flags: number,
  ) {
    super(flags);
    volume.opened(this, file);
  }

  override get node(): RegularFile {
    return this.file;
  }

  override status(): Status {
    return describe(this.file);
  }

  override read(target: Uint8Array, offset: number, count: number, position: Position): number {
    this.demandReadable();
    const done = this.file.content.read(target, offset, count, position ?? this.offset);
    if (position === null) this.offset += done;
    return done;
  }

  override write(source: Uint8Array, position: Position): number {
    this.demandWritable();
    const at = this.flags & O_APPEND ? this.file.size : (position ?? this.offset);
    this.volume.write(this.file, source, at);
    if (position === null) this.offset = at + source.length;
    return source.length;
  }

  override readAll(): Uint8Array {
    this.demandReadable();
    const rest = this.file.content.view().subarray(this.offset);
    this.offset += rest.length;
    return rest;
  }

  override take(most: number): Uint8Array {
    this.demandReadable();
    const bytes = this.file.content.view().subarray(this.offset, this.offset + most);
    this.offset += bytes.length;
    return bytes;
  }

  override takeLine(end: number): Uint8Array {
    this.demandReadable();
    const bytes = this.file.content.view();
    const at = bytes.indexOf(end, this.offset);
    const line = bytes.subarray(this.offset, at < 0 ? bytes.length : at + 1);
    this.offset += line.length;
    return line;
  }

  override offer<Whose>(taker: Taker<Whose>, whose: Whose): boolean {
    if ((this.flags & O_ACCMODE) === O_WRONLY) return false;
    const { content } = this.file;
    const taken = taker(content.buffer, this.offset, content.length, whose);
    if (taken === undefined) return false;
    this.offset += taken;
    return true;
  }

  override truncate(length: number): void {
    if ((this.flags & O_ACCMODE) === O_RDONLY) fail("EINVAL");
    this.volume.truncate(this.file, length);
  }

  override seek(offset: number, from: "start" | "current" | "end"): number {
    const base = from === "start" ? 0 : from === "end" ? this.file.size : this.offset;
    if (base + offset < 0) fail("EINVAL");
    return (this.offset = base + offset);
  }

  override close(): void {
    this.volume.closed(this, this.file);
  }
}

export class OpenDirectory extends OpenFile {
  constructor(
    readonly directory: Directory,
    flags: number,
  ) {
    super(flags);
  }

  override get node(): Directory {
    return this.directory;
  }

  override status(): Status {
    return describe(this.directory);
  }

  override read(): number {
    return fail("EISDIR");
  }

  override readAll(): Uint8Array {
    return fail("EISDIR");
  }
}
