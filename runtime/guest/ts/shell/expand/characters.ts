/** Counting characters: an astral character is one, though it takes two units of a string. */

import { native } from "../../bridge/native";

/** Units of the character that starts at `index`. */
export function widthAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

/** Units of the character that ends before `index`. */
export function widthBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  if (unit < 0xdc00 || unit > 0xdfff || index < 2) return 1;
  const before = text.charCodeAt(index - 2);
  return before >= 0xd800 && before <= 0xdbff ? 2 : 1;
}

/** The order of their bytes, which is that of characters' numbers; that of units differs beyond the basic plane. */
export function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    if (isByte(a, index) || isByte(b, index)) return compareBytes(a.slice(index), b.slice(index));
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Sorts in place. The engine's own order is that of characters' numbers, but for surrogates. */
export function sortTexts(texts: string[]): string[] {
  return texts.some((text) => SURROGATE.test(text)) ? texts.sort(compareTexts) : texts.sort();
}

/** Puts surrogates behind all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether the unit at `index` stands for a byte that is no UTF-8. */
function isByte(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc80 && unit <= 0xdcff && widthBefore(text, index + 1) === 1;
}

function compareBytes(a: string, b: string): number {
  const [left, right] = [native.text.encode(a), native.text.encode(b)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 || at >= right.length ? left.length - right.length : left[at]! - right[at]!;
}
