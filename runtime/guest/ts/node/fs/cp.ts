/** `fs.cp`: copies files and whole trees. */

import { kernel } from "amla:kernel";
import { flag, Options, toOptions, toPath } from "./arguments";
import { invalidType } from "../errors";
import { refused } from "./faults";
import { constants } from "./flags";
import { joined } from "./tree";

const { vfs } = kernel;
const { S_IFDIR, S_IFLNK, S_IFMT } = constants;

type Filter = (from: string, to: string) => unknown;

interface Choice {
  recursive: boolean;
  force: boolean;
  errorOnExist: boolean;
  dereference: boolean;
  preserveTimestamps: boolean;
  filter: Filter;
}

export function cp(from: unknown, to: unknown, options?: unknown): void {
  const choice = toChoice(toOptions(options));
  const source = toPath(from, "src");
  const target = toPath(to, "dest");
  const { mode } = status(source, choice);
  const directory = isDirectory(mode);
  if (directory && !choice.recursive) refuse("EISDIR", source, `${source} is a directory (not copied)`, 21);
  if (directory) demandOutside(source, target);
  const parent = target.replace(/\/+[^/]*\/*$/, "");
  if (parent !== target && parent !== "") vfs.mkdirs(parent, 0o777);
  copy(source, target, choice);
}

function toChoice(options: Options): Choice {
  const filter = options["filter"] ?? (() => true);
  if (typeof filter !== "function") throw invalidType("options.filter", "of type function", filter);
  const force = options["force"] === undefined || flag(options, "force");
  const [recursive, errorOnExist, dereference, preserveTimestamps] = (
    ["recursive", "errorOnExist", "dereference", "preserveTimestamps"] as const
  ).map((name) => flag(options, name)) as [boolean, boolean, boolean, boolean];
  return { recursive, force, errorOnExist, dereference, preserveTimestamps, filter: filter as Filter };
}

function copy(from: string, to: string, choice: Choice): void {
  if (!chosen(choice.filter(from, to))) return;
  const { mode, atimeMs, mtimeMs } = status(from, choice);
  if (isDirectory(mode)) return copyDirectory(from, to, mode, choice);
  if ((mode & S_IFMT) === S_IFLNK) return copyLink(from, to, choice);
  if (!mayWrite(to, choice)) return;
  vfs.copyFile(from, to, false);
  if (choice.preserveTimestamps) vfs.utimes(to, atimeMs, mtimeMs, true);
}

/** A promise is always truthy: taking it for a yes would copy what the filter meant to leave out. */
function chosen(answer: unknown): boolean {
  if (answer instanceof Promise) throw invalidType("options.filter", "a function that answers at once", answer);
  return Boolean(answer);
}

function copyDirectory(from: string, to: string, mode: number, choice: Choice): void {
  if (!vfs.exists(to)) vfs.mkdirs(to, mode & 0o7777);
  else if (!isDirectory(vfs.stat(to).mode))
    refuse("EISDIR", to, `cannot overwrite non-directory ${to} with directory ${from}`, 21, "ERR_FS_CP_DIR_TO_NON_DIR");
  for (const name of vfs.readdir(from, "scandir").names) copy(joined(from, name), joined(to, name), choice);
}

function copyLink(from: string, to: string, choice: Choice): void {
  if (!mayWrite(to, choice)) return;
  if (vfs.lexists(to)) vfs.unlink(to);
  const target = vfs.readlink(from);
  vfs.symlink(target.startsWith("/") ? target : joined(vfs.realpath(parentOf(from)), target), to);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1) || ".";
}

function mayWrite(to: string, { force, errorOnExist }: Choice): boolean {
  if (force || !vfs.lexists(to)) return true;
  if (errorOnExist) refuse("EEXIST", to, `${to} already exists`, 17, "ERR_FS_CP_EEXIST", "Target already exists");
  return false;
}

function status(path: string, { dereference }: Choice): { mode: number; atimeMs: number; mtimeMs: number } {
  return dereference ? vfs.stat(path) : vfs.lstat(path);
}

function isDirectory(mode: number): boolean {
  return (mode & S_IFMT) === S_IFDIR;
}

function demandOutside(from: string, to: string): void {
  const absolute = (path: string): string => (path.startsWith("/") ? path : joined(vfs.cwd(), path));
  const source = `${vfs.realpath(from)}/`;
  const [inside] = closest(absolute(to));
  if (`${inside}/`.startsWith(source)) {
    const message = `cannot copy ${from} to a subdirectory of self ${to}`;
    refuse("EINVAL", to, message, 22, "ERR_FS_CP_EINVAL", "Invalid src or dest");
  }
}

/** The real path of the nearest part of `path` that exists. */
function closest(path: string): [string] {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) if (vfs.exists(at)) return [vfs.realpath(at)];
  return ["/"];
}

function refuse(
  code: string,
  path: string,
  message: string,
  errno: number,
  name = "ERR_FS_EISDIR",
  words = "Path is a directory",
): never {
  throw refused(name, words, { code, message, path, syscall: "cp", errno });
}
