/** `path.win32`: paths of Windows as texts. The sandbox's own are POSIX, so relative ones begin at a folder without a drive. */

import { kernel } from "amla:kernel";
import { requireString } from "./errors";
import { dotted, extensionOf, type ParsedPath, requireParts, settle } from "./path_parts";

const sep = "\\";
const SEPARATORS = /[\\/]+/;
const SHARE = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]+|$)/;
const DRIVE = /^[A-Za-z]:/;

/** A path without its root: `device` is `C:`, `\\server\share` or empty. */
interface Rooted {
  device: string;
  absolute: boolean;
  rest: string;
  /** How much of the path as it was written the root takes. */
  length: number;
}

function rooted(path: string): Rooted {
  const share = SHARE.exec(path);
  const device = share ? `\\\\${share[1]}\\${share[2]}` : (DRIVE.exec(path)?.[0] ?? "");
  const behind = share ? path.slice(share[0].length) : path.slice(device.length);
  const absolute = share !== null || /^[\\/]/.test(behind);
  const length = path.length - behind.length + (absolute && !share ? 1 : 0);
  return { device, absolute, rest: behind, length };
}

function settled(path: string, absolute: boolean): string {
  return settle(path.split(SEPARATORS), absolute).join(sep);
}

function normalize(path: string): string {
  requireString("path", path);
  if (path === "") return ".";
  const { device, absolute, rest } = rooted(path);
  const tail = settled(rest, absolute) || (absolute ? "" : ".");
  const trailing = /[\\/]$/.test(rest) && tail !== "" ? sep : "";
  return device + (absolute ? sep : "") + tail + trailing;
}

function isAbsolute(path: string): boolean {
  requireString("path", path);
  return /^(?:[A-Za-z]:)?[\\/]/.test(path);
}

/** Two separators that joining alone brings to the front name no server. */
function join(...paths: string[]): string {
  for (const path of paths) requireString("path", path);
  const given = paths.filter((path) => path !== "");
  const joined = given.join(sep);
  const names = /^[\\/]{2}[^\\/]/.test(given[0] ?? "");
  return normalize(names ? joined : joined.replace(/^[\\/]{2,}/, sep));
}

function resolve(...paths: string[]): string {
  let [device, tail, absolute] = ["", "", false];
  for (let index = paths.length - 1; index >= -1 && !(absolute && device); index -= 1) {
    const path: unknown = index >= 0 ? paths[index] : kernel.vfs.cwd();
    requireString(`paths[${index}]`, path);
    if (path === "") continue;
    const part = rooted(path);
    if (part.device && device && part.device.toLowerCase() !== device.toLowerCase()) continue;
    device ||= part.device;
    if (absolute) continue;
    tail = `${part.rest}${sep}${tail}`;
    absolute = part.absolute;
  }
  return device + (absolute ? sep : "") + settled(tail, absolute) || ".";
}

function relative(from: string, to: string): string {
  requireString("from", from);
  requireString("to", to);
  const target = resolve(to);
  const [here, there] = [resolve(from), target].map((path) => path.split(sep).filter(Boolean)) as [string[], string[]];
  let shared = 0;
  while (shared < here.length && here[shared]!.toLowerCase() === there[shared]?.toLowerCase()) shared += 1;
  if (shared === 0 && here.length > 0) return target;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join(sep);
}

/** Where the last component begins and ends; separators behind it are not part of it. */
function lastPart(path: string): [start: number, end: number] {
  const { length } = rooted(path);
  const end = Math.max(path.replace(/[\\/]+$/, "").length, length);
  let start = end;
  while (start > length && !/[\\/]/.test(path[start - 1]!)) start -= 1;
  return [start, end];
}

function dirname(path: string): string {
  requireString("path", path);
  const { length } = rooted(path);
  const [start] = lastPart(path);
  return path.slice(0, start > length ? start - 1 : length) || ".";
}

function basename(path: string, suffix?: string): string {
  if (suffix !== undefined) requireString("suffix", suffix);
  requireString("path", path);
  if (path === suffix) return "";
  const base = baseOf(path);
  return suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
}

/** A share's name counts as a component here, as it does in Node. */
function baseOf(path: string): string {
  return path.replace(DRIVE, "").replace(/[\\/]+$/, "").split(SEPARATORS).at(-1)!;
}

function extname(path: string): string {
  requireString("path", path);
  return extensionOf(baseOf(path));
}

function parse(path: string): ParsedPath {
  requireString("path", path);
  const { length } = rooted(path);
  const [start, end] = lastPart(path);
  const base = path.slice(start, end);
  const ext = extensionOf(base);
  const dir = path.slice(0, start > length ? start - 1 : length);
  return { root: path.slice(0, length), dir, base, ext, name: base.slice(0, base.length - ext.length) };
}

function format(parts: Partial<ParsedPath>): string {
  requireParts(parts);
  const dir = parts.dir || parts.root;
  const base = parts.base || `${parts.name ?? ""}${dotted(parts.ext)}`;
  if (!dir) return base;
  return dir === parts.root ? dir + base : dir + sep + base;
}

/** Long paths for the Windows API: `\\?\C:\…`, `\\?\UNC\server\share\…`. */
function toNamespacedPath(path: unknown): unknown {
  if (typeof path !== "string" || path === "") return path;
  const resolved = resolve(path);
  if (/^\\\\[^?.]/.test(resolved)) return `\\\\?\\UNC\\${resolved.slice(2)}`;
  return /^[A-Za-z]:\\/.test(resolved) ? `\\\\?\\${resolved}` : path;
}

const win32 = {
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
  delimiter: ";",
};

Object.defineProperty(win32, "posix", { get: () => require("node:path") as unknown, enumerable: true, configurable: true });

export {};
module.exports = Object.assign(win32, { win32 });
