/**
 * Skeletons: which fields a pattern has and how wide, without order or punctuation. The distance between two says how well a
 * pattern serves a request (Unicode TS #35, as ICU's DateTimePatternGenerator computes it).
 */

/** Fields in their order of importance; the index is the bit in a field mask. */
export const FIELD = {
  era: 0, year: 1, month: 3, weekday: 6, day: 9, dayPeriod: 10, hour: 11, minute: 12, second: 13, fraction: 14, zone: 15,
} as const;
const FIELD_COUNT = 16;
export const DATE_MASK = (1 << FIELD.dayPeriod) - 1;
export const TIME_MASK = ((1 << FIELD_COUNT) - 1) & ~DATE_MASK;

const NARROW = -0x101;
const SHORT = -0x103;
const LONG = -0x104;
const NUMERIC = 0x100;
const DELTA = 0x10;
const EXTRA_FIELD = 0x10000;
const MISSING_FIELD = 0x1000;

/** letter: field, how far its kinds are from those of the field's main letter, the length at which it turns from number to name. */
const LETTERS: Readonly<Record<string, readonly [field: number, deltas: number, textFrom: number]>> = {
  G: [FIELD.era, 0, 1], y: [FIELD.year, 0, 99], M: [FIELD.month, 0, 3], L: [FIELD.month, 1, 3], E: [FIELD.weekday, 0, 1],
  c: [FIELD.weekday, 2, 3], d: [FIELD.day, 0, 99], a: [FIELD.dayPeriod, 0, 1], b: [FIELD.dayPeriod, 1, 1],
  B: [FIELD.dayPeriod, 3, 1], h: [FIELD.hour, 0, 99], K: [FIELD.hour, 1, 99], H: [FIELD.hour, 10, 99], k: [FIELD.hour, 11, 99],
  m: [FIELD.minute, 0, 99], s: [FIELD.second, 0, 99], S: [FIELD.fraction, 0, 99], z: [FIELD.zone, 0, 1], O: [FIELD.zone, 1, 1],
  v: [FIELD.zone, 2, 1],
};

export interface Slot {
  readonly letter: string;
  readonly length: number;
  readonly type: number;
}
export type Skeleton = readonly (Slot | undefined)[];

export interface Distance {
  readonly total: number;
  /** Masks of fields asked for but not there, and there but not asked for. */
  readonly missing: number;
  readonly extra: number;
}

export const isNumeric = (type: number): boolean => type > 0;

/** The index of a pattern letter's field, or undefined if it is no field. */
export function fieldOf(letter: string): number | undefined {
  return LETTERS[letter]?.[0];
}

/** The kind of a run of a pattern letter: numbers are positive, names negative; near kinds have near values. */
export function typeOf(letter: string, length: number): number {
  const [, deltas, textFrom] = LETTERS[letter] as readonly [number, number, number];
  if (length < textFrom) return NUMERIC + deltas * DELTA + length;
  const width = length === 5 ? NARROW : length === 4 ? LONG : SHORT;
  return width - deltas * DELTA;
}

/** Read the fields of a pattern or skeleton, skipping quoted text. A 12-hour clock brings AM/PM, a 24-hour clock drops it. */
export function parseSkeleton(text: string): Skeleton {
  const slots: (Slot | undefined)[] = new Array<undefined>(FIELD_COUNT).fill(undefined);
  let quoted = false;
  for (let at = 0, end = 1; at < text.length; at = end++) {
    const letter = text.charAt(at);
    while (text.charAt(end) === letter && letter !== "'") end++;
    if (letter === "'") quoted = !quoted;
    const field = quoted ? undefined : fieldOf(letter);
    if (field !== undefined) slots[field] = { letter, length: end - at, type: typeOf(letter, end - at) };
  }
  const add = (letter: string): void => {
    slots[fieldOf(letter) as number] ??= { letter, length: 1, type: typeOf(letter, 1) };
  };
  if (slots[FIELD.minute] !== undefined && slots[FIELD.fraction] !== undefined) add("s");
  const hour = slots[FIELD.hour]?.letter;
  if (hour === "h" || hour === "K") add("a");
  else if (hour !== undefined) slots[FIELD.dayPeriod] = undefined;
  return slots;
}

export function fieldMask(skeleton: Skeleton): number {
  return skeleton.reduce((mask, slot, i) => (slot === undefined ? mask : mask | (1 << i)), 0);
}

export function distance(asked: Skeleton, offered: Skeleton, mask: number): Distance {
  let total = 0;
  let missing = 0;
  let extra = 0;
  for (let i = 0; i < FIELD_COUNT; i++) {
    const mine = mask & (1 << i) ? asked[i] : undefined;
    const other = offered[i];
    if (mine === undefined && other === undefined) continue;
    if (mine === undefined) {
      total += EXTRA_FIELD;
      extra |= 1 << i;
    } else if (other === undefined) {
      total += MISSING_FIELD;
      missing |= 1 << i;
    } else {
      total += Math.abs(mine.type - other.type);
    }
  }
  return { total, missing, extra };
}
