/** Node's `path`, which is that of POSIX, as the sandbox's files are. */

import { kernel } from "amla:kernel";
import { requireString } from "./errors";
import { lazily } from "./lazily";
import { dotted, extensionOf, type ParsedPath, requireParts, settle } from "./path_parts";

const sep = "/";
const delimiter = ":";

function normalize(path: string): string {
  requireString("path", path);
  if (path === "") return ".";
  const absolute = path.startsWith(sep);
  const settled = settle(path.split(sep), absolute).join(sep) || (absolute ? "" : ".");
  const trailing = path.endsWith(sep) && settled !== "" ? sep : "";
  return (absolute ? sep : "") + settled + trailing;
}

function isAbsolute(path: string): boolean {
  requireString("path", path);
  return path.startsWith(sep);
}

function join(...paths: string[]): string {
  for (const path of paths) requireString("path", path);
  return normalize(paths.filter((path) => path !== "").join(sep));
}

function resolve(...paths: string[]): string {
  let resolved = "";
  for (let index = paths.length - 1; index >= 0 && !resolved.startsWith(sep); index -= 1) {
    const path: unknown = paths[index];
    requireString(`paths[${index}]`, path);
    if (path !== "") resolved = `${path}/${resolved}`;
  }
  if (!resolved.startsWith(sep)) resolved = `${kernel.vfs.cwd()}/${resolved}`;
  return sep + settle(resolved.split(sep), true).join(sep);
}

function relative(from: string, to: string): string {
  requireString("from", from);
  requireString("to", to);
  const here = settle(resolve(from).split(sep), true);
  const there = settle(resolve(to).split(sep), true);
  let shared = 0;
  while (shared < here.length && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join(sep);
}

function dirname(path: string): string {
  requireString("path", path);
  if (path === "") return ".";
  const end = lastSlash(withoutTrailing(path));
  if (end === -1) return path.startsWith(sep) ? sep : ".";
  if (end === 1 && path.startsWith("//")) return "//";
  return end === 0 ? sep : path.slice(0, end);
}

function basename(path: string, suffix?: string): string {
  if (suffix !== undefined) requireString("suffix", suffix);
  requireString("path", path);
  if (path === suffix) return "";
  const trimmed = withoutTrailing(path);
  const base = trimmed.slice(lastSlash(trimmed) + 1);
  return suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
}

function extname(path: string): string {
  requireString("path", path);
  return extensionOf(basename(path));
}

function parse(path: string): ParsedPath {
  requireString("path", path);
  const base = basename(path);
  const ext = extensionOf(base);
  const root = path.startsWith(sep) ? sep : "";
  const dir = withoutTrailing(path).slice(0, -base.length || undefined);
  return { root, dir: base === "" ? root : dirOf(dir), base, ext, name: base.slice(0, base.length - ext.length) };
}

/** All up to the slash before the base; the root keeps its slash. */
function dirOf(path: string): string {
  return path.length > 1 ? path.slice(0, -1) : path;
}

function format(parts: Partial<ParsedPath>): string {
  requireParts(parts);
  const dir = parts.dir || parts.root;
  const base = parts.base || `${parts.name ?? ""}${dotted(parts.ext)}`;
  if (!dir) return base;
  return dir === parts.root ? dir + base : dir + sep + base;
}

function toNamespacedPath(path: string): string {
  return path;
}

function withoutTrailing(path: string): string {
  return path.replace(/\/+$/, "");
}

function lastSlash(path: string): number {
  return path.lastIndexOf(sep);
}

const path = {
  resolve,
  normalize,
  isAbsolute,
  join,
  relative,
  toNamespacedPath,
  dirname,
  basename,
  extname,
  format,
  parse,
  sep,
  delimiter,
};

const exported = Object.assign(path, { posix: path });
lazily(exported, { win32: () => require("node:path/win32") as object });

export {};
module.exports = exported;
