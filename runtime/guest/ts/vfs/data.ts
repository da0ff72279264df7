/** Whole files at once, without a descriptor and with at most one copy. */

import { allocate } from "./content";
import type { Context } from "./context";
import { fail } from "./errors";
import { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } from "./flags";
import { Device, Inode, RegularFile } from "./inode";
import { NamedPipe } from "./named_pipe";
import { target } from "./open";
import type { OpenFile } from "./openfile";

/** The bytes of a file. A view where it can be: use it before the file changes. */
export function readView(context: Context, path: string): Uint8Array {
  return take(context, target(context, path, O_RDONLY, 0), O_RDONLY);
}

/** All that a node holds which was opened with `flags`. */
export function take(context: Context, node: Inode, flags: number): Uint8Array {
  if (node instanceof Device) return using(node.open(context, flags), (file) => file.readAll());
  if (!(node instanceof RegularFile)) fail(node instanceof NamedPipe ? "EAGAIN" : "EISDIR");
  if (flags & O_TRUNC) context.volume.truncate(node, 0);
  return node.content.view();
}

/** Makes `owned` the bytes of a file, made if need be; the caller gives the buffer up. */
export function writeOwned(context: Context, path: string, owned: Uint8Array, mode = 0o666): void {
  const flags = O_WRONLY | O_CREAT | O_TRUNC;
  put(context, target(context, path, flags, mode), owned, flags);
}

/** Writes to a node that was opened with `flags`. It adopts `bytes` when they replace a file, else copies them. */
export function put(context: Context, node: Inode, bytes: Uint8Array, flags: number): void {
  const { volume } = context;
  if (node instanceof Device) using(node.open(context, flags), (file) => file.write(bytes, null));
  else if (!(node instanceof RegularFile)) fail(node instanceof NamedPipe ? "EAGAIN" : "EISDIR");
  else if (flags & O_APPEND) volume.write(node, bytes, node.size);
  else if (flags & O_TRUNC) volume.replace(node, bytes);
  else volume.write(node, bytes, 0);
}

/** Copies a file's bytes and mode to another path; `exclusive` refuses one that exists. */
export function copyFile(context: Context, from: string, to: string, exclusive: boolean): void {
  const source = target(context, from, O_RDONLY, 0);
  if (!(source instanceof RegularFile)) fail("EISDIR");
  const destination = target(context, to, O_WRONLY | O_CREAT | (exclusive ? O_EXCL : 0), source.permissions);
  if (destination === source) return;
  put(context, destination, copyOf(source.content.view()), O_WRONLY | O_TRUNC);
  if (destination instanceof RegularFile) context.volume.changing(destination).mode = source.mode;
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
}

/** Runs `operation` on a description that no descriptor holds, and closes it unless others share it. */
function using<T>(file: OpenFile, operation: (file: OpenFile) => T): T {
  try {
    return operation(file);
  } finally {
    if (file.references === 0) file.close();
  }
}
