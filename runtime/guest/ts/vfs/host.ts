/** What the host can do to the files, behind `sandbox.fs`: one table of calls, each with Node's errors. */

import { readView, writeOwned } from "./data";
import { dump, load, TreeEntry } from "./dump";
import { syscall } from "./errors";
import { Directory, Inode, RegularFile, Symlink } from "./inode";
import type { Restoration } from "./keep";
import * as meta from "./meta";
import * as tree from "./tree";
import { vfs } from "./vfs";
import { find, walk } from "./walk";

export interface HostStatus {
  type: "file" | "directory" | "symlink" | "device";
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** Milliseconds since 1970. */
  mtime: number;
}

const { host, system } = vfs;

/** The host has no chmod: a new file that names its interpreter can be run. */
function startsScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}

export const hostCalls = {
  /** A view: send it off before a script goes on. */
  read(path: string): Uint8Array {
    return syscall("open", () => readView(host, path), path);
  },

  /** Makes missing parents. Adopts `owned`: the caller gives the buffer up. */
  write(path: string, owned: Uint8Array): void {
    const fresh = startsScript(owned) && !meta.exists(host, path);
    syscall("open", () => (makeParents(path), writeOwned(host, path, owned)), path);
    if (fresh) meta.chmod(host, find(host, path), 0o755);
  },

  list(path: string): (HostStatus & { name: string })[] {
    const entries = syscall("scandir", () => tree.entries(host, path), path);
    return entries.map(({ name, node }) => ({ name, ...statusOf(node) }));
  },

  stat(path: string, follow = true): HostStatus {
    return statusOf(syscall("stat", () => find(host, path, follow), path));
  },

  exists(path: string): boolean {
    return meta.exists(host, path);
  },

  /** A directory that has something in it goes only if `recursive`. */
  remove(path: string, recursive = false): void {
    syscall("rm", () => (recursive ? tree.remove(host, path) : removeOne(path)), path);
  },

  /** Makes missing parents; no error if it is there. */
  mkdir(path: string): void {
    syscall("mkdir", () => tree.mkdirs(host, path, 0o777), path);
  },

  symlink(target: string, path: string): void {
    syscall("symlink", () => (makeParents(path), tree.symlink(host, target, path)), target, path);
  },

  chmod(path: string, mode: number): void {
    syscall("chmod", () => meta.chmod(host, find(host, path), mode), path);
  },

  /** The tree at `path`, entry by entry; a script that runs meanwhile makes the rest of it unreliable. */
  dump(path: string): Generator<TreeEntry> {
    syscall("scandir", () => find(host, path, false), path);
    return dump(host, path);
  },

  /** Puts a tree anywhere, adopting its data. Without `writable` scripts can read but not change it. */
  load(path: string, entries: Iterable<TreeEntry>, writable: boolean): void {
    syscall("load", () => load(system, path, entries, writable), path);
  },

  /** Puts in the files of another guest: the tree by its list (c/keep.h), then the bytes by `fill`. */
  restore(table: Uint8Array): void {
    restoration = vfs.restore(table);
  },

  /** Bytes of files one behind the other, of which the first is number `from`; adopts them. */
  fill(from: number, data: Uint8Array): void {
    restoration?.fill(from, data);
  },
};

let restoration: Restoration | undefined;

function makeParents(path: string): void {
  const parent = path.slice(0, path.lastIndexOf("/") + 1);
  if (parent) tree.mkdirs(host, parent, 0o777);
}

function removeOne(path: string): void {
  if (walk(host, path, false).node instanceof Directory) tree.rmdir(host, path);
  else tree.unlink(host, path);
}

function statusOf(node: Inode): HostStatus {
  return { type: typeOf(node), size: node.size, mode: node.permissions, mtime: node.mtime };
}

function typeOf(node: Inode): HostStatus["type"] {
  if (node instanceof Directory) return "directory";
  if (node instanceof RegularFile) return "file";
  return node instanceof Symlink ? "symlink" : "device";
}
