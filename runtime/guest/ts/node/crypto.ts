import { bytesFrom, KeyObject } from "./crypto/data";
import { names } from "./crypto/hash";
import { webcrypto } from "./crypto/web";
import { coded } from "./errors";

export { KeyObject };
export { hkdf, hkdfSync, pbkdf2, pbkdf2Sync } from "./crypto/derive";
export { createHash, createHmac, Hash, Hmac, hash } from "./crypto/hash";
export {
  getRandomValues,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  timingSafeEqual,
} from "./crypto/random";
export { randomBytes as pseudoRandomBytes, randomBytes as rng } from "./crypto/random";
export { webcrypto };

export const subtle = webcrypto.subtle;
export const constants = {};
export const getHashes = (): string[] => names.flatMap((name) => [name, `RSA-${name.toUpperCase()}`]).sort();
export const getCiphers = (): string[] => [];
export const getCurves = (): string[] => [];
export const getFips = (): number => 0;
export const createSecretKey = (key: unknown, encoding?: string): KeyObject =>
  new KeyObject(bytesFrom("key", key, encoding));

/** What needs ciphers or key pairs is refused by name. */
function absent(name: string): never {
  const message =
    `crypto.${name}() is not available in the sandbox. It has hashes, HMAC, PBKDF2, HKDF and random values; ` +
    "for anything else declare a tool";
  throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
}

const missing = [
  "checkPrime",
  "createCipheriv",
  "createDecipheriv",
  "createDiffieHellman",
  "createECDH",
  "createPrivateKey",
  "createPublicKey",
  "createSign",
  "createVerify",
  "diffieHellman",
  "generateKey",
  "generateKeyPair",
  "generateKeyPairSync",
  "generateKeySync",
  "privateDecrypt",
  "privateEncrypt",
  "publicDecrypt",
  "publicEncrypt",
  "scrypt",
  "scryptSync",
  "sign",
  "verify",
];

Object.assign(module.exports, Object.fromEntries(missing.map((name) => [name, () => absent(name)])));
