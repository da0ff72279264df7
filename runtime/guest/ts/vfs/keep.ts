/** The list of all files that the host finds in memory when a run had to be killed, and the way back (c/keep.h). */

import { native } from "../bridge/native";
import { Device, Directory, Inode, RegularFile, S_IFDIR, S_IFMT, S_IFREG, Symlink } from "./inode";
import { NamedPipe } from "./named_pipe";
import type { Volume } from "./volume";

/** Bytes of a record before its name. */
const RECORD = 32;

/** Lists all nodes but devices and what belongs to the image. Without memory for the list there is none. */
export function keep(root: Directory): void {
  try {
    native.keep.begin();
    list(root);
    native.keep.publish();
  } catch {
    native.keep.drop();
  }
}

function list(root: Directory): void {
  const links = new Map<Inode, number>();
  const pending = [{ directory: root, number: 0 }];
  let count = 0;
  for (let at = pending.pop(); at; at = pending.pop()) {
    for (const [name, node] of at.directory.entries) {
      if (isOfTheImage(node)) continue;
      count += 1;
      const link = links.get(node) ?? 0;
      native.keep.add(at.number, node.mode, node.uid, link, node.mtime, name, link ? undefined : contentOf(node), node.size);
      if (node instanceof Directory) pending.push({ directory: node, number: count });
      else if (node.nlink > 1 && !link) links.set(node, count);
    }
  }
}

/** What the image has is there anyway, and cannot change; it has no dates. Its folders may hold more by now. Pipes are not kept. */
function isOfTheImage(node: Inode): boolean {
  if (node instanceof Directory) return node.source !== undefined;
  return node.birthtime === 0 || node instanceof Device || node instanceof NamedPipe;
}

function contentOf(node: Inode): Uint8Array | string | undefined {
  if (node instanceof RegularFile) return node.content.buffer;
  return node instanceof Symlink ? node.target : undefined;
}

interface Restored {
  readonly node: Inode;
  readonly mtime: number;
  /** Bytes of a file's content that is still to come. */
  readonly size: number;
}

/** The files of another guest put into this one, whose own are those of the image: first the tree, then the bytes. */
export class Restoration {
  private readonly nodes: Restored[] = [];
  private readonly files: Restored[] = [];
  private readonly view: DataView;

  constructor(
    private readonly volume: Volume,
    private readonly table: Uint8Array,
  ) {
    this.view = new DataView(table.buffer, table.byteOffset, table.length);
    this.nodes.push({ node: volume.root, mtime: 0, size: 0 });
    for (let at = 0; at < table.length; ) at = this.take(at);
    for (const { node, mtime } of this.nodes) if (mtime > 0) node.mtime = mtime;
  }

  /** Bytes of files one behind the other, of which the first is number `from`. A lone file's are adopted. */
  fill(from: number, data: Uint8Array): void {
    let at = 0;
    for (let index = from; at < data.length; index++) {
      const { node, mtime, size } = this.files[index]!;
      const whole = size === data.length;
      this.volume.replace(node as RegularFile, whole ? data : data.slice(at, at + size));
      node.mtime = mtime;
      at += size;
    }
  }

  /** Reads the record at `at`; returns where the next one begins. */
  private take(at: number): number {
    const field = (index: number): number => this.view.getUint32(at + 4 * index, true);
    const text = (start: number, length: number): string =>
      native.text.decode(this.table.subarray(start, start + length));
    const [parent, mode, uid, link, size, length] = [field(0), field(1), field(2), field(3), field(6), field(7)];
    const mtime = this.view.getFloat64(at + 16, true);
    const end = at + RECORD + length;
    const node = link ? this.nodes[link]!.node : made(mode, uid, () => text(end, size));
    const entered = this.enter(parent, text(at + RECORD, length), node);
    entered.mode = mode;
    entered.uid = uid;
    const restored = { node: entered, mtime, size };
    this.nodes.push(restored);
    if (node instanceof RegularFile && !link) this.files.push(restored);
    return node instanceof Symlink && !link ? end + size : end;
  }

  /** A directory may be there already. */
  private enter(parent: number, name: string, node: Inode): Inode {
    const directory = this.nodes[parent]!.node as Directory;
    const there = directory.entries.get(name);
    return there instanceof Directory ? there : this.volume.add(directory, name, node);
  }
}

function made(mode: number, uid: number, target: () => string): Inode {
  const permissions = mode & 0o7777;
  if ((mode & S_IFMT) === S_IFDIR) return new Directory(permissions, uid);
  return (mode & S_IFMT) === S_IFREG ? new RegularFile(permissions, uid) : new Symlink(target(), uid);
}
