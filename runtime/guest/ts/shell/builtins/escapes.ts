/** Backslash escapes of `echo -e` and of printf's `%b`. */

import { native } from "../../bridge/native";

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\",
};

const ESCAPE = /\\(?:(c)|(0[0-7]{0,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([1-7][0-7]{0,2})|([^]))/gu;

/** A byte as a character of the shell's texts. */
export function byteCharacter(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

const BY_NUMBER = /\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|[^])/g;

/** Escapes for characters that the C locale does not have are left as they are: escaped. */
export function asciiEscapes(text: string): string {
  return text.replace(BY_NUMBER, (whole: string, short?: string, long?: string) => {
    const code = Number.parseInt(short ?? long ?? "0", 16);
    if (code < 0x80) return whole;
    return code > 0xffff ? `\\\\U${hex(code, 8)}` : `\\\\u${hex(code, 4)}`;
  });
}

const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, "0");

/** `\c` ends the output; `octal` also reads `\nnn` without a 0, as `%b` does. */
export function decodeEscapes(text: string, octal = false): { text: string; stopped: boolean } {
  if (!text.includes("\\")) return { text, stopped: false };
  let stopped = false;
  let result = "";
  let at = 0;
  for (const match of text.matchAll(ESCAPE)) {
    result += text.slice(at, match.index);
    if (match[1]) {
      stopped = true;
      break;
    }
    result += decoded(match, octal);
    at = match.index + match[0].length;
  }
  if (!stopped) result += text.slice(at);
  return { text: native.text.whole(result), stopped };
}

function decoded([whole, , zero, hex, short, long, bare, simple]: RegExpMatchArray, octal: boolean): string {
  if (zero !== undefined) return byteCharacter(Number.parseInt(zero, 8) & 255);
  if (hex !== undefined) return byteCharacter(Number.parseInt(hex, 16));
  const code = short ?? long;
  if (code !== undefined) return character(Number.parseInt(code, 16));
  if (bare !== undefined) return octal ? byteCharacter(Number.parseInt(bare, 8) & 255) : whole;
  return SIMPLE[simple!] ?? whole;
}

function character(code: number): string {
  return code > 0x10ffff ? "" : String.fromCodePoint(code);
}
