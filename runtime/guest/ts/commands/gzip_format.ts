/** Streams of gzip (RFC 1952): headers, and what follows the compressed bytes. */

import { native } from "../bridge/native";

export interface Header {
  readonly name: string | undefined;
  /** Seconds since 1970; 0 for none. */
  readonly time: number;
  /** Bytes that it takes. */
  readonly length: number;
}

const MAGIC = [0x1f, 0x8b] as const;
const DEFLATED = 8;
const UNIX = 3;
const Flag = { crc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;
const FIXED = 10;
export const TRAILER = 8;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === MAGIC[0] && bytes[1] === MAGIC[1];
}

export function header(name: string | undefined, time: number, level: number): Uint8Array {
  const named = name === undefined ? [] : [...native.text.encode(name), 0];
  const speed = level === 9 ? 2 : level === 1 ? 4 : 0;
  const seconds = [0, 8, 16, 24].map((shift) => (time >>> shift) & 255);
  return Uint8Array.from([...MAGIC, DEFLATED, named.length > 0 ? Flag.name : 0, ...seconds, speed, UNIX, ...named]);
}

export function trailer(crc: number, size: number): Uint8Array {
  const words = [crc, size % 2 ** 32];
  return Uint8Array.from(words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255)));
}

export function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** Undefined when the bytes are too few to tell; a text when they are no header that is understood. */
export function readHeader(bytes: Uint8Array): Header | string | undefined {
  if (bytes.length < FIXED) return undefined;
  if (bytes[2] !== DEFLATED) return `unknown method ${bytes[2]} -- not supported`;
  const flags = bytes[3]!;
  if (flags & Flag.reserved) return `has flags 0x${flags.toString(16)} -- not supported`;
  let at = FIXED;
  if (flags & Flag.extra) at += 2 + bytes[at]! + (bytes[at + 1]! << 8);
  const text = (): string | undefined => {
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const value = native.text.decode(bytes.subarray(at, end));
    at = end + 1;
    return value;
  };
  const name = flags & Flag.name ? text() : undefined;
  if (flags & Flag.name && name === undefined) return undefined;
  if (flags & Flag.comment && text() === undefined) return undefined;
  if (flags & Flag.crc) at += 2;
  return at > bytes.length ? undefined : { name, time: word(bytes, 4), length: at };
}
