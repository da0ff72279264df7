/** Operations on directories, links and names, in their synchronous form. */

import type { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { flag, named, Options, toMode, toOptions, toPath } from "./arguments";
import { refused } from "./faults";
import { constants } from "./flags";
import { Dirent } from "./stats";

const { vfs } = kernel;
const { S_IFDIR, S_IFMT } = constants;

export function mkdir(path: unknown, options?: unknown): string | undefined {
  const { mode, recursive = false } = modeOptions(options);
  const at = toPath(path);
  const bits = toMode(mode, 0o777);
  flag({ recursive }, "recursive");
  if (recursive) return vfs.mkdirs(at, bits);
  vfs.mkdir(at, bits);
  return undefined;
}

/** Here a string or a number is a mode, not an encoding. */
function modeOptions(options: unknown): Options {
  return typeof options === "string" || typeof options === "number" ? { mode: options } : toOptions(options);
}

export function mkdtemp(prefix: unknown, options?: unknown): string | Buffer {
  return named(vfs.mkdtemp(toPath(prefix, "prefix")), toOptions(options));
}

export function readdir(path: unknown, options?: unknown): (string | Buffer | Dirent)[] {
  const chosen = toOptions(options);
  const top = toPath(path);
  const { recursive, withFileTypes } = chosen;
  const found = recursive ? descend(top) : entries(top);
  if (withFileTypes) return found.map(({ name, parent, type }) => new Dirent(named(name, chosen), parent, type));
  return found.map(({ relative }) => named(relative, chosen));
}

interface Found {
  name: string;
  parent: string;
  /** From the top of the listing. */
  relative: string;
  type: number;
}

function entries(directory: string, prefix = "", call = "scandir"): Found[] {
  const { names, types } = vfs.readdir(directory, call);
  return names.map((name, index) => ({ name, parent: directory, relative: prefix + name, type: types[index]! }));
}

/** As Node orders a recursive listing: each directory whole, then those in it, breadth first. */
function descend(top: string): Found[] {
  const found = entries(top);
  for (const { name, parent, relative, type } of found) {
    if (type === S_IFDIR) found.push(...entries(joined(parent, name), `${relative}/`));
  }
  return found;
}

export function joined(parent: string, name: string): string {
  return parent.endsWith("/") ? parent + name : `${parent}/${name}`;
}

export function rm(path: unknown, options?: unknown): void {
  const chosen = toOptions(options);
  const force = flag(chosen, "force");
  const recursive = flag(chosen, "recursive");
  const at = toPath(path);
  if (force && !vfs.lexists(at)) return;
  const { mode } = vfs.lstat(at);
  if ((mode & S_IFMT) === S_IFDIR && !recursive) {
    const info = { code: "EISDIR", message: "is a directory", path: at, syscall: "rm", errno: 21 };
    throw refused("ERR_FS_EISDIR", "Path is a directory", info);
  }
  vfs.remove(at);
}

export function rmdir(path: unknown, options?: unknown): void {
  const at = toPath(path);
  if (flag(toOptions(options), "recursive") && vfs.exists(at)) vfs.remove(at);
  else vfs.rmdir(at);
}

export function unlink(path: unknown): void {
  vfs.unlink(toPath(path));
}

export function rename(from: unknown, to: unknown): void {
  vfs.rename(toPath(from, "oldPath"), toPath(to, "newPath"));
}

export function link(from: unknown, to: unknown): void {
  vfs.link(toPath(from, "existingPath"), toPath(to, "newPath"));
}

export function symlink(target: unknown, path: unknown): void {
  vfs.symlink(toPath(target, "target"), toPath(path));
}

export function readlink(path: unknown, options?: unknown): string | Buffer {
  return named(vfs.readlink(toPath(path)), toOptions(options));
}

export function realpath(path: unknown, options?: unknown): string | Buffer {
  return named(vfs.realpath(toPath(path)), toOptions(options));
}

export const operations = {
  ...{ mkdir, mkdtemp, readdir, rm, rmdir, unlink },
  ...{ rename, link, symlink, readlink, realpath },
};
