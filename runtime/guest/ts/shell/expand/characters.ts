/** Counting characters: an astral character is one, though it takes two units of a string. */

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

/** The order of characters' numbers, which differs from that of units beyond the basic plane. */
export function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Puts surrogates behind all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
