/** Encodings of text, for iconv. A byte that means nothing is a lone surrogate, as everywhere in the shell. */

import { native } from "../bridge/native";

export interface Charset {
  decode(bytes: Uint8Array): string;
  /** Of text that it can encode, and of bytes that mean nothing. */
  encode(text: string): Uint8Array;
  has(character: string): boolean;
  /** All that it has not. */
  readonly beyond: RegExp;
  /** Whether the last character lacks bytes. */
  isCut(bytes: Uint8Array): boolean;
  /** Whether a character takes two bytes or more. */
  readonly isWide: boolean;
  /** In front of what is encoded. */
  readonly mark: string;
}

const LONE = 0xdc00;
/** No characters at all. */
const SURROGATES = /[\ud800-\udfff]/gu;
const LATIN = Array.from({ length: 128 }, (_, index) => String.fromCharCode(128 + index)).join("");
const { latin1Decode, latin1Encode, utf16leDecode, utf16leEncode } = native.bytes;

const utf8: Charset = {
  decode: (bytes) => native.text.decode(bytes),
  encode: (text) => native.text.encode(text),
  has: () => true,
  beyond: SURROGATES,
  isCut: (bytes) => /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/.test(latin1Decode(bytes.subarray(-3))),
  isWide: false,
  mark: "",
};

/** One byte for each character; `high` are those of the bytes from 128 on, "\ufffd" where there is none. */
function single(high: string): Charset {
  const codes = new Map([...high].map((character, index) => [character, 128 + index]));
  codes.delete("\ufffd");
  const meaning = (unit: string): string => {
    const character = high.charAt(unit.charCodeAt(0) - 128);
    return character === "" || character === "\ufffd" ? String.fromCharCode(LONE + unit.charCodeAt(0)) : character;
  };
  const byte = (character: string): string => String.fromCharCode(codes.get(character) ?? character.charCodeAt(0) & 255);
  return {
    decode: high === LATIN ? latin1Decode : (bytes) => latin1Decode(bytes).replace(/[\x80-\xff]/g, meaning),
    encode: high === LATIN ? latin1Encode : (text) => latin1Encode(text.replace(/[^\0-\x7f]/gu, byte)),
    beyond: new RegExp(`[^\\0-\\x7f${high.replaceAll("\ufffd", "")}]`, "gu"),
    has: (character) => character < "\x80" || codes.has(character),
    isCut: () => false,
    isWide: false,
    mark: "",
  };
}

function swapped(bytes: Uint8Array, size: number): Uint8Array {
  const result = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) result[at] = bytes[at - (at % size) + size - 1 - (at % size)]!;
  return result;
}

function points(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const one = (_: unknown, index: number): string => {
    const point = view.getUint32(4 * index, true);
    return point > 0x10ffff ? "\udc80" : String.fromCodePoint(point);
  };
  return Array.from({ length: bytes.length / 4 }, one).join("");
}

function pointBytes(text: string): Uint8Array {
  return new Uint8Array(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer);
}

/** Units of so many bytes, in an order that a mark at the beginning may tell. */
function wide(size: 2 | 4, little: boolean, marked = false): Charset {
  const [from, to] = size === 2 ? [utf16leDecode, utf16leEncode] : [points, pointBytes];
  const inOrder = (bytes: Uint8Array, order: boolean): Uint8Array => (order ? bytes : swapped(bytes, size));
  const decode = (bytes: Uint8Array): string => {
    const whole = bytes.subarray(0, bytes.length - (bytes.length % size));
    const text = from(inOrder(whole, little));
    if (!marked) return text;
    const turned = from(inOrder(whole.subarray(0, size), !little));
    if (turned === "\ufeff") return from(inOrder(whole, !little)).slice(1);
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  };
  const isCut = (bytes: Uint8Array): boolean => bytes.length % size > 0;
  return { decode, encode: (text) => inOrder(to(text), little), has: () => true, beyond: SURROGATES, isCut, isWide: true, mark: marked ? "\ufeff" : "" };
}

const LATIN9 = LATIN.replace(/[¤¦¨´¸¼½¾]/g, (character) => "€ŠšŽžŒœŸ"["¤¦¨´¸¼½¾".indexOf(character)]!);
const WINDOWS = `€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ${LATIN.slice(32)}`;

/** Names as messages and lists show them -> how it is made, and other names. */
const CHARSETS: readonly (readonly [names: string, make: () => Charset])[] = [
  ["UTF-8", () => utf8],
  ["US-ASCII ASCII ANSI_X3.4-1968 646", () => single("")],
  ["ISO-8859-1 LATIN1 L1", () => single(LATIN)],
  ["ISO-8859-15 LATIN-9", () => single(LATIN9)],
  ["WINDOWS-1252 CP1252", () => single(WINDOWS)],
  ["UTF-16", () => wide(2, true, true)],
  ["UTF-16LE UCS-2 UCS-2LE", () => wide(2, true)],
  ["UTF-16BE UCS-2BE", () => wide(2, false)],
  ["UTF-32", () => wide(4, true, true)],
  ["UTF-32LE UCS-4LE", () => wide(4, true)],
  ["UTF-32BE UCS-4 UCS-4BE", () => wide(4, false)],
];

const plain = (name: string): string => name.toUpperCase().replace(/[-_.]/g, "");

export function charsetOf(name: string): Charset | undefined {
  return CHARSETS.find(([names]) => names.split(" ").some((each) => plain(each) === plain(name)))?.[1]();
}

export const CHARSET_NAMES = CHARSETS.map(([names]) => names);
