import { kernel } from "amla:kernel";

/** Percent-encoding, by the sets of the URL standard: each is the characters to encode besides controls and non-ASCII. */

const { bytes: native } = kernel;

const FRAGMENT = ' "<>`';
const QUERY = ' "#<>';
/** Without "^", which newer revisions of the standard add. */
const PATH = `${QUERY}?\`{}`;
const USERINFO = `${PATH}/:;=@[\\]^|`;

export type EncodeSet = (code: number) => boolean;

function setOf(characters: string): EncodeSet {
  const codes = new Set([...characters].map((character) => character.charCodeAt(0)));
  return (code) => code <= 0x1f || code > 0x7e || codes.has(code);
}

export const controlSet: EncodeSet = (code) => code <= 0x1f || code > 0x7e;
export const fragmentSet = setOf(FRAGMENT);
export const querySet = setOf(QUERY);
export const specialQuerySet = setOf(`${QUERY}'`);
export const pathSet = setOf(PATH);
export const userinfoSet = setOf(USERINFO);

function percentByte(byte: number): string {
  return `%${byte < 16 ? "0" : ""}${byte.toString(16).toUpperCase()}`;
}

export function percentEncode(text: string, set: EncodeSet): string {
  let result = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (!set(code)) result += character;
    else if (code < 0x80) result += percentByte(code);
    else for (const byte of native.utf8Encode(character)) result += percentByte(byte);
  }
  return result;
}

/** Percent-decoded bytes read as UTF-8; other characters stay. */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  const bytes = native.utf8Encode(text);
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const hex = bytes[at] === 0x25 ? String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) : "";
    const escaped = /^[0-9a-f]{2}$/i.test(hex);
    result[length++] = escaped ? Number.parseInt(hex, 16) : bytes[at]!;
    if (escaped) at += 2;
  }
  return native.utf8Decode(result.subarray(0, length), false, true);
}
