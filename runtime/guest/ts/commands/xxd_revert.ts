/** Hexadecimal dumps back to bytes. */

const DIGIT = /[0-9a-fA-F]/;

/** The bytes of pairs of digits. Three characters in a row that make no pair begin a comment, up to the line's end. */
function pairs(text: string, most: number): number[] {
  const bytes: number[] = [];
  let first: number | undefined;
  let strays = 0;
  for (const character of text) {
    if (bytes.length >= most) break;
    if (!DIGIT.test(character)) {
      first = undefined;
      if (++strays >= 2) break;
      continue;
    }
    const digit = Number.parseInt(character, 16);
    strays = 0;
    if (first === undefined) first = digit;
    else {
      bytes.push(first * 16 + digit);
      first = undefined;
    }
  }
  return bytes;
}

/** Digits alone, where blanks and ends of lines do not count; an odd one goes on with the next line's. */
function revertPlain(text: string): Uint8Array {
  const bytes: number[] = [];
  let carried = "";
  for (const line of text.split("\n")) {
    const digits = carried + line.replace(/[ \t\r]+/g, "");
    const odd = /^(?:[0-9a-fA-F]{2})*([0-9a-fA-F])$/.exec(digits)?.[1];
    carried = odd ?? "";
    bytes.push(...pairs(odd ? digits.slice(0, -1) : digits, Infinity));
  }
  return Uint8Array.from(bytes);
}

export function revert(text: string, plain: boolean, columns: number, shift: number): Uint8Array {
  if (plain) return revertPlain(text);
  const parts: { offset: number; bytes: number[] }[] = [];
  for (const line of text.split("\n")) {
    const [whole, offset] = /^[^0-9a-fA-F]*([0-9a-fA-F]+)[^0-9a-fA-F]?/.exec(line) ?? [];
    if (whole === undefined) continue;
    parts.push({ offset: Number.parseInt(offset!, 16) + shift, bytes: pairs(line.slice(whole.length), columns) });
  }
  const size = parts.reduce((most, { offset, bytes }) => (bytes.length > 0 ? Math.max(most, offset + bytes.length) : most), 0);
  const result = new Uint8Array(size);
  for (const { offset, bytes } of parts) result.set(bytes, offset);
  return result;
}
