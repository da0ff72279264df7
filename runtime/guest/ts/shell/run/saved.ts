/** What redirections changed of a descriptor table, to be put back. */

import { release, type DescriptorTable } from "../../vfs/descriptors";
import type { OpenFile } from "../../vfs/openfile";

export class Saved {
  /** Numbers, each with what it stood for behind it, if anything. */
  private readonly kept: (number | OpenFile | undefined)[] = [];

  constructor(private readonly descriptors: DescriptorTable) {}

  /** Holds what the number stands for now. */
  keep(number: number): void {
    const file = this.descriptors.find(number);
    if (file !== undefined) file.references += 1;
    this.kept.push(number, file);
  }

  /** Puts all back, the last first. */
  restore(): void {
    const { kept, descriptors } = this;
    for (let at = kept.length - 2; at >= 0; at -= 2) {
      const number = kept[at] as number;
      const file = kept[at + 1] as OpenFile | undefined;
      if (file !== undefined) {
        descriptors.set(number, file);
        release(file);
      } else if (descriptors.has(number)) descriptors.close(number);
    }
    kept.length = 0;
  }

  /** The changes stay: lets go of what was before. */
  forget(): void {
    const { kept } = this;
    for (let at = 1; at < kept.length; at += 2) if (kept[at] !== undefined) release(kept[at] as OpenFile);
    kept.length = 0;
  }
}
