/** What a directory entry can stand for. */

import { native } from "../bridge/native";
import { Content } from "./content";
import type { Context } from "./context";
import type { OpenFile } from "./openfile";

/** File type bits of a mode, as in <sys/stat.h>. */
export const S_IFMT = 0o170000;
export const S_IFIFO = 0o010000;
export const S_IFCHR = 0o020000;
export const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
export const S_IFLNK = 0o120000;

/** Owners: the system's files can't be changed by scripts, the user's can. */
export const ROOT = 0;
export const USER = 1000;

/** Times are milliseconds since 1970. */
export abstract class Inode {
  nlink = 1;
  atime = 0;
  mtime = 0;
  ctime = 0;
  birthtime = 0;
  /** The journal's epoch in which this node last changed; see journal.ts. */
  epoch = 0;
  ino = 0;

  constructor(
    public mode: number,
    public uid: number,
  ) {}

  get size(): number {
    return 0;
  }

  get permissions(): number {
    return this.mode & 0o7777;
  }

  /** Takes hold of what this node holds as bytes, which nothing changes until `thaw`. */
  freeze(): Uint8Array | undefined {
    return undefined;
  }

  thaw(): void {}
}

export class RegularFile extends Inode {
  readonly content = new Content();
  /** Open file descriptions; a file without a name lives until the last is closed. */
  opens = 0;

  constructor(permissions: number, uid: number) {
    super(S_IFREG | permissions, uid);
  }

  override get size(): number {
    return this.content.length;
  }

  override freeze(): Uint8Array {
    return this.content.freeze();
  }

  override thaw(): void {
    this.content.thaw();
  }
}

/** The entries of a directory that the system makes up as they are asked for. */
export interface EntrySource {
  names(context: Context): readonly string[];
  lookup(name: string, context: Context): Inode | undefined;
}

export class Directory extends Inode {
  entries = new Map<string, Inode>();
  /** The root is its own parent. */
  parent: Directory = this;
  name = "";

  constructor(
    permissions: number,
    uid: number,
    readonly source?: EntrySource,
  ) {
    super(S_IFDIR | permissions, uid);
    this.nlink = 2;
  }

  override get size(): number {
    return 4096;
  }

  lookup(name: string, context: Context): Inode | undefined {
    return this.entries.get(name) ?? this.source?.lookup(name, context);
  }

  /** Names in the order of their code units. */
  names(context: Context): string[] {
    const names = [...this.entries.keys()];
    if (this.source) names.push(...this.source.names(context));
    return names.sort();
  }
}

export class Symlink extends Inode {
  constructor(
    readonly target: string,
    uid: number,
  ) {
    super(S_IFLNK | 0o777, uid);
  }

  override get size(): number {
    return native.text.encode(this.target).length;
  }
}

/** A character device; opening it is all that it can do. */
export class Device extends Inode {
  constructor(
    readonly open: (context: Context, flags: number) => OpenFile,
    /** What a device that is a descriptor's name leads to; nothing while the descriptor is closed. */
    readonly behind?: (context: Context) => Inode | undefined,
  ) {
    super(S_IFCHR | 0o666, ROOT);
  }
}
