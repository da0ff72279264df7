/** Operations on what is in files, in their synchronous form. */

import type { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import {
  isUtf8,
  Options,
  toBytes,
  toData,
  toDescriptor,
  toInteger,
  toMode,
  toOptions,
  toPath,
  toPathOrDescriptor,
} from "./arguments";
import { asBuffer } from "./bytes";
import { invalidType, outOfRange } from "../errors";
import { constants, toFlags } from "./flags";

const { vfs } = kernel;

type Bytes = Uint8Array | ArrayBufferView;

export function open(path: unknown, flags?: unknown, mode?: unknown): number {
  return vfs.open(toPath(path), toFlags(flags, "r"), toMode(mode, 0o666));
}

export function close(fd: unknown): void {
  vfs.close(toDescriptor(fd));
}

export function readFile(path: unknown, options?: unknown): string | Buffer {
  const { encoding, flag } = toOptions(options);
  const from = toPathOrDescriptor(path);
  const flags = toFlags(flag, "r");
  if (encoding && isUtf8(encoding)) return vfs.readText(from, flags);
  const buffer = asBuffer(vfs.readFile(from, flags));
  return encoding && encoding !== "buffer" ? buffer.toString(encoding as string) : buffer;
}

export function writeFile(path: unknown, data: unknown, options?: unknown): void {
  put(path, data, toOptions(options), "w");
}

export function appendFile(path: unknown, data: unknown, options?: unknown): void {
  put(path, data, toOptions(options), "a");
}

function put(path: unknown, data: unknown, { encoding, flag, mode }: Options, absent: string): void {
  const bytes = toData(data, encoding);
  vfs.writeFile(toPathOrDescriptor(path), bytes, toFlags(flag, absent), toMode(mode, 0o666));
}

export function copyFile(from: unknown, to: unknown, mode: unknown = 0): void {
  const exclusive = (toInteger(mode, "mode", 0, 7) & constants.COPYFILE_EXCL) !== 0;
  vfs.copyFile(toPath(from, "src"), toPath(to, "dest"), exclusive);
}

export function truncate(path: unknown, length: unknown = 0): void {
  vfs.truncate(toPath(path), Math.max(0, toInteger(length, "len")));
}

export function ftruncate(fd: unknown, length: unknown = 0): void {
  vfs.truncate(toDescriptor(fd), Math.max(0, toInteger(length, "len")));
}

/** `read(fd, buffer, offset, length, position)` or `read(fd, buffer, { offset, length, position })`. */
export function read(fd: unknown, buffer: unknown, where?: unknown, length?: unknown, position?: unknown): number {
  const into = toBytes(buffer);
  const descriptor = toDescriptor(fd);
  if (!into) throw invalidType("buffer", "an instance of Buffer, TypedArray, or DataView", buffer);
  const at = typeof where === "object" && where !== null ? (where as Options) : { offset: where, length, position };
  const { offset, count } = range(into, at);
  return count === 0 ? 0 : vfs.read(descriptor, into, offset, count, toPosition(at["position"]));
}

/** `write(fd, bytes, offset, length, position)`, `write(fd, bytes, options)`, `write(fd, text, position, encoding)`. */
export function write(fd: unknown, data: unknown, where?: unknown, length?: unknown, position?: unknown): number {
  const descriptor = toDescriptor(fd);
  if (typeof data === "string") return vfs.write(descriptor, toData(data, length), toPosition(where));
  const bytes = toBytes(data);
  if (!bytes) throw invalidType("buffer", "of type string or an instance of Buffer, TypedArray, or DataView", data);
  const at = typeof where === "object" && where !== null ? (where as Options) : { offset: where, length, position };
  const { offset, count } = range(bytes, at);
  return vfs.write(descriptor, bytes.subarray(offset, offset + count), toPosition(at["position"]));
}

export function readv(fd: unknown, buffers: Bytes[], position?: unknown): number {
  return each(buffers, position, (buffer, at) => read(fd, buffer, 0, buffer.byteLength, at), true);
}

export function writev(fd: unknown, buffers: Bytes[], position?: unknown): number {
  return each(buffers, position, (buffer, at) => write(fd, buffer, 0, buffer.byteLength, at), false);
}

type Step = (buffer: Bytes, at: number | null) => number;

function each(buffers: Bytes[], position: unknown, step: Step, stopShort: boolean): number {
  if (!Array.isArray(buffers)) throw invalidType("buffers", "an instance of ArrayBufferView[]", buffers);
  const start = toPosition(position);
  let total = 0;
  for (const buffer of buffers) {
    const done = step(buffer, start === null ? null : start + total);
    total += done;
    if (stopShort && done < buffer.byteLength) break;
  }
  return total;
}

function range(bytes: Uint8Array, at: Options): { offset: number; count: number } {
  const offset = toInteger(at["offset"] ?? 0, "offset", 0);
  const room = bytes.byteLength - offset;
  const count = toInteger(at["length"] ?? Math.max(0, room), "length");
  if (offset > bytes.byteLength) throw outOfRange("offset", `<= ${bytes.byteLength}`, offset);
  if (count > room) throw outOfRange("length", `<= ${room}`, count);
  if (count < 0) throw outOfRange("length", ">= 0", count);
  return { offset, count };
}

/** Positions below zero, like none at all, mean the descriptor's own. */
function toPosition(value: unknown): number | null {
  const position = typeof value === "bigint" ? Number(value) : value;
  return typeof position === "number" && position >= 0 ? toInteger(position, "position") : null;
}

export function fsync(fd: unknown): void {
  vfs.fsync(toDescriptor(fd));
}

export const fdatasync = fsync;

export const operations = {
  ...{ open, close, readFile, writeFile, appendFile, copyFile, truncate, ftruncate },
  ...{ read, write, readv, writev, fsync, fdatasync },
};
