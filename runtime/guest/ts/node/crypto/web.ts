import { kernel } from "amla:kernel";
import { digestOf, start } from "./hash";
import { getRandomValues, randomUUID } from "./random";

/** What the standard calls the digests that `subtle` offers. */
const digests = new Map([
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"],
]);

function notSupported(what: string): DOMException {
  return new DOMException(
    `${what} is not available in the sandbox; digests and HMAC are, in node:crypto`,
    "NotSupportedError",
  );
}

class SubtleCrypto {
  async digest(algorithm: string | { name: string }, data: ArrayBufferView | ArrayBuffer): Promise<ArrayBuffer> {
    const name = `${typeof algorithm === "string" ? algorithm : algorithm.name}`;
    const known = digests.get(name.toUpperCase());
    if (!known) throw new DOMException("Unrecognized algorithm name", "NotSupportedError");
    if (!ArrayBuffer.isView(data) && !kernel.types.isArrayBuffer(data)) {
      throw new TypeError("data is no ArrayBuffer, TypedArray or DataView");
    }
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    return digestOf(start(known), bytes).buffer as ArrayBuffer;
  }
}

for (const name of [
  "encrypt",
  "decrypt",
  "sign",
  "verify",
  "generateKey",
  "deriveKey",
  "deriveBits",
  "importKey",
  "exportKey",
]) {
  Object.defineProperty(SubtleCrypto.prototype, name, {
    value: async () => {
      throw notSupported(`crypto.subtle.${name}()`);
    },
    configurable: true,
    writable: true,
  });
}

class Crypto {
  readonly #subtle = new SubtleCrypto();

  get subtle(): SubtleCrypto {
    return this.#subtle;
  }
  getRandomValues<T extends ArrayBufferView>(array: T): T {
    return getRandomValues(array);
  }
  randomUUID(): string {
    return randomUUID();
  }
  get [Symbol.toStringTag](): string {
    return "Crypto";
  }
}

export const webcrypto = new Crypto();
