/** Whole trees out of the file system and into it: exports, mounts, and what is saved from a broken sandbox. */

import type { Context } from "./context";
import { writeOwned } from "./data";
import { fail } from "./errors";
import { Device, Directory, Inode, RegularFile, ROOT, S_IFMT, Symlink, USER } from "./inode";
import { NamedPipe } from "./named_pipe";
import { entriesOf, mkdirs, remove, symlink } from "./tree";
import { find, walk } from "./walk";

export interface TreeEntry {
  /** Relative to the top of the tree; empty for the top itself. A directory comes before what is in it. */
  path: string;
  type: "file" | "directory" | "symlink";
  /** Permission bits. */
  mode: number;
  /** Milliseconds since 1970. */
  mtime: number;
  /** Of a symbolic link. */
  target?: string;
  /** Of a file. From a dump it is a view, valid until the file changes; a load adopts it. */
  data?: Uint8Array;
}

/** What is at `path` and, if a directory, under it. Devices and pipes are left out. */
export function* dump(context: Context, path: string): Generator<TreeEntry> {
  const pending: { path: string; node: Inode }[] = [{ path: "", node: find(context, path, false) }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    const { path, node } = at;
    if (node instanceof Device || node instanceof NamedPipe) continue;
    yield entryFor(path, node);
    if (!(node instanceof Directory)) continue;
    const children = entriesOf(context, node).reverse();
    for (const child of children) pending.push({ path: path ? `${path}/${child.name}` : child.name, node: child.node });
  }
}

function entryFor(path: string, node: Inode): TreeEntry {
  const common = { path, mode: node.permissions, mtime: node.mtime };
  if (node instanceof RegularFile) return { ...common, type: "file", data: node.content.view() };
  if (node instanceof Symlink) return { ...common, type: "symlink", target: node.target };
  return { ...common, type: "directory" };
}

/** Puts a tree at `path`, over what is there. Scripts can change it only if it is `writable`. */
export function load(context: Context, path: string, entries: Iterable<TreeEntry>, writable: boolean): void {
  const dated: { node: Inode; mtime: number }[] = [];
  for (const entry of entries) {
    const place = entry.path ? `${path}/${entry.path}` : path;
    const node = make(context, place, entry);
    context.volume.changing(node).mode = (node.mode & S_IFMT) | (writable ? entry.mode & 0o7777 : readable(entry.mode));
    node.uid = writable ? USER : ROOT;
    dated.push({ node, mtime: entry.mtime });
  }
  for (const { node, mtime } of dated) node.mtime = mtime;
}

/** Scripts are not the owner of what they cannot change; they may read what the owner may. */
function readable(mode: number): number {
  const owner = mode & 0o500;
  return (mode & 0o7777) | (owner >> 3) | (owner >> 6);
}

function make(context: Context, path: string, entry: TreeEntry): Inode {
  mkdirs(context, parentOf(path), 0o755);
  clear(context, path, entry.type === "directory");
  if (entry.type === "directory") mkdirs(context, path, 0o755);
  else if (entry.type === "symlink") symlink(context, entry.target ?? fail("EINVAL"), path);
  else writeOwned(context, path, entry.data ?? new Uint8Array(0));
  return find(context, path, false);
}

/** Makes way for an entry: only a directory may stay, and only for a directory. */
function clear(context: Context, path: string, directory: boolean): void {
  const { node } = walk(context, path, false);
  if (node && !(directory && node instanceof Directory)) remove(context, path);
}

function parentOf(path: string): string {
  return path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/") + 1) || ".";
}
