/** What redirections changed of a descriptor table, to be put back. */

import { release, type DescriptorTable } from "../../vfs/descriptors";
import type { OpenFile } from "../../vfs/openfile";

export class Saved {
  private readonly numbers: number[] = [];
  /** What each number stood for, if anything. */
  private readonly files: (OpenFile | undefined)[] = [];

  constructor(private readonly descriptors: DescriptorTable) {}

  /** Holds what the number stands for now. */
  keep(number: number): void {
    const file = this.descriptors.find(number);
    if (file !== undefined) file.references += 1;
    this.numbers.push(number);
    this.files.push(file);
  }

  /** Puts all back, the last first. */
  restore(): void {
    const { numbers, files, descriptors } = this;
    while (numbers.length > 0) {
      const number = numbers.pop()!;
      const file = files.pop();
      if (file !== undefined) {
        descriptors.set(number, file);
        release(file);
      } else if (descriptors.has(number)) descriptors.close(number);
    }
  }

  /** The changes stay: lets go of what was before. */
  forget(): void {
    for (const file of this.files) if (file !== undefined) release(file);
    this.numbers.length = this.files.length = 0;
  }
}
