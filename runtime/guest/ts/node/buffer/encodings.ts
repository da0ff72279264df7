import { kernel } from "amla:kernel";
import { coded } from "../errors";

const { bytes: native } = kernel;

export interface Encoding {
  /** The name that Node reports. */
  name: string;
  encode: (text: string) => Uint8Array;
  decode: (bytes: Uint8Array) => string;
  /** Bytes that `encode` gives; for base64 Node's estimate, which takes the text to be well formed. */
  size: (text: string) => number;
}

function base64Size(text: string): number {
  let length = text.length;
  if (text.endsWith("=")) length -= text.endsWith("==") ? 2 : 1;
  return Math.floor((length * 3) / 4);
}

const utf8: Encoding = {
  name: "utf8",
  encode: native.utf8Encode,
  decode: (bytes) => native.utf8Decode(bytes, false, true),
  size: native.utf8Length,
};
const utf16le: Encoding = {
  name: "utf16le",
  encode: native.utf16leEncode,
  decode: native.utf16leDecode,
  size: (text) => text.length * 2,
};
const latin1: Encoding = {
  name: "latin1",
  encode: native.latin1Encode,
  decode: native.latin1Decode,
  size: (text) => text.length,
};
const ascii: Encoding = { ...latin1, name: "ascii", decode: native.asciiDecode };
const hex: Encoding = {
  name: "hex",
  encode: native.hexDecode,
  decode: native.hexEncode,
  size: (text) => text.length >>> 1,
};
const base64: Encoding = {
  name: "base64",
  encode: native.base64Decode,
  decode: (bytes) => native.base64Encode(bytes, false),
  size: base64Size,
};
const base64url: Encoding = { ...base64, name: "base64url", decode: (bytes) => native.base64Encode(bytes, true) };

const encodings = new Map<string, Encoding>([
  ["utf8", utf8],
  ["utf-8", utf8],
  ["utf16le", utf16le],
  ["utf-16le", utf16le],
  ["ucs2", utf16le],
  ["ucs-2", utf16le],
  ["latin1", latin1],
  ["binary", latin1],
  ["ascii", ascii],
  ["hex", hex],
  ["base64", base64],
  ["base64url", base64url],
]);

export function findEncoding(name: unknown): Encoding | undefined {
  return typeof name === "string" ? (encodings.get(name) ?? encodings.get(name.toLowerCase())) : undefined;
}

/** The encoding of that name, UTF-8 when none is given; throws for unknown names. */
export function encodingOf(name?: unknown): Encoding {
  if (name === undefined) return utf8;
  const found = findEncoding(name);
  if (!found) throw coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${String(name)}`);
  return found;
}
