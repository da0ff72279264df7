/** Digests, and randomness (c/native_hash.c, c/native_random.c). */

export interface HashHandle {
  readonly hash: unique symbol;
}

export interface NativeHash {
  create(algorithm: string): HashHandle | undefined;
  update(handle: HashHandle, bytes: Uint8Array): void;
  digest(handle: HashHandle): Uint8Array;
  copy(handle: HashHandle): HashHandle;
  blockSize(handle: HashHandle): number;
  /** Rounds of PBKDF2 with HMAC, whose padded keys `inner` and `outer` were fed: block = HMAC(block); sum ^= block. */
  stretch(inner: HashHandle, outer: HashHandle, block: Uint8Array, sum: Uint8Array, rounds: number): void;
}

export interface NativeRandom {
  fill(bytes: Uint8Array): void;
}
