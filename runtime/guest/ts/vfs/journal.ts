/**
 * The undo journal of a run. The first change of a node saves how to put it back; nothing is saved for nodes that were
 * born during the run (their directory's entry goes), and nothing at all when no file is touched.
 */

import type { Inode } from "./inode";
import type { Quota } from "./quota";

export class Journal {
  private epoch = 0;
  private active = false;
  private readonly saved: { node: Inode; undo: () => void }[] = [];
  private used = { bytes: 0, files: 0 };

  constructor(private readonly quota: Quota) {}

  begin(): void {
    if (this.active) this.commit();
    this.epoch += 1;
    this.active = true;
    this.used = { bytes: this.quota.bytes, files: this.quota.files };
  }

  /** Must be called before `node` changes in any way. */
  touch(node: Inode): void {
    if (!this.active || node.epoch === this.epoch) return;
    this.saved.push({ node, undo: node.save() });
    node.epoch = this.epoch;
  }

  /** Marks a node as made in this run: undoing the run drops it whole. */
  born(node: Inode): void {
    node.epoch = this.active ? this.epoch : 0;
  }

  commit(): void {
    for (const { node } of this.saved) node.forget();
    this.end();
  }

  /** Puts every file back as it was when the run began. Safe after a run that was cut off anywhere. */
  rollback(): void {
    if (!this.active) return;
    for (const { undo } of this.saved) undo();
    Object.assign(this.quota, this.used);
    this.end();
  }

  private end(): void {
    this.saved.length = 0;
    this.active = false;
  }
}
