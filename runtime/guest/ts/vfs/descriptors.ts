/** The table from small numbers to open file descriptions that each process has. */

import { fail } from "./errors";
import { OPEN_MAX } from "./limits";
import type { OpenFile } from "./openfile";

export class DescriptorTable {
  private readonly open = new Map<number, OpenFile>();

  get(descriptor: number): OpenFile {
    return this.open.get(descriptor) ?? fail("EBADF");
  }

  has(descriptor: number): boolean {
    return this.open.has(descriptor);
  }

  numbers(): number[] {
    return [...this.open.keys()].sort((a, b) => a - b);
  }

  /** Gives `file` the lowest free number from `least` on. */
  add(file: OpenFile, least = 0): number {
    if (this.open.size >= OPEN_MAX) fail("EMFILE", `at most ${OPEN_MAX} files may be open; close some first`);
    let descriptor = least;
    while (this.open.has(descriptor)) descriptor += 1;
    this.set(descriptor, file);
    return descriptor;
  }

  /** Gives `file` this very number, closing what had it (dup2). */
  set(descriptor: number, file: OpenFile): void {
    file.references += 1;
    if (this.open.has(descriptor)) this.close(descriptor);
    this.open.set(descriptor, file);
  }

  /** A further number, from `least` on, for what `descriptor` points to. */
  duplicate(descriptor: number, least = 0): number {
    return this.add(this.get(descriptor), least);
  }

  close(descriptor: number): void {
    const file = this.get(descriptor);
    this.open.delete(descriptor);
    file.references -= 1;
    if (file.references === 0) file.close();
  }

  closeAll(): void {
    const files = [...this.open.values()];
    this.open.clear();
    for (const file of files) {
      file.references -= 1;
      if (file.references === 0) file.close();
    }
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
