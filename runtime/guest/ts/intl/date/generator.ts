/** From the fields a script asks for to a locale's pattern, as ICU's DateTimePatternGenerator finds it. */
import { type DateData } from "./data";
import {
  DATE_MASK, type Distance, distance, FIELD, fieldMask, fieldOf, isNumeric, parseSkeleton, type Skeleton, TIME_MASK, typeOf,
} from "./skeleton";

interface Entry {
  readonly skeleton: Skeleton;
  /** The fields without their widths; undefined where it does not matter. */
  readonly base?: string;
  pattern: string;
  /** Whether the locale names this skeleton, so that its own field widths are meant. */
  specified: boolean;
}

interface Match extends Distance {
  readonly entry: Entry;
}

/** Field names that stand in for a missing combination, "1970 (day: 1)". Only English has such. */
const FIELD_NAMES: Readonly<Record<number, string>> = {
  [FIELD.month]: "month", [FIELD.day]: "day", [FIELD.hour]: "hour", [FIELD.minute]: "minute", [FIELD.second]: "second",
};

export class PatternGenerator {
  readonly #data: DateData;
  readonly #entries = new Map<string, Entry>();
  readonly #known = new Map<string, string>();

  constructor(data: DateData) {
    this.#data = data;
  }

  #collect(): void {
    const data = this.#data;
    for (const letter of "GyMEdaHmsSv") this.#add(letter, letter, false);
    data.dateStyles.forEach((pattern, i) => {
      for (const style of [pattern, data.timeStyles[i] as string]) {
        if (!this.#hasBase(style)) this.#add(style, style, false);
      }
    });
    for (const [skeleton, pattern] of data.available) this.#add(skeleton, pattern, true);
  }

  /** The pattern for a skeleton. */
  best(text: string): string {
    let pattern = this.#known.get(text);
    if (pattern === undefined) {
      pattern = this.#named(text) ?? this.#search(text);
      this.#known.set(text, pattern);
    }
    return pattern;
  }

  /** The pattern of a skeleton, or of its date and time halves, that the locale names as it is: the usual case. */
  #named(text: string): string | undefined {
    const named = (part: string): string | undefined => {
      const pattern = this.#data.available.get(part);
      const skeleton = parseSkeleton(part);
      return pattern && adjust({ skeleton, pattern, specified: true }, skeleton);
    };
    const at = text.search(/[aBhHkKmsSzOv]/);
    const whole = named(text);
    if (whole !== undefined || at <= 0) return whole;
    const [date, time] = [named(text.slice(0, at)), named(text.slice(at))];
    if (date === undefined || time === undefined) return undefined;
    return fill(this.#data.glue[glueStyle(parseSkeleton(text))] as string, time, date);
  }

  #search(text: string): string {
    if (this.#entries.size === 0) this.#collect();
    const asked = parseSkeleton(text);
    const match = this.#nearest(asked, -1);
    if (match.missing === 0 && match.extra === 0) return adjust(match.entry, asked);
    const needed = fieldMask(asked);
    const date = this.#compose(asked, needed & DATE_MASK);
    const time = this.#compose(asked, needed & TIME_MASK);
    if (date === "" || time === "") return date + time;
    return fill(this.#data.glue[glueStyle(asked)] as string, time, date);
  }

  #add(skeleton: string, pattern: string, specified: boolean): void {
    const slots = parseSkeleton(skeleton);
    let key = "";
    for (const slot of slots) key += `${slot?.type ?? ""},`;
    const known = this.#entries.get(key);
    if (known === undefined) this.#entries.set(key, { skeleton: slots, base: specified ? "" : baseOf(slots), pattern, specified });
    else Object.assign(known, { pattern, specified });
  }

  #hasBase(pattern: string): boolean {
    const base = baseOf(parseSkeleton(pattern));
    return [...this.#entries.values()].some((entry) => entry.base === base);
  }

