import { Buffer } from "node:buffer";
import { kernel } from "amla:kernel";
import type { HashHandle } from "../../bridge/native";
import { coded, requireString } from "../errors";
import { bytesFrom, output } from "./data";

const { hash: native } = kernel;

export const names = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

/** The names that OpenSSL also knows: "SHA-256", "RSA-SHA256", "sha-256". */
function canonical(name: string): string {
  return name.toLowerCase().replace(/^rsa-/, "").replace(/^sha-/, "sha");
}

const KNOWN = `Available in the sandbox: ${names.join(", ")}`;

/** A new running digest; `fault` words the refusal of names that there are not. */
export function start(algorithm: string, fault = invalidDigest): HashHandle {
  const handle = native.create(canonical(algorithm));
  if (!handle) throw fault(algorithm);
  return handle;
}

function invalidDigest(algorithm: string): Error {
  return coded(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}. ${KNOWN}`);
}

function unsupportedDigest(algorithm: string): Error {
  return coded(Error, "ERR_OSSL_EVP_UNSUPPORTED", `Digest method not supported: '${algorithm}'. ${KNOWN}`);
}

function finalized(): Error {
  return coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
}

/** Text and bytes in, one digest out; `copy` branches off a running one. */
export class Hash {
  readonly #handle: HashHandle;
  #finished = false;

  constructor(handle: HashHandle) {
    this.#handle = handle;
  }

  update(data: unknown, encoding?: string): this {
    if (this.#finished) throw finalized();
    native.update(this.#handle, bytesFrom("data", data, encoding));
    return this;
  }

  digest(encoding?: string): Buffer | string {
    if (this.#finished) throw finalized();
    this.#finished = true;
    return output(native.digest(this.#handle), encoding);
  }

  copy(): Hash {
    if (this.#finished) throw finalized();
    return branch(this.#handle);
  }

  /** As the last stage of a pipe. */
  write(data: unknown, encoding?: string): boolean {
    this.update(data, encoding);
    return true;
  }
  end(data?: unknown, encoding?: string): this {
    if (data !== undefined) this.update(data, encoding);
    return this;
  }
}

function branch(handle: HashHandle): Hash {
  return new Hash(native.copy(handle));
}

export function createHash(algorithm: string): Hash {
  requireString("algorithm", algorithm);
  return new Hash(start(algorithm, unsupportedDigest));
}

/** The whole digest in one call. */
export function hash(algorithm: string, data: unknown, encoding = "hex"): Buffer | string {
  return createHash(algorithm).update(data).digest(encoding);
}

/** Inner and outer hash of an HMAC, each fed its padded key. */
export interface Keyed {
  inner: HashHandle;
  outer: HashHandle;
}

export function keyed(algorithm: string, key: Uint8Array): Keyed {
  const plain = start(algorithm);
  const size = native.blockSize(plain);
  const padded = Buffer.alloc(size);
  padded.set(key.length > size ? digestOf(native.copy(plain), key) : key);
  const withPad = (pad: number): HashHandle => {
    const handle = native.copy(plain);
    native.update(
      handle,
      padded.map((byte) => byte ^ pad),
    );
    return handle;
  };
  return { inner: withPad(0x36), outer: withPad(0x5c) };
}

export function digestOf(handle: HashHandle, bytes: Uint8Array): Uint8Array {
  native.update(handle, bytes);
  return native.digest(handle);
}

export function hmacOf({ inner, outer }: Keyed, ...parts: Uint8Array[]): Uint8Array {
  const handle = native.copy(inner);
  for (const part of parts) native.update(handle, part);
  return digestOf(native.copy(outer), native.digest(handle));
}

export class Hmac {
  readonly #keyed: Keyed;
  #finished = false;

  constructor(algorithm: string, key: Uint8Array) {
    this.#keyed = keyed(algorithm, key);
  }

  update(data: unknown, encoding?: string): this {
    if (this.#finished) throw finalized();
    native.update(this.#keyed.inner, bytesFrom("data", data, encoding));
    return this;
  }

  /** A second digest is empty, as in Node. */
  digest(encoding?: string): Buffer | string {
    const result = this.#finished ? Buffer.alloc(0) : hmacOf(this.#keyed);
    this.#finished = true;
    return output(result, encoding);
  }
}

const KEY = "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey";

export function createHmac(algorithm: string, key: unknown): Hmac {
  requireString("hmac", algorithm);
  return new Hmac(algorithm, bytesFrom("key", key, "utf8", KEY));
}
