/** Comparing texts with ECMA-402's options: by sort keys, and ASCII directly. */
import { ASCII, FIRST_SYMBOL } from "../data/collation";
import { aboveRank, CAPITAL, type Element, elementsOf, rankUnit } from "./elements";
import type { Tailoring } from "./tailoring";

export interface CollatorSettings {
  readonly sensitivity: "base" | "accent" | "case" | "variant";
  readonly ignorePunctuation: boolean;
  readonly numeric: boolean;
  readonly caseFirst: "upper" | "lower" | "false";
  readonly tailoring?: Tailoring | undefined;
}

/** -1, 0 or 1, as a sorts before, with or after b. */
export type Compare = (a: string, b: string) => number;

/** Keys kept by a comparison, so that sorting makes each text's key once. */
const MAX_KEYS = 10_000;
/** ASCII codes below this are control characters, above it other scripts' letters. */
const NOT_ASCII = 0x80;
const LEVEL_END = "\0";

export function comparison(settings: CollatorSettings): Compare {
  const keys = new Map<string, string>();
  const keyOf = (text: string): string => {
    let key = keys.get(text);
    if (key === undefined) {
      key = sortKey(text, settings);
      if (keys.size >= MAX_KEYS) keys.clear();
      keys.set(text, key);
    }
    return key;
  };
  const direct = !settings.ignorePunctuation && settings.caseFirst === "false" && settings.tailoring?.ofAscii !== true;
  return (a, b) => {
    if (a === b) return 0;
    const order = direct ? compareAscii(a, b, settings) : undefined;
    if (order !== undefined) return order;
    const [left, right] = [keyOf(a), keyOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

let ascii: readonly number[] | undefined;

/**
 * The order of two texts of ASCII, which has no accents: by character, then capitals after small letters. Undefined when a
 * character that is not ASCII, or a digit in numeric order, has to be looked at.
 */
function compareAscii(a: string, b: string, { numeric, sensitivity }: CollatorSettings): number | undefined {
  const ranks = (ascii ??= ASCII.split(" ").map((digits) => (digits === "" ? 0 : parseInt(digits, 36))));
  const zero = ranks[0x30] as number;
  let later = 0;
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = i < a.length ? a.charCodeAt(i) : -1;
    const right = i < b.length ? b.charCodeAt(i) : -1;
    if (left >= NOT_ASCII || right >= NOT_ASCII) return undefined;
    const x = left < 0 ? -1 : (ranks[left] as number);
    const y = right < 0 ? -1 : (ranks[right] as number);
    if (x === 0 || y === 0) return undefined;
    if (numeric && ((x >= zero && x < zero + 10) || (y >= zero && y < zero + 10))) return undefined;
    if (x !== y) return x < y ? -1 : 1;
    later ||= Math.sign(right - left); // of the same rank, capitals have the lower codes and come later
  }
  return sensitivity === "case" || sensitivity === "variant" ? later : 0;
}

/** A string whose order among other keys is that of the text: level after level, each ended by the least code unit. */
function sortKey(text: string, settings: CollatorSettings): string {
  const read = settings.tailoring?.elements ?? elementsOf;
  const all = settings.numeric ? numericElements(text, read) : read(text);
  const elements = settings.ignorePunctuation ? withoutPunctuation(all) : all;
  return levelsFor(settings)
    .map((weight) => elements.map(weight).join(""))
    .join(LEVEL_END);
}

/** Runs of digits count by their value: first by how many digits there are without leading zeros, then by these. */
function numericElements(text: string, read: (text: string) => Element[]): Element[] {
  return text.split(/(\d+)/).flatMap((piece, i) => {
    if (i % 2 === 0) return read(piece);
    const digits = piece.replace(/^0+(?=\d)/, "");
    const [zero] = elementsOf("0") as [Element];
    const below = zero.primary.charCodeAt(0) / 2 - 1;
    return [{ ...zero, primary: aboveRank(below, digits.length) }, ...elementsOf(digits)];
  });
}

/** Punctuation goes with the marks on it. */
function withoutPunctuation(elements: readonly Element[]): Element[] {
  const symbol = rankUnit(FIRST_SYMBOL);
  let dropping = false;
  return elements.filter(({ primary }) => {
    if (primary !== "") dropping = primary < symbol;
    return !dropping;
  });
}

/** An element's part in a level's key: a code unit, or nothing where it has no weight there. */
type Weight = (element: Element) => string;
const CASES = CAPITAL | (CAPITAL / 2);
const variant = (tertiary: number): number => tertiary & ~CASES;
const unit = (weight: number): string => (weight === 0 ? "" : String.fromCharCode(weight));

function levelsFor({ sensitivity, caseFirst }: CollatorSettings): Weight[] {
  const turned = (tertiary: number): number => (caseFirst === "upper" ? CASES - (tertiary & CASES) : tertiary & CASES);
  const levels: Weight[] = [({ primary }) => primary];
  if (sensitivity === "accent" || sensitivity === "variant") levels.push(({ secondary }) => unit(secondary));
  if (sensitivity === "case") levels.push(({ primary, tertiary }) => (primary === "" ? "" : unit(1 + turned(tertiary))));
  if (sensitivity !== "variant") return levels;
  if (caseFirst === "false") return [...levels, ({ tertiary }) => unit(variant(tertiary))];
  return [...levels, ({ tertiary }) => unit(variant(tertiary) && (1 + turned(tertiary)) * 256 + variant(tertiary))];
}