  #nearest(asked: Skeleton, mask: number): Match {
    let best: Match | undefined;
    for (const entry of this.#entries.values()) {
      const found = distance(asked, entry.skeleton, mask);
      if (best === undefined || found.total < best.total || (found.total === best.total && best.missing < found.missing)) {
        best = { ...found, entry };
      }
    }
    return best as Match;
  }

  /** A pattern for some of the fields, made of two when no one has them all. */
  #compose(asked: Skeleton, fields: number): string {
    if (fields === 0) return "";
    const match = this.#nearest(asked, fields);
    let pattern = adjust(match.entry, asked);
    let missing = match.missing;
    if (missing & FRACTION && !(missing & SECOND) && fields & SECOND) {
      pattern = addFraction(pattern, this.#data.decimal, asked);
      missing &= ~FRACTION;
    }
    if (missing === 0) return pattern;
    // One more pattern is appended; what is missing even then is left out, as in ICU.
    const more = this.#nearest(asked, missing);
    return this.#append(pattern, adjust(more.entry, asked), 31 - Math.clz32(missing & ~more.missing));
  }

  #append(pattern: string, added: string, field: number): string {
    const { zone, era, weekday, year } = this.#data.appended;
    if (field === FIELD.zone) return fill(zone, pattern, added);
    if (field === FIELD.era) return fill(era, pattern, added);
    if (field === FIELD.weekday) return fill(weekday, pattern, added);
    if (field === FIELD.year) return fill(year, pattern, added);
    if (field === FIELD.fraction) return `${pattern} ├'F14': ${added}┤`;
    const name = FIELD_NAMES[field];
    if (name === undefined || !this.#data.key.startsWith("en")) {
      throw new RangeError(`Intl.DateTimeFormat has no pattern here for these fields together in ${this.#data.key}`);
    }
    return `${pattern} ('${name}': ${added})`;
  }
}

const SECOND = 1 << FIELD.second;
const FRACTION = 1 << FIELD.fraction;

/** The pattern with its fields as wide as asked for. */
function adjust(entry: Entry, asked: Skeleton): string {
  return mapFields(entry.pattern, (run) => {
    const letter = run.charAt(0);
    const field = fieldOf(letter);
    const slot = field === undefined ? undefined : asked[field];
    if (field === undefined || slot === undefined) return run;
    const wanted = slot.letter === "E" ? Math.max(slot.length, 3) : slot.length;
    const keepsLetter = field === FIELD.hour || field === FIELD.month || field === FIELD.weekday || field === FIELD.year;
    const kept = field === FIELD.minute || field === FIELD.second || (entry.specified && keepsWidth(entry, field, run, wanted, slot.type));
    const length = kept ? run.length : wanted;
    return (keepsLetter ? letter : slot.letter).repeat(length);
  });
}

/** A locale's own pattern keeps a width that the request agrees with, or a number where a name is asked for and vice versa. */
function keepsWidth(entry: Entry, field: number, run: string, wanted: number, type: number): boolean {
  const own = entry.skeleton[field]?.length;
  return own === wanted || isNumeric(typeOf(run.charAt(0), run.length)) !== isNumeric(type);
}

function addFraction(pattern: string, decimal: string, asked: Skeleton): string {
  const digits = "S".repeat(asked[FIELD.fraction]?.length ?? 0);
  return mapFields(pattern, (run) => (run.startsWith("s") ? `${run}${decimal}${digits}` : run));
}

/** Apply a function to each run of pattern letters outside quotes. */
export function mapFields(pattern: string, map: (run: string) => string): string {
  return pattern.replace(/'[^']*'|([A-Za-z])\1*/g, (run) => (run.startsWith("'") ? run : map(run)));
}

function fill(format: string, zero: string, one: string): string {
  return format.replace(/\{([01])\}/g, (_, at: string) => (at === "0" ? zero : one));
}

/** full with weekday and month by name, long with the month's name, medium with its abbreviation, else short. */
function glueStyle(asked: Skeleton): number {
  const month = asked[FIELD.month]?.length ?? 0;
  if (month === 4) return asked[FIELD.weekday] === undefined ? 1 : 0;
  return month === 3 ? 2 : 3;
}

function baseOf(skeleton: Skeleton): string {
  return skeleton.map((slot) => (slot === undefined ? "" : slot.type > 0 ? slot.letter : slot.letter + slot.type)).join();
}
