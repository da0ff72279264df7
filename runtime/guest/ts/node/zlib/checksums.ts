/** The checksums of zlib and gzip. */

/** The largest prime below 65536, and how many bytes the sums take before they must be reduced by it. */
const PRIME = 65521;
const SAFE = 5552;

export function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(at + SAFE, bytes.length); at < end; at++) high += low += bytes[at]!;
    low %= PRIME;
    high %= PRIME;
  }
  return high * 65536 + low;
}

let table: Uint32Array | undefined;

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
}

/** The checksum of what had `start` (0 for nothing) followed by these bytes. */
export function crc32(bytes: Uint8Array, start: number): number {
  const steps = (table ??= makeTable());
  let value = ~start;
  for (const byte of bytes) value = steps[(value ^ byte) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}
