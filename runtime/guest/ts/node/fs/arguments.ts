/** From what scripts pass to what the kernel takes: paths, bytes, descriptors, modes, times, options. */

import type { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { asBuffer, buffers } from "./bytes";
import { coded, invalidType, invalidValue, outOfRange } from "../errors";

export type Options = Record<string, unknown>;

const NO_NULLS = "must be a string, Uint8Array, or URL without null bytes";
const UINT32_MAX = 0xffff_ffff;
const INT32_MAX = 0x7fff_ffff;

export function toPath(value: unknown, name = "path"): string {
  const path = pathText(value, name);
  if (path.includes("\0")) throw invalidValue(name, path.replaceAll("\0", "\\x00"), NO_NULLS);
  return path;
}

export function toPathOrDescriptor(value: unknown): string | number {
  return typeof value === "number" && value === (value | 0) ? toDescriptor(value) : toPath(value);
}

function pathText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return kernel.vfs.pathOf(value);
  if (isUrl(value)) return fromFileUrl(value);
  throw invalidType(name, "of type string or an instance of Buffer or URL", value);
}

interface FileUrl {
  protocol: string;
  hostname: string;
  pathname: string;
}

function isUrl(value: unknown): value is FileUrl {
  return typeof value === "object" && value !== null && "href" in value && "protocol" in value && "pathname" in value;
}

function fromFileUrl(url: FileUrl): string {
  if (url.protocol !== "file:") throw coded(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (url.hostname) {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on linux');
  }
  if (/%2f/i.test(url.pathname)) {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(url.pathname);
}

export function toDescriptor(value: unknown, name = "fd"): number {
  return toInteger(value, name, 0, INT32_MAX);
}

export function toInteger(
  value: unknown,
  name: string,
  least = -Number.MAX_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value !== "number") throw invalidType(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < least || value > most) throw outOfRange(name, `>= ${least} && <= ${most}`, value);
  return value;
}

/** Permission bits as a number or an octal string; `absent` stands for undefined. */
export function toMode(value: unknown, absent?: number): number {
  if ((value === undefined || value === null) && absent !== undefined) return absent;
  if (typeof value !== "string") return toInteger(value, "mode", 0, UINT32_MAX);
  if (!/^[0-7]+$/.test(value)) {
    throw invalidValue("mode", value, "must be a 32-bit unsigned integer or an octal string");
  }
  return parseInt(value, 8);
}

/** Seconds (a number or a numeric string) or a Date, to milliseconds. */
export function toTime(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  const seconds = typeof value === "string" ? Number(value) : value;
  if (typeof seconds === "number" && Number.isFinite(seconds)) return seconds * 1000;
  throw invalidType("time", "an instance of Date or an Time in seconds", value);
}

/** Options may be left out, or be only an encoding. */
export function toOptions(value: unknown): Options {
  if (value === undefined || value === null || typeof value === "function") return {};
  if (typeof value === "string") return checkedEncoding({ encoding: value });
  if (typeof value !== "object") throw invalidType("options", "one of type string or object", value);
  return checkedEncoding(value as Options);
}

function checkedEncoding(options: Options): Options {
  const { encoding } = options;
  if (isUtf8(encoding) || encoding === "" || encoding === "buffer") return options;
  if (!buffers().isEncoding(encoding)) {
    throw invalidValue("encoding", encoding, "is invalid encoding");
  }
  return options;
}

export function flag(options: Options, name: string): boolean {
  const value = options[name];
  if (value === undefined) return false;
  if (typeof value !== "boolean") throw invalidType(`options.${name}`, "of type boolean", value);
  return value;
}

/** What can be written to a file: UTF-8 text is left to the kernel, the rest becomes bytes here. */
export function toData(value: unknown, encoding: unknown): string | Uint8Array {
  if (typeof value === "string") return isUtf8(encoding) ? value : buffers().from(value, encoding as string);
  return toBytes(value) ?? fault(value);
}

function fault(value: unknown): never {
  throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", value);
}

/** The bytes under a typed array or a DataView, shared with it. */
export function toBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

export function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === null || encoding === "utf8" || /^utf-?8$/i.test(encoding as string);
}

/** A name or path in the form that `encoding` asks for. */
export function named(text: string, { encoding }: Options): string | Buffer {
  return encoding === "buffer" ? asBuffer(kernel.vfs.bytesOf(text)) : text;
}
