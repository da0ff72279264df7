/**
 * Keeps what the list of files for the host (keep.ts) points at as it is while a run changes the files: the first change
 * of a file in a run takes hold of its bytes. A run that is cut off anywhere leaves the list, and these, untouched.
 */

import type { Inode } from "./inode";

export class Journal {
  private epoch = 0;
  private active = false;
  private listed = false;
  /** Whether the files are no longer as they were listed. */
  private changed = true;
  private held: { node: Inode; bytes: Uint8Array }[] = [];

  /** `list` makes a new list of all files; `drop` says that there is none. */
  constructor(
    private readonly list: () => void,
    private readonly drop: () => void,
  ) {}

  /** Starts a run, or a part of one that may be cut off: what came before is kept then. */
  begin(): void {
    this.settle();
    this.epoch += 1;
    this.active = true;
  }

  /** Must be called before `node` changes in any way. */
  touch(node: Inode): void {
    if (!this.active) return this.outdate();
    if (node.epoch === this.epoch) return;
    node.epoch = this.epoch;
    this.changed = true;
    const bytes = node.freeze();
    if (bytes) this.held.push({ node, bytes });
  }

  /** Marks a node as made in this run: the list knows nothing of it. */
  born(node: Inode): void {
    if (this.active) node.epoch = this.epoch;
    this.changed = true;
  }

  /** Ends a run. What it did is kept, but not listed yet: if nothing more comes, nobody needs the list. */
  end(): void {
    this.active = false;
  }

  /** Between runs: lists the files as they are now, and only then lets go of what they were. */
  settle(): void {
    if (this.changed) this.list();
    this.changed = false;
    this.listed = true;
    this.release();
  }

  /** A change between runs, when nothing is taken hold of, makes the list untrue. */
  private outdate(): void {
    this.changed = true;
    if (!this.listed) return;
    this.listed = false;
    this.drop();
    this.release();
  }

  private release(): void {
    for (const { node } of this.held) node.thaw();
    this.held = [];
  }
}
