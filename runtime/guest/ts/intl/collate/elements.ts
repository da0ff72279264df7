/**
 * Collation elements: what a text is compared by (Unicode Technical Standard #10). An element has a primary weight (the
 * letter; none for combining marks), a secondary one (the accent) and a tertiary one (capital or small, and variants).
 */
import { BEGINNINGS, COMMON_SECONDARY, FIRST_KANA, LAST, MARKS, OTHERS, RUNS, TERTIARY } from "../data/collation";

export interface Element {
  /** One or three code units whose order is that of the letters; "" for combining marks. */
  readonly primary: string;
  readonly secondary: number;
  readonly tertiary: number;
}

const COMMON_TERTIARY = 5;
/** Set in the tertiary weights of capital letters; the bit below it in those that are partly so. */
export const CAPITAL = 0x80;
const DERIVED_TERTIARY = 0x13;
/** Columns of the tables' records: where the code point, the length of the run and the weight start, and their end. */
const LENGTH_AT = 4;
const WEIGHT_AT = 6;
const RECORD = 9;

const known = new Map<string, readonly Element[]>();

/** The elements of a text; those that all levels ignore are left out. */
export function elementsOf(text: string): Element[] {
  const letters = [...text.normalize("NFD")];
  const out: Element[] = [];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] as string;
    const pair = BEGINNINGS.includes(letter) && i + 1 < letters.length ? listed(letter + (letters[i + 1] as string)) : undefined;
    if (pair !== undefined) i++;
    for (const element of pair ?? elementsOfLetter(letter)) out.push(element);
  }
  return out;
}

/** The primary weight of a rank; ranks leave room between them for letters without one. */
export const rankUnit = (rank: number): string => String.fromCharCode(2 * rank);

/** A primary weight just above a rank's, ordered by a number. */
export const aboveRank = (rank: number, value: number): string =>
  String.fromCharCode(2 * rank + 1, 1 + (value >> 12), 1 + (value & 0xfff));

function elementsOfLetter(letter: string): readonly Element[] {
  let elements = known.get(letter);
  if (elements === undefined) {
    elements = lookUp(letter);
    known.set(letter, elements);
  }
  return elements;
}

function lookUp(letter: string): readonly Element[] {
  const code = letter.codePointAt(0) as number;
  const rank = find(RUNS, code, true);
  if (rank !== undefined) return [plain(rankUnit(rank))];
  const mark = find(MARKS, code, true);
  if (mark !== undefined) return [{ primary: "", secondary: mark, tertiary: COMMON_TERTIARY }];
  return listed(letter) ?? derived(letter, code) ?? [plain(implicitPrimary(code))];
}

/** The weight of a code point by a table of runs, counting up within a run if so asked. */
function find(table: string, code: number, counting: boolean): number | undefined {
  const number = (at: number, end: number): number => parseInt(table.slice(at, end), 36);
  let low = 0;
  let high = table.length / RECORD;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (number(middle * RECORD, middle * RECORD + LENGTH_AT) <= code) low = middle + 1;
    else high = middle;
  }
  const at = (low - 1) * RECORD;
  const offset = at < 0 ? 0 : code - number(at, at + LENGTH_AT);
  if (at < 0 || offset >= number(at + LENGTH_AT, at + WEIGHT_AT)) return undefined;
  return number(at + WEIGHT_AT, at + RECORD) + (counting ? offset : 0);
}

/** The elements of a character or pair that the table lists. */
function listed(letters: string): readonly Element[] | undefined {
  const at = OTHERS.indexOf(` ${letters}=`);
  if (at < 0) return undefined;
  const start = at + letters.length + 2;
  const cells = OTHERS.slice(start, OTHERS.indexOf(" ", start));
  return cells === "" ? [] : cells.split(",").map(readElement);
}

/** Capital letters by their small ones, compatibility characters by what they stand for, digits by their values. */
function derived(letter: string, code: number): readonly Element[] | undefined {
  const small = letter.toLowerCase();
  const source = small !== letter && [...small].length === 1 ? small : letter.normalize("NFKD");
  if (source === letter) return /\p{Nd}/u.test(letter) ? elementsOfLetter(digitOf(code)) : undefined;
  const tertiary = find(TERTIARY, code, false) ?? DERIVED_TERTIARY;
  return [...source].flatMap(elementsOfLetter).map((element) => ({ ...element, tertiary }));
}

/** The ASCII digit of equal value: digits of a script are ten in a row, and rows are not adjacent to others but in tens. */
function digitOf(code: number): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

const plain = (primary: string): Element => ({ primary, secondary: COMMON_SECONDARY, tertiary: COMMON_TERTIARY });

/** Letters without a table go by code point: other scripts before the kana, then Han, then what is not assigned. */
function implicitPrimary(code: number): string {
  const letter = String.fromCodePoint(code);
  if (/\p{Unified_Ideograph}/u.test(letter)) {
    const core = (code >= 0x4e00 && code <= 0x9fff) || (code >= 0xf900 && code < 0xfb00);
    return aboveRank(LAST + (core ? 1 : 2), code);
  }
  return /[\p{Cn}\p{Co}\p{Cs}]/u.test(letter) ? aboveRank(LAST + 3, code) : aboveRank(FIRST_KANA - 1, code);
}

function readElement(cell: string): Element {
  const [primary, secondary, tertiary] = cell.split(".");
  return {
    primary: primary ? rankUnit(parseInt(primary, 36)) : "",
    secondary: secondary ? parseInt(secondary, 36) : COMMON_SECONDARY,
    tertiary: tertiary ? parseInt(tertiary, 36) : COMMON_TERTIARY,
  };
}
