import { ALGORITHMS, digestCommand } from "./digest";

export const b2sum = digestCommand("b2sum", ALGORITHMS.blake2b);
export const md5sum = digestCommand("md5sum", ALGORITHMS.md5);
export const sha1sum = digestCommand("sha1sum", ALGORITHMS.sha1);
export const sha224sum = digestCommand("sha224sum", ALGORITHMS.sha224);
export const sha256sum = digestCommand("sha256sum", ALGORITHMS.sha256);
export const sha384sum = digestCommand("sha384sum", ALGORITHMS.sha384);
export const sha512sum = digestCommand("sha512sum", ALGORITHMS.sha512);
