/**
 * The bytes of one file, with spare capacity behind them so that appending is amortised O(1).
 *
 * The first `frozen` bytes of the buffer belong to the journal: they are what the file held when it was listed. A write
 * that would change one of them moves the file to a fresh buffer first. Appending never does.
 */

import { native } from "../bridge/native";
import { fail } from "./errors";

const EMPTY: Uint8Array = new Uint8Array(0);

export class Content {
  length = 0;
  private bytes = EMPTY;
  private frozen = 0;

  /** The bytes themselves, not a copy: valid until the file next changes. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** The bytes, and room for more behind them. */
  get buffer(): Uint8Array {
    return this.bytes;
  }

  /** Makes `owned` the file's bytes without a copy; the caller gives the buffer up. */
  adopt(owned: Uint8Array): void {
    this.bytes = owned;
    this.length = owned.length;
    this.frozen = 0;
  }

  /** Copies up to `count` bytes from `position` to `target` at `offset`; returns how many there were. */
  read(target: Uint8Array, offset: number, count: number, position: number): number {
    const available = Math.max(0, Math.min(count, this.length - position));
    if (available > 0) native.bytes.copy(this.bytes, position, target, offset, available);
    return available;
  }

  /** Writes `source`, which is not empty, at `position`; a gap before it reads as zeros. */
  write(source: Uint8Array, position: number): void {
    const end = position + source.length;
    const from = Math.min(position, this.length);
    this.prepare(from, Math.max(end, this.length));
    if (position > this.length) this.bytes.fill(0, this.length, position);
    this.bytes.set(source, position);
    this.length = Math.max(this.length, end);
  }

  truncate(length: number): void {
    if (length === 0) return this.adopt(EMPTY);
    if (length > this.length) {
      this.prepare(this.length, length);
      this.bytes.fill(0, this.length, length);
    }
    this.length = length;
  }

  /** From now on today's bytes, which this returns, stay as they are. */
  freeze(): Uint8Array {
    this.frozen = this.length;
    return this.bytes;
  }

  thaw(): void {
    this.frozen = 0;
  }

  /** Makes the bytes from `from` on writable, with room up to `end`. */
  private prepare(from: number, end: number): void {
    const tooSmall = end > this.bytes.length;
    if (!tooSmall && from >= this.frozen) return;
    const fresh = allocate(tooSmall ? roomFor(end, this.bytes.length) : this.bytes.length);
    fresh.set(this.view());
    this.bytes = fresh;
    this.frozen = 0;
  }
}

/** Bytes of zero. Running out of memory is, for a file, running out of space. */
export function allocate(length: number): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch {
    return fail("ENOSPC", "the sandbox's memory is full (limit: memory)");
  }
}

/** A first write gets what it asks for: most files are written once. */
function roomFor(needed: number, capacity: number): number {
  return capacity === 0 ? needed : Math.max(needed, capacity + (capacity >> 1), 64);
}
