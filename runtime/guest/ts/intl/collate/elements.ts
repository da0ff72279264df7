/**
 * Collation elements: what a text is compared by (Unicode Technical Standard #10). An element has a primary weight (the
 * letter; 0 for combining marks), a secondary one (the accent) and a tertiary one (capital or small, and variants).
 */
import { COMMON_SECONDARY, MARKS, OTHERS, RUNS, TERTIARY } from "../data/collation";

export interface Element {
  readonly primary: number;
  readonly secondary: number;
  readonly tertiary: number;
}

interface Tables {
  readonly starts: readonly number[];
  readonly runs: readonly Run[];
  /** Elements of characters and of sequences that count as one letter. */
  readonly others: ReadonlyMap<string, readonly Element[]>;
  readonly longest: number;
  readonly tertiaries: readonly (readonly [first: number, last: number, weight: number])[];
  /** The rank of the first kana, before which the scripts without a table stand. */
  readonly kana: number;
  readonly end: number;
}

interface Run {
  readonly start: number;
  readonly length: number;
  readonly rank: number;
  readonly isMark: boolean;
}

export const COMMON_TERTIARY = 5;
/** Set in the tertiary weights of capital letters. */
export const CAPITAL = 0x80;
const DERIVED_TERTIARY = 0x13;
const SCALE = 0x110000;
const FIRST_KANA = 0x3041;

let loaded: Tables | undefined;

/** The elements of a text; those that all levels ignore are left out. */
export function elementsOf(text: string): Element[] {
  const tables = (loaded ??= load());
  const letters = [...text.normalize("NFD")];
  const out: Element[] = [];
  for (let i = 0; i < letters.length; ) {
    let size = Math.min(tables.longest, letters.length - i);
    while (size > 1 && !tables.others.has(letters.slice(i, i + size).join(""))) size--;
    out.push(...lookUp(tables, letters.slice(i, i + size).join("")));
    i += size;
  }
  return out;
}

function lookUp(tables: Tables, letter: string): readonly Element[] {
  const other = tables.others.get(letter);
  if (other !== undefined) return other;
  const code = letter.codePointAt(0) as number;
  return inRun(tables, code) ?? derived(tables, letter, code) ?? [plain(implicitPrimary(tables, code))];
}

function inRun({ starts, runs }: Tables, code: number): readonly Element[] | undefined {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= code) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  if (run === undefined || code >= run.start + run.length) return undefined;
  const rank = run.rank + code - run.start;
  return [run.isMark ? { primary: 0, secondary: rank, tertiary: COMMON_TERTIARY } : plain(rank)];
}

/** Capital letters by their small ones, compatibility characters by what they stand for. */
function derived(tables: Tables, letter: string, code: number): readonly Element[] | undefined {
  const small = letter.toLowerCase();
  const source = small !== letter && [...small].length === 1 ? small : letter.normalize("NFKD");
  if (source === letter) return /\p{Nd}/u.test(letter) ? lookUp(tables, digitOf(code)) : undefined;
  const found = tables.tertiaries.find(([first, last]) => code >= first && code <= last);
  const tertiary = found?.[2] ?? DERIVED_TERTIARY;
  return [...source].flatMap((part) => lookUp(tables, part)).map((element) => ({ ...element, tertiary }));
}

/** The ASCII digit of equal value: digits of a script are ten in a row, and rows are not adjacent to others but in tens. */
function digitOf(code: number): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

const plain = (primary: number): Element => ({ primary, secondary: COMMON_SECONDARY, tertiary: COMMON_TERTIARY });

/** Letters without a table go by code point: other scripts before the kana, then Han, then what is not assigned. */
function implicitPrimary({ kana, end }: Tables, code: number): number {
  const fraction = code / SCALE;
  const letter = String.fromCodePoint(code);
  if (/\p{Unified_Ideograph}/u.test(letter)) return end + ((code >= 0x4e00 && code <= 0x9fff) || code >= 0xf900 && code < 0xfb00 ? 1 : 2) + fraction;
  return /[\p{Cn}\p{Co}\p{Cs}]/u.test(letter) ? end + 3 + fraction : kana - 1 + fraction;
}

function load(): Tables {
  const runs = [...readRuns(RUNS, false), ...readRuns(MARKS, true)];
  const last = runs.reduce((end, run) => (run.isMark ? end : Math.max(end, run.rank + run.length)), 0);
  const kana = runs.find((run) => run.start <= FIRST_KANA + 1 && FIRST_KANA + 1 < run.start + run.length && !run.isMark);
  runs.sort((a, b) => a.start - b.start);
  const others = new Map(OTHERS.split(" ").map(readOther));
  return {
    runs,
    starts: runs.map((run) => run.start),
    others,
    longest: Math.max(...[...others.keys()].map((key) => [...key].length)),
    tertiaries: TERTIARY.split(" ").map(readTertiary),
    kana: kana?.rank ?? last,
    end: last,
  };
}

function readRuns(text: string, isMark: boolean): Run[] {
  let rank = 1;
  const runs: Run[] = [];
  for (const item of text.split(" ")) {
    const gap = item.startsWith("*");
    const [start = 0, length = 1] = (gap ? item.slice(1) : item).split("-").map((digits) => parseInt(digits, 36));
    if (!gap) runs.push({ start, length, rank, isMark });
    rank += gap ? start : length;
  }
  return runs;
}

function readOther(entry: string): [string, Element[]] {
  const at = entry.lastIndexOf("=");
  const cells = entry.slice(at + 1);
  return [entry.slice(0, at), cells === "" ? [] : cells.split(",").map(readElement)];
}

function readElement(cell: string): Element {
  const [primary, secondary, tertiary] = cell.split(".");
  return {
    primary: primary ? parseInt(primary, 36) : 0,
    secondary: secondary ? parseInt(secondary, 36) : COMMON_SECONDARY,
    tertiary: tertiary ? parseInt(tertiary, 36) : COMMON_TERTIARY,
  };
}

function readTertiary(item: string): readonly [number, number, number] {
  const [start = 0, length = 0, weight = 0] = item.split(/[-.]/).map((digits) => parseInt(digits, 36));
  return [start, start + length - 1, weight];
}
