/** Copies of files and trees, for cp, install and mv. */

import type { Maybe } from "../shell/io/maybe";
import { then } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { allocate } from "../vfs/content";
import { put } from "../vfs/data";
import { O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } from "../vfs/flags";
import { Directory, type Inode, RegularFile, Symlink } from "../vfs/inode";
import { chmod } from "../vfs/meta";
import { target as openable } from "../vfs/open";
import * as tree from "../vfs/tree";
import { find } from "../vfs/walk";
import { close, openReader } from "./files";
import { setTimes } from "./times";

export interface Preserve {
  readonly mode: boolean;
  readonly timestamps: boolean;
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
}

/** Everything that `source` holds to the file `target`, made with the source's permissions if need be. */
export function copyBytes(process: Process, source: string, node: Inode, target: string): Maybe<void> {
  const { context } = process;
  if (node instanceof RegularFile) {
    openable(context, source, O_RDONLY, 0);
    return write(process, target, node.permissions, copyOf(node.content.view()));
  }
  const reader = openReader(process, source);
  return then(reader.all(), (bytes) => {
    close(reader);
    return write(process, target, 0o666, bytes);
  });
}

function write(process: Process, target: string, mode: number, owned: Uint8Array): void {
  const { context } = process;
  put(context, openable(context, target, O_WRONLY | O_CREAT | O_TRUNC, mode), owned, O_WRONLY | O_TRUNC);
}

export function copyLink(process: Process, node: Symlink, target: string): void {
  tree.symlink(process.context, node.target, target);
}

/** Gives the copy what of the source is to be kept. */
export function preserve(process: Process, source: Inode, target: string, { mode, timestamps }: Preserve): void {
  if (!mode && !timestamps) return;
  const { context } = process;
  const node = find(context, target, false);
  if (timestamps) setTimes(context, node, source, source);
  if (mode && !(source instanceof Symlink)) chmod(context, node, source.permissions);
}

export function sameFile(process: Process, source: Inode, target: string, follow: boolean): boolean {
  try {
    return find(process.context, target, follow) === source;
  } catch {
    return false;
  }
}

/** Whether `directory` is `top` or lies within it. */
export function isWithin(top: Inode, directory: Directory): boolean {
  for (let at = directory; ; at = at.parent) {
    if (at === top) return true;
    if (at.parent === at) return false;
  }
}

