/** Operations on what is known about files, in their synchronous form. */

import { kernel } from "amla:kernel";
import { Options, toDescriptor, toInteger, toMode, toOptions, toPath, toTime } from "./arguments";
import { BigIntStats, Stats } from "./stats";

const { vfs } = kernel;
const UINT32_MAX = 0xffff_ffff;

type Answer = Stats | BigIntStats | undefined;
type Status = ConstructorParameters<typeof Stats>[0];

export function stat(path: unknown, options?: unknown): Answer {
  return look(toPath(path), toOptions(options), vfs.stat);
}

export function lstat(path: unknown, options?: unknown): Answer {
  return look(toPath(path), toOptions(options), vfs.lstat);
}

export function fstat(fd: unknown, options?: unknown): Answer {
  return answer(vfs.fstat(toDescriptor(fd)), toOptions(options));
}

function look(path: string, options: Options, read: (path: string) => Status): Answer {
  try {
    return answer(read(path), options);
  } catch (error) {
    const { code } = error as { code?: string };
    if (options["throwIfNoEntry"] === false && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    throw error;
  }
}

function answer(status: Status, { bigint }: Options): Stats | BigIntStats {
  return bigint ? new BigIntStats(status) : new Stats(status);
}

/** Never throws: what can't be a path does not exist. */
export function exists(path: unknown): boolean {
  try {
    return vfs.exists(toPath(path));
  } catch {
    return false;
  }
}

export function access(path: unknown, mode: unknown = 0): void {
  vfs.access(toPath(path), toInteger(mode, "mode", 0, 7));
}

export function chmod(path: unknown, mode: unknown): void {
  vfs.chmod(toPath(path), toMode(mode));
}

export function fchmod(fd: unknown, mode: unknown): void {
  vfs.chmod(toDescriptor(fd), toMode(mode));
}

export function chown(path: unknown, uid: unknown, gid: unknown): void {
  vfs.chown(toPath(path), toId(uid, "uid"), toId(gid, "gid"), true);
}

export function lchown(path: unknown, uid: unknown, gid: unknown): void {
  vfs.chown(toPath(path), toId(uid, "uid"), toId(gid, "gid"), false);
}

export function fchown(fd: unknown, uid: unknown, gid: unknown): void {
  vfs.chown(toDescriptor(fd), toId(uid, "uid"), toId(gid, "gid"), true);
}

function toId(value: unknown, name: string): number {
  return toInteger(value, name, -1, UINT32_MAX);
}

export function utimes(path: unknown, atime: unknown, mtime: unknown): void {
  vfs.utimes(toPath(path), toTime(atime), toTime(mtime), true);
}

export function lutimes(path: unknown, atime: unknown, mtime: unknown): void {
  vfs.utimes(toPath(path), toTime(atime), toTime(mtime), false);
}

export function futimes(fd: unknown, atime: unknown, mtime: unknown): void {
  vfs.utimes(toDescriptor(fd), toTime(atime), toTime(mtime), true);
}

export function statfs(path: unknown): Record<string, number> {
  return vfs.statfs(toPath(path));
}

export const operations = {
  ...{ stat, lstat, fstat, access, statfs },
  ...{ chmod, fchmod, chown, lchown, fchown, utimes, lutimes, futimes },
};
