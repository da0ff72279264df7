/** The table from small numbers to open file descriptions that each process has. */

import { fail } from "./errors";
import { OPEN_MAX } from "./limits";
import { unlock } from "./locks";
import type { OpenFile } from "./openfile";

/** The last of the numbers that every process has. */
const STANDARD_MOST = 2;

export class DescriptorTable {
  private readonly open = new Map<number, OpenFile>();

  get(descriptor: number): OpenFile {
    return this.open.get(descriptor) ?? fail("EBADF");
  }

  find(descriptor: number): OpenFile | undefined {
    return this.open.get(descriptor);
  }

  has(descriptor: number): boolean {
    return this.open.has(descriptor);
  }

  numbers(): number[] {
    return [...this.open.keys()].sort((a, b) => a - b);
  }

  /** The highest free numbers up to `most`, and those above it where there are too few. */
  highest(most: number, count: number): number[] {
    const free: number[] = [];
    for (let each = most; free.length < count && each > STANDARD_MOST; each -= 1) if (!this.open.has(each)) free.push(each);
    for (let each = most + 1; free.length < count; each += 1) if (!this.open.has(each)) free.push(each);
    return free;
  }

  /** Gives `file` the highest free number up to `most`. */
  addHigh(file: OpenFile, most: number): number {
    this.demandRoom();
    const [descriptor] = this.highest(most, 1);
    this.set(descriptor!, file);
    return descriptor!;
  }

  private demandRoom(): void {
    if (this.open.size >= OPEN_MAX) fail("EMFILE", `at most ${OPEN_MAX} files may be open; close some first`);
  }

  /** Gives `file` the lowest free number from `least` on. */
  add(file: OpenFile, least = 0): number {
    this.demandRoom();
    let descriptor = least;
    while (this.open.has(descriptor)) descriptor += 1;
    this.set(descriptor, file);
    return descriptor;
  }

  /** Gives `file` this very number, closing what had it (dup2). */
  set(descriptor: number, file: OpenFile): void {
    file.references += 1;
    const before = this.open.get(descriptor);
    this.open.set(descriptor, file);
    if (before !== undefined) release(before);
  }

  /** A further number, from `least` on, for what `descriptor` points to. */
  duplicate(descriptor: number, least = 0): number {
    return this.add(this.get(descriptor), least);
  }

  close(descriptor: number): void {
    const file = this.get(descriptor);
    this.open.delete(descriptor);
    release(file);
  }

  closeAll(): void {
    const files = [...this.open.values()];
    this.open.clear();
    files.forEach(release);
  }

  /** The table that a child process starts with: its own numbers, the same descriptions. */
  clone(): DescriptorTable {
    const copy = new DescriptorTable();
    this.open.forEach((file, descriptor) => {
      file.references += 1;
      copy.open.set(descriptor, file);
    });
    return copy;
  }
}

/** One descriptor fewer points there; the last one closes. */
export function release(file: OpenFile): void {
  file.references -= 1;
  if (file.references > 0) return;
  unlock(file);
  file.close();
}
