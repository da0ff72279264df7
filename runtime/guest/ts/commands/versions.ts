/** Order of names with numbers in them, as `ls -v` and `sort -V` have it. */

import { compareTexts } from "../shell/expand/characters";

const SUFFIX = /(?:\.[A-Za-z~][A-Za-z0-9~]*)*$/;

/** Letters before all else but the end, and ~ even before that. */
function rank(char: string | undefined): number {
  if (char === undefined || (char >= "0" && char <= "9")) return 0;
  if (char === "~") return -1;
  return /[A-Za-z]/.test(char) ? char.charCodeAt(0) : char.codePointAt(0)! + 0x1000;
}

function compareParts(left: string, right: string): number {
  let [a, b] = [0, 0];
  const digit = (text: string, at: number): boolean => text[at] !== undefined && text[at]! >= "0" && text[at]! <= "9";
  while (a < left.length || b < right.length) {
    while ((a < left.length && !digit(left, a)) || (b < right.length && !digit(right, b))) {
      const difference = rank(left[a]) - rank(right[b]);
      if (difference !== 0) return difference;
      a += 1;
      b += 1;
    }
    const [first, second] = [/^\d*/.exec(left.slice(a))![0], /^\d*/.exec(right.slice(b))![0]];
    const [x, y] = [first.replace(/^0+/, ""), second.replace(/^0+/, "")];
    if (x.length !== y.length) return x.length - y.length;
    if (x !== y) return x < y ? -1 : 1;
    a += first.length;
    b += second.length;
  }
  return 0;
}

function special(name: string): number {
  return name === "" ? 0 : name === "." ? 1 : name === ".." ? 2 : name.startsWith(".") ? 3 : 4;
}

export function compareVersions(left: string, right: string): number {
  if (left === right) return 0;
  const [first, second] = [special(left), special(right)];
  if (first !== second || first < 3) return first - second;
  const from = first === 3 ? 1 : 0;
  const [a, b] = [left.slice(from), right.slice(from)];
  const [bareA, bareB] = [a.replace(SUFFIX, ""), b.replace(SUFFIX, "")];
  return (bareA !== bareB && compareParts(bareA, bareB)) || compareParts(a, b) || compareTexts(left, right);
}
