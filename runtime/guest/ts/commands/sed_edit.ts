/** A file that is replaced by what is written, once all of it is. */

import type { Writer } from "../shell/io/writer";
import type { Process } from "../shell/process";
import { RegularFile } from "../vfs/inode";
import { chmod } from "../vfs/meta";
import { realpath, rename, unlink } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Failure } from "./command";
import { close, openWriter } from "./files";

const PANIC = 4;

export class Replacement {
  readonly writer: Writer;
  private readonly path: string;
  private readonly room: string;
  private isOpen = true;

  /** Throws Errno, or a Failure for what is no regular file. */
  constructor(
    private readonly process: Process,
    name: string,
    private readonly edit: { readonly suffix: string; readonly follow: boolean },
  ) {
    const node = find(process.context, name === "-" ? "./-" : name);
    if (!(node instanceof RegularFile)) throw new Failure(`couldn't edit ${name}: not a regular file`, PANIC);
    this.path = edit.follow ? realpath(process.context, name) : name;
    this.room = `${this.folder}sed${Math.random().toString(36).slice(2, 8)}`;
    this.writer = openWriter(process, this.room);
    chmod(process.context, find(process.context, this.room), node.mode & 0o7777);
  }

  /** Puts the new file in the old one's place, and that under the name of a copy if one is wanted. */
  finish(): void {
    const { context } = this.process;
    this.close();
    if (this.edit.suffix !== "") rename(context, this.path, this.copyName());
    rename(context, this.room, this.path);
  }

  abandon(): void {
    if (!this.isOpen) return;
    this.close();
    unlink(this.process.context, this.room);
  }

  private close(): void {
    this.isOpen = false;
    close(this.writer);
  }

  private get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf("/") + 1);
  }

  /** A suffix with `*` is a pattern for the name, which may lead to another folder. */
  private copyName(): string {
    const base = this.path.slice(this.folder.length);
    const { suffix } = this.edit;
    const copy = suffix.includes("*") ? suffix.replaceAll("*", base) : base + suffix;
    return copy.includes("/") ? copy : this.folder + copy;
  }
}
