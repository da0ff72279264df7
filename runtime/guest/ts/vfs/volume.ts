/**
 * The tree of files, and the only place where its shape changes: each change is journalled, charged and dated here. A run may
 * be interrupted anywhere but within one.
 */

import { native } from "../bridge/native";
import type { Content } from "./content";
import { Directory, Inode, RegularFile, ROOT, USER } from "./inode";
import { Journal } from "./journal";
import { keep } from "./keep";
import type { NamedPipe } from "./named_pipe";
import type { OpenFile } from "./openfile";
import { Quota } from "./quota";

/** More calls and turns of loops than any change takes, but for the end of a tree. */
const CHANGE = 1000;
/** As many for each file of a tree. */
const CHANGE_OF_FILE = 50;

export class Volume {
  readonly quota = new Quota();
  readonly root = new Directory(0o755, ROOT);
  readonly journal = new Journal(() => keep(this.root), native.keep.drop);
  /** Every open description of a regular file, of every process, so that a run's end can close what was left open. */
  readonly open = new Set<OpenFile>();
  /** Pipes that somebody opened, to be put back at a run's end. */
  private readonly pipes = new Set<NamedPipe>();
  private inodes = 0;

  constructor() {
    this.number(this.root);
  }

  /** Gives a node made by the system its number; unlike `add` it costs no quota and sets no times. */
  number<T extends Inode>(node: T): T {
    node.ino = ++this.inodes;
    return node;
  }

  /** Enters a node that is new or gets a further name. Throws ENOSPC with nothing changed. */
  add<T extends Inode>(directory: Directory, name: string, node: T): T {
    native.host.spare(CHANGE);
    if (node.ino === 0) this.create(node);
    else this.changing(node).nlink += 1;
    this.modifying(directory);
    directory.entries.set(name, node);
    if (node instanceof Directory) this.adopt(directory, name, node);
    return node;
  }

  /** A file without a name that holds `owned`, which the caller gives up; its bytes count until it is closed. */
  unnamed(owned: Uint8Array): RegularFile {
    native.host.spare(CHANGE);
    this.quota.charge(owned.length);
    const file = new RegularFile(0o600, USER);
    file.nlink = 0;
    if (owned.length > 0) file.content.adopt(owned);
    return file;
  }

  /** Takes a name away; what has no name left goes, unless it is open. */
  remove(directory: Directory, name: string, node: Inode): void {
    native.host.spare(node instanceof Directory ? CHANGE + CHANGE_OF_FILE * this.quota.files : CHANGE);
    this.take(directory, name, node);
  }

  private take(directory: Directory, name: string, node: Inode): void {
    this.modifying(directory).entries.delete(name);
    if (node instanceof Directory) {
      directory.nlink -= 1;
      this.discardTree(node);
    } else this.unlinked(node);
  }

  /** Moves a node to another name; `old` is what has that name, a directory only if it is empty. */
  move(from: Directory, name: string, to: Directory, newName: string, node: Inode, old: Inode | undefined): void {
    native.host.spare(CHANGE);
    if (old) this.take(to, newName, old);
    this.modifying(from).entries.delete(name);
    this.modifying(to).entries.set(newName, node);
    this.changing(node);
    if (!(node instanceof Directory)) return;
    from.nlink -= 1;
    this.adopt(to, newName, node);
  }

  /** Replaces a file's bytes by `owned`, which the caller gives up. */
  replace(file: RegularFile, owned: Uint8Array): void {
    this.resize(file, owned.length, (content) => content.adopt(owned));
  }

  write(file: RegularFile, source: Uint8Array, position: number): void {
    if (source.length === 0) return;
    const length = Math.max(file.size, position + source.length);
    this.resize(file, length, (content) => content.write(source, position));
  }

  truncate(file: RegularFile, length: number): void {
    this.resize(file, length, (content) => content.truncate(length));
  }

  /** Makes a change that leaves the file with `length` bytes; what fails halfway costs nothing. */
  private resize(file: RegularFile, length: number, change: (content: Content) => void): void {
    native.host.spare(CHANGE);
    const more = length - file.size;
    this.quota.charge(more);
    try {
      change(this.modifying(file).content);
    } catch (error) {
      this.quota.charge(-more);
      throw error;
    }
  }

  /** Call before changing a node's own fields (mode, owner, times). */
  changing<T extends Inode>(node: T): T {
    this.journal.touch(node);
    node.ctime = native.clock.now();
    return node;
  }

  /** Call before changing what a node holds. */
  modifying<T extends Inode>(node: T): T {
    this.changing(node).mtime = node.ctime;
    return node;
  }

  opened(description: OpenFile, file: RegularFile): void {
    native.host.spare(CHANGE);
    this.open.add(description);
    file.opens += 1;
  }

  closed(description: OpenFile, file: RegularFile): void {
    native.host.spare(CHANGE);
    if (!this.open.delete(description)) return;
    file.opens -= 1;
    this.reclaim(file);
  }

  /** Takes note of a pipe that is opened. */
  joined(pipe: NamedPipe): NamedPipe {
    this.pipes.add(pipe);
    return pipe;
  }

  /** Closes what a run left open, whoever held it. */
  closeAll(): void {
    for (const pipe of this.pipes) pipe.reset();
    this.pipes.clear();
    for (const description of this.open) description.close();
  }

  private create(node: Inode): void {
    this.quota.addFile();
    this.number(node);
    this.journal.born(node);
    node.atime = node.mtime = node.ctime = node.birthtime = native.clock.now();
  }

  private adopt(parent: Directory, name: string, child: Directory): void {
    child.parent = parent;
    child.name = name;
    parent.nlink += 1;
  }

  private unlinked(node: Inode): void {
    this.changing(node).nlink -= 1;
    this.reclaim(node);
  }

  private reclaim(node: Inode): void {
    if (node.nlink > 0 || (node instanceof RegularFile && node.opens > 0)) return;
    if (node.ino !== 0) this.quota.removeFile();
    if (node instanceof RegularFile) this.quota.charge(-node.size);
  }

  /** A loop, not recursion: trees can be deeper than the stack. */
  private discardTree(top: Directory): void {
    const pending = [top];
    for (let directory = pending.pop(); directory; directory = pending.pop()) {
      this.quota.removeFile();
      for (const child of directory.entries.values()) {
        if (child instanceof Directory) pending.push(child);
        else this.unlinked(child);
      }
    }
  }
}
