/** How wide text is on a terminal. */

import { stripColors } from "./colors";

type Range = readonly [first: number, last: number];

/** Marks that combine with what they follow, joiners and variation selectors. */
const ZERO_WIDTH: readonly Range[] = [
  [0x300, 0x36f], [0x200b, 0x200f], [0x20d0, 0x20ff], [0xfe00, 0xfe0f], [0xfe20, 0xfe2f], [0xe0100, 0xe01ef],
];

/** East Asian wide and full-width characters, and emoji. */
const WIDE: readonly Range[] = [
  [0x1100, 0x115f], [0x2329, 0x232a], [0x2e80, 0x303e], [0x3040, 0x3247], [0x3250, 0x4dbf], [0x4e00, 0xa4c6],
  [0xa960, 0xa97c], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6b], [0xff01, 0xff60],
  [0xffe0, 0xffe6], [0x1b000, 0x1b001], [0x1f200, 0x1f251], [0x1f300, 0x1f64f], [0x1f900, 0x1f9ff], [0x20000, 0x3fffd],
];

const within = (ranges: readonly Range[], code: number): boolean => ranges.some(([first, last]) => code >= first && code <= last);

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

function codePointWidth(code: number): number {
  if (code < 0x300) return isControl(code) ? 0 : 1;
  if (within(ZERO_WIDTH, code)) return 0;
  return within(WIDE, code) ? 2 : 1;
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
