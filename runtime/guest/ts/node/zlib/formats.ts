/** What gzip (RFC 1952) and zlib (RFC 1950) put around compressed bytes. */

import { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { adler32 } from "./checksums";

export type Format = "gzip" | "zlib" | "raw";

const { deflate, inflate } = kernel.zlib;

const CUT_SHORT = "unexpected end of file";
const HEADER = "incorrect header check";
const CHECK = "incorrect data check";
const GZIP_TRAILER = 8;
const ZLIB_HEADER = 2;
const ZLIB_TRAILER = 4;
const Flag = { crc: 2, extra: 4, name: 8, comment: 16 } as const;

/** A fault of zlib's, with the names that Node gives it. */
export function fault(message: string): Error {
  const short = message === CUT_SHORT;
  return Object.assign(new Error(message), { errno: short ? -5 : -3, code: short ? "Z_BUF_ERROR" : "Z_DATA_ERROR" });
}

function done<T>(outcome: string | T): T {
  if (typeof outcome === "string") throw fault(outcome);
  return outcome as T;
}

function word(value: number, big: boolean): Buffer {
  const bytes = Buffer.alloc(4);
  viewOf(bytes).setUint32(0, value, !big);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The second byte tells the effort, and makes both a multiple of 31. */
function zlibHeader(level: number): Buffer {
  const effort = level === 1 || level === 0 ? 0x01 : level < 0 || level === 6 ? 0x9c : level < 6 ? 0x5e : 0xda;
  return Buffer.from([0x78, effort]);
}

function gzipHeader(level: number): Buffer {
  return Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, level === 9 ? 2 : level === 1 ? 4 : 0, 3]);
}

export function pack(format: Format, bytes: Uint8Array, level: number): Buffer {
  const [packed, crc] = done(deflate(bytes, level < 0 ? 6 : Math.max(level, 1)));
  if (format === "raw") return Buffer.from(packed);
  if (format === "zlib") return Buffer.concat([zlibHeader(level), packed, word(adler32(bytes), true)]);
  return Buffer.concat([gzipHeader(level), packed, word(crc, false), word(bytes.length % 2 ** 32, false)]);
}

export function unpack(format: Format, bytes: Buffer): Buffer {
  if (format === "raw") return Buffer.from(done(inflate(bytes))[0]);
  return format === "zlib" ? unpackZlib(bytes) : unpackGzip(bytes);
}

function unpackZlib(bytes: Buffer): Buffer {
  if (bytes.length < ZLIB_HEADER) throw fault(CUT_SHORT);
  if ((bytes[0]! & 15) !== 8 || viewOf(bytes).getUint16(0) % 31 !== 0) throw fault(HEADER);
  const [plain, , unused] = done(inflate(bytes.subarray(ZLIB_HEADER)));
  if (unused < ZLIB_TRAILER) throw fault(CUT_SHORT);
  if (viewOf(bytes).getUint32(bytes.length - unused) !== adler32(plain)) throw fault(CHECK);
  return Buffer.from(plain);
}

/** All members, one after the other; what is none behind them counts for nothing. */
function unpackGzip(bytes: Buffer): Buffer {
  const members: Uint8Array[] = [];
  let rest = bytes;
  do {
    const [plain, crc, unused] = done(inflate(rest.subarray(gzipHeaderLength(rest))));
    if (unused < GZIP_TRAILER) throw fault(CUT_SHORT);
    const trailer = rest.subarray(rest.length - unused);
    if (viewOf(trailer).getUint32(0, true) !== crc >>> 0) throw fault(CHECK);
    members.push(plain);
    rest = trailer.subarray(GZIP_TRAILER);
  } while (isGzip(rest));
  return Buffer.concat(members);
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gzipHeaderLength(bytes: Buffer): number {
  if (bytes.length > 1 ? !isGzip(bytes) : bytes.length === 1 && bytes[0] !== 0x1f) throw fault(HEADER);
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & Flag.extra) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  for (const text of [Flag.name, Flag.comment]) if (flags & text) at = bytes.indexOf(0, at) + 1 || bytes.length;
  if (flags & Flag.crc) at += 2;
  if (at >= bytes.length) throw fault(CUT_SHORT);
  return at;
}
