/** open(2): from a path and flags to an open file description. */

import { demand, owner, R_OK, W_OK } from "./access";
import type { Context } from "./context";
import { fail } from "./errors";
import { O_ACCMODE, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } from "./flags";
import { Device, Directory, Inode, RegularFile, Symlink } from "./inode";
import { NamedPipe } from "./named_pipe";
import { OpenDirectory, OpenFile, OpenRegular } from "./openfile";
import { Place, walk } from "./walk";

/** Opens without giving a descriptor: pass the result to a table, or close it. */
export function open(context: Context, path: string, flags: number, mode: number): OpenFile {
  const node = target(context, path, flags, mode);
  if (node instanceof Device) return node.open(context, flags);
  if (node instanceof Directory) return openDirectory(node, flags);
  if (node instanceof NamedPipe) return context.volume.joined(node).open(flags);
  return openRegular(context, node as RegularFile, flags);
}

/** The node that an open with these flags is about, made if need be. */
export function target(context: Context, path: string, flags: number, mode: number): Inode {
  const exclusive = (flags & O_EXCL) !== 0;
  const place = walk(context, path, !exclusive && !(flags & O_NOFOLLOW));
  if (place.node === undefined) return flags & O_CREAT ? create(context, place, mode) : fail("ENOENT");
  if (exclusive && flags & O_CREAT) fail("EEXIST");
  if (place.node instanceof Symlink) fail("ELOOP");
  if (flags & O_DIRECTORY && !(place.node instanceof Directory)) fail("ENOTDIR");
  demand(context, place.node, wanted(flags, place.node));
  return place.node;
}

function create(context: Context, { directory, name, slash }: Place, mode: number): RegularFile {
  if (slash) fail("EISDIR");
  demand(context, directory, W_OK);
  return context.volume.add(directory, name, new RegularFile(mode & 0o7777 & ~context.umask, owner(context)));
}

function wanted(flags: number, node: Inode): number {
  const writes = (flags & O_ACCMODE) !== O_RDONLY || (flags & O_TRUNC) !== 0;
  if (writes && node instanceof Directory) fail("EISDIR");
  return ((flags & O_ACCMODE) === O_WRONLY ? 0 : R_OK) | (writes ? W_OK : 0);
}

function openDirectory(node: Directory, flags: number): OpenFile {
  if (flags & O_CREAT) fail("EISDIR");
  return new OpenDirectory(node, flags);
}

function openRegular(context: Context, file: RegularFile, flags: number): OpenFile {
  if (flags & O_TRUNC && file.size > 0) context.volume.truncate(file, 0);
  return new OpenRegular(context.volume, file, flags);
}
