/** Operations on what is known about a file: mode, owner, times, length. */

import { allowed, demand, demandOwner, W_OK } from "./access";
import type { Context } from "./context";
import { fail } from "./errors";
import { Directory, Inode, RegularFile, S_IFMT } from "./inode";
import { describe, Status } from "./status";
import { find } from "./walk";

export function stat(context: Context, path: string, follow: boolean): Status {
  return describe(find(context, path, follow));
}

export function exists(context: Context, path: string, follow = true): boolean {
  try {
    find(context, path, follow);
    return true;
  } catch {
    return false;
  }
}

/** `want` is a sum of R_OK, W_OK and X_OK; 0 asks only whether the file is there. */
export function access(context: Context, path: string, want: number): void {
  const node = find(context, path);
  if (!allowed(context, node, want)) fail("EACCES");
}

export function chmod(context: Context, node: Inode, mode: number): void {
  demandOwner(context, node);
  context.volume.changing(node).mode = (node.mode & S_IFMT) | (mode & 0o7777);
}

/** There is no one to give a file to: only a change to the owner that it has succeeds. */
export function chown(node: Inode, uid: number, gid: number): void {
  const same = (id: number): boolean => id === node.uid || id === -1 || id === 0xffff_ffff;
  if (!same(uid) || !same(gid)) fail("EPERM");
}

/** Times are milliseconds since 1970. */
export function utimes(context: Context, node: Inode, atime: number, mtime: number): void {
  demandOwner(context, node);
  Object.assign(context.volume.changing(node), { atime, mtime });
}

export function truncate(context: Context, path: string, length: number): void {
  const node = find(context, path);
  if (node instanceof Directory) fail("EISDIR");
  if (!(node instanceof RegularFile)) fail("EINVAL");
  demand(context, node, W_OK);
  context.volume.truncate(node, length);
}
