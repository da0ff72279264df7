import { kernel } from "amla:kernel";
import { percentDecode } from "./percent";

/** application/x-www-form-urlencoded, both ways. */

export type Pair = [string, string];

export function parseForm(text: string): Pair[] {
  const pairs: Pair[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const [name, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    pairs.push([decodePart(name), decodePart(value)]);
  }
  return pairs;
}

function decodePart(text: string): string {
  return percentDecode(text.replaceAll("+", " "));
}

const { utf8Encode } = kernel.bytes;

function encodePart(text: string): string {
  if (!/[^A-Za-z0-9*\-._]/.test(text)) return text;
  let result = "";
  for (const byte of utf8Encode(text)) {
    const character = String.fromCharCode(byte);
    if (byte === 0x20) result += "+";
    else if (/[A-Za-z0-9*\-._]/.test(character)) result += character;
    else result += `%${byte < 16 ? "0" : ""}${byte.toString(16).toUpperCase()}`;
  }
  return result;
}

export function serializeForm(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}
