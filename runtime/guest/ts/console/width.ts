/** How wide text is on a terminal. */

import { stripColors } from "./colors";

/** Columns a character takes: none for marks that combine, two for East Asian wide ones and emoji. */
function codePointWidth(code: number): number {
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (isZeroWidth(code)) return 0;
  return isWide(code) ? 2 : 1;
}

function isZeroWidth(code: number): boolean {
  return code <= 0x36f || (code >= 0x200b && code <= 0x200f) || (code >= 0x20d0 && code <= 0x20ff)
    || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f) || (code >= 0xe0100 && code <= 0xe01ef);
}

function isWide(code: number): boolean {
  return (code >= 0x1100 && code <= 0x115f) || code === 0x2329 || code === 0x232a
    || (code >= 0x2e80 && code <= 0x3247 && code !== 0x303f) || (code >= 0x3250 && code <= 0x4dbf)
    || (code >= 0x4e00 && code <= 0xa4c6) || (code >= 0xa960 && code <= 0xa97c) || (code >= 0xac00 && code <= 0xd7a3)
    || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe10 && code <= 0xfe19) || (code >= 0xfe30 && code <= 0xfe6b)
    || (code >= 0xff01 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1b000 && code <= 0x1b001)
    || (code >= 0x1f200 && code <= 0x1f251) || (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f900 && code <= 0x1f9ff)
    || (code >= 0x20000 && code <= 0x3fffd);
}

const ASCII = /^[ -~]*$/;

/** Whether the text is as wide as it is long. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Columns that `text` takes on a terminal. */
export function textWidth(text: string, colors = true): number {
  if (isAscii(text)) return text.length;
  const bare = colors ? stripColors(text) : text;
  let width = 0;
  for (const character of bare.normalize("NFC")) width += codePointWidth(character.codePointAt(0) ?? 0);
  return width;
}
