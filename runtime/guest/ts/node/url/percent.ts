import { kernel } from "amla:kernel";

/** Percent-encoding, by the sets of the URL standard: each is the characters to encode besides controls and non-ASCII. */

const { bytes: native } = kernel;

/** A pattern of the characters to encode. */
type EncodeSet = RegExp;

function setOf(characters: string): EncodeSet {
  return new RegExp(`[\\0-\\x1f\\x7f-\\u{10ffff}${characters.replace(/[\]\\^-]/g, "\\$&")}]`, "gu");
}

/** Without "^", which newer revisions of the standard add. */
const PATH = ' "#<>?`{}';

export const controlSet = setOf("");
export const fragmentSet = setOf(' "<>`');
export const querySet = setOf(' "#<>');
export const specialQuerySet = setOf(" \"#<>'");
export const pathSet = setOf(PATH);
export const userinfoSet = setOf(`${PATH}/:;=@[\\]^|`);

function percentByte(byte: number): string {
  return `%${byte < 16 ? "0" : ""}${byte.toString(16).toUpperCase()}`;
}

function percentCharacter(character: string): string {
  return Array.from(native.utf8Encode(character), percentByte).join("");
}

export function percentEncode(text: string, set: EncodeSet): string {
  return text.search(set) < 0 ? text : text.replace(set, percentCharacter);
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
