/** Buffer, loaded when the first one is needed: most scripts read and write text. */

import type { Buffer } from "node:buffer";

export function buffers(): typeof Buffer {
  return require("node:buffer").Buffer;
}

/** The same bytes as a Buffer. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return buffers().from(buffer, byteOffset, byteLength);
}
