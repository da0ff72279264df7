import { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import { coded, requireInteger, requireString } from "../errors";
import { bytesFrom } from "./data";
import { hmacOf, keyed, type Keyed } from "./hash";
import { deliver } from "./random";

const { hash: native } = kernel;

/** Rounds in one call into C, so that an endless derivation can be interrupted between calls. */
const ROUNDS_AT_ONCE = 5000;

const MOST = 2 ** 31 - 1;

function bigEndian(index: number): Uint8Array {
  return Uint8Array.of(index >>> 24, index >>> 16, index >>> 8, index);
}

function block(key: Keyed, salt: Uint8Array, index: number, iterations: number): Uint8Array {
  const running = hmacOf(key, salt, bigEndian(index));
  const sum = running.slice();
  for (let left = iterations - 1; left > 0; left -= ROUNDS_AT_ONCE) {
    native.stretch(key.inner, key.outer, running, sum, Math.min(left, ROUNDS_AT_ONCE));
  }
  return sum;
}

function gather(length: number, next: (index: number) => Uint8Array): Buffer {
  const result = Buffer.alloc(length);
  for (let index = 1, at = 0; at < length; index++) {
    const part = next(index);
    result.set(part.subarray(0, length - at), at);
    at += part.length;
  }
  return result;
}

export function pbkdf2Sync(
  password: unknown,
  salt: unknown,
  iterations: number,
  length: number,
  digest: string,
): Buffer {
  requireString("digest", digest);
  const [secret, salted] = [bytesFrom("password", password), bytesFrom("salt", salt)];
  requireInteger("iterations", iterations, 1, MOST);
  requireInteger("keylen", length, 0, MOST);
  const key = keyed(digest, secret);
  return gather(length, (index) => block(key, salted, index, iterations));
}

type Done<T> = (error: Error | null, value: T) => void;

export function pbkdf2(
  password: unknown,
  salt: unknown,
  iterations: number,
  length: number,
  digest: string,
  done: Done<Buffer>,
): void {
  deliver(pbkdf2Sync(password, salt, iterations, length, digest), done);
}

export function hkdfSync(digest: string, key: unknown, salt: unknown, info: unknown, length: number): ArrayBuffer {
  requireString("digest", digest);
  requireInteger("length", length, 0, MOST);
  const [secret, salted, context] = [bytesFrom("ikm", key), bytesFrom("salt", salt), bytesFrom("info", info)];
  const extracted = hmacOf(keyed(digest, salted), secret);
  if (length > 255 * extracted.length) throw coded(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  const expanding = keyed(digest, extracted);
  let last: Uint8Array = Buffer.alloc(0);
  const result = gather(length, (index) => (last = hmacOf(expanding, last, context, Uint8Array.of(index))));
  return result.buffer.slice(result.byteOffset, result.byteOffset + length) as ArrayBuffer;
}

export function hkdf(
  digest: string,
  key: unknown,
  salt: unknown,
  info: unknown,
  length: number,
  done: Done<ArrayBuffer>,
): void {
  deliver(hkdfSync(digest, key, salt, info, length), done);
}
