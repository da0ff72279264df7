/** Names of files at the head of a comparison: those that could be misread stand between double quotes, byte by byte. */

import { byteText, plainText } from "./byte_text";
import { ESCAPES } from "./quoting";

const MISLEADING = /[\0-\x20"\\\x80-\uffff]/;
const MEANINGS = new Map(Object.entries(ESCAPES).map(([meaning, escape]) => [escape.charAt(1), meaning]));

export function nameInHeader(name: string): string {
  if (!MISLEADING.test(name)) return name;
  const octal = (byte: string): string => ESCAPES[byte] ?? `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${byteText(name).replace(/["\\]/g, "\\$&").replace(/[\0-\x1f\x80-\xff]/g, octal)}"`;
}

/** The name between the double quotes that the header begins with. */
export function nameFromHeader(header: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"/.exec(header) ?? [];
  const meaning = (_: string, code: string): string =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code, 8) & 255) : (MEANINGS.get(code) ?? code);
  return plainText(byteText(inner ?? header).replace(/\\([0-7]{3}|[^])/g, meaning));
}
