/** The part of the kernel's table that is about what is known of a file, and about the process. */

import { fail, syscall } from "./errors";
import type { Inode } from "./inode";
import * as meta from "./meta";
import type { Status } from "./status";
import { vfs } from "./vfs";
import { find } from "./walk";

const { context } = vfs;
const BLOCK = 4096;
const TMPFS = 0x0102_1994;

/** Names a file in a call: by path, by path without following a link at its end, or by descriptor. */
function nodeOf(file: string | number, follow = true): Inode {
  if (typeof file === "string") return find(context, file, follow);
  return context.descriptors.get(file).node ?? fail("EINVAL");
}

/** As `syscall`, for calls that take a path or a descriptor: `chmod` of a descriptor is `fchmod`. */
function either<T>(name: string, file: string | number, operation: () => T): T {
  return typeof file === "string" ? syscall(name, operation, file) : syscall(`f${name}`, operation);
}

export const kernelMeta = {
  stat(path: string): Status {
    return syscall("stat", () => meta.stat(context, path, true), path);
  },

  lstat(path: string): Status {
    return syscall("lstat", () => meta.stat(context, path, false), path);
  },

  fstat(fd: number): Status {
    return syscall("fstat", () => context.descriptors.get(fd).status());
  },

  exists(path: string): boolean {
    return meta.exists(context, path);
  },

  /** As `exists`, of a symbolic link itself. */
  lexists(path: string): boolean {
    return meta.exists(context, path, false);
  },

  access(path: string, want: number): void {
    syscall("access", () => meta.access(context, path, want), path);
  },

  chmod(file: string | number, mode: number): void {
    either("chmod", file, () => meta.chmod(context, nodeOf(file), mode));
  },

  chown(file: string | number, uid: number, gid: number, follow: boolean): void {
    either(follow ? "chown" : "lchown", file, () => meta.chown(nodeOf(file, follow), uid, gid));
  },

  /** Times are milliseconds since 1970. */
  utimes(file: string | number, atime: number, mtime: number, follow: boolean): void {
    either(follow ? "utime" : "lutime", file, () => meta.utimes(context, nodeOf(file, follow), atime, mtime));
  },

  truncate(file: string | number, length: number): void {
    if (typeof file === "string") syscall("open", () => meta.truncate(context, file, length), file);
    else syscall("ftruncate", () => context.descriptors.get(file).truncate(length));
  },

  /** There is no disk to wait for; only a bad descriptor is an error. */
  fsync(fd: number): void {
    syscall("fsync", () => context.descriptors.get(fd));
  },

  statfs(path: string): Record<string, number> {
    syscall("statfs", () => find(context, path), path);
    const { bytes, maxBytes, files, maxFiles } = context.volume.quota;
    const bfree = Math.floor((maxBytes - bytes) / BLOCK);
    const blocks = Math.floor(maxBytes / BLOCK);
    return { type: TMPFS, bsize: BLOCK, blocks, bfree, bavail: bfree, files: maxFiles, ffree: maxFiles - files };
  },

  cwd(): string {
    return vfs.cwd;
  },

  chdir(path: string): void {
    vfs.chdir(path);
  },

  /** Sets the mask, when one is given, and returns what it was. */
  umask(mask?: number): number {
    const before = context.umask;
    if (mask !== undefined) context.umask = mask & 0o777;
    return before;
  },
};
