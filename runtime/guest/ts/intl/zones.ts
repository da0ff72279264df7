/**
 * Time zones from the table that build/timezones.py generates (its docstring describes the format).
 *
 * A zone is decoded when it is first asked for. Moments are milliseconds since 1970 UTC; offsets are milliseconds east of
 * UTC. After the last listed transition the zone's POSIX rule holds.
 */
import { DIGITS, NAMES, SHORT, STEPS, TYPES, ZONES } from "./generated/timezones";
import { type PosixRule, changesByRule, parsePosixRule, typeByRule } from "./zones-rule";

export interface LocalType {
  /** Milliseconds east of UTC. */
  readonly offset: number;
  readonly isDst: boolean;
  readonly abbreviation: string;
}

export interface Zone {
  /** The name as the database spells it. */
  readonly name: string;
  /** The name it is an alias of, else itself. */
  readonly primary: string;
}

interface ZoneData {
  readonly first: LocalType;
  readonly times: readonly number[];
  readonly types: readonly LocalType[];
  readonly rule: PosixRule;
}

const lazy = <T>(make: () => T): (() => T) => {
  let value: T | undefined;
  return () => (value ??= make());
};
const zoneLines = lazy(() => ZONES.split("\n"));
const lowerNames = lazy(() => `,${NAMES.toLowerCase().replace(/[;\n]/g, ",")},`);
const commonSteps = lazy(() => STEPS.split(" ").map((step) => parseInt(step, 36)));
const commonTypes = lazy(() => TYPES.split(" "));
const found = new Map<string, Zone & { readonly line: number }>();
const decoded = new Map<number, ZoneData>();

/** The zone of an IANA name in any case, or undefined. */
export function findZone(name: string): Zone | undefined {
  return locate(name);
}

/** Primary names of all zones, sorted. */
export function zoneNames(): string[] {
  return NAMES.split(/[;\n]/)
    .map((group) => group.split(",", 1)[0] as string)
    .sort();
}

/** The offset of a zone at a moment, in milliseconds east of UTC. Throws RangeError for an unknown zone. */
export function offsetAt(zone: string, utcMs: number): number {
  return localTypeAt(zone, utcMs).offset;
}

/** Offset, daylight saving and abbreviation of a zone at a moment. Throws RangeError for an unknown zone. */
export function localTypeAt(zone: string, utcMs: number): LocalType {
  const place = locate(zone);
  if (place === undefined) throw new RangeError(`Invalid time zone specified: ${zone}`);
  const data = dataOf(place.line);
  const after = countUpTo(data.times, utcMs);
  if (after === data.times.length) return typeByRule(data.rule, utcMs) ?? data.types[after - 1] ?? data.first;
  return after === 0 ? data.first : (data.types[after - 1] as LocalType);
}

/** From when on which local time holds: all changes up to the end of a year. Throws RangeError for an unknown zone. */
export function changes(zone: string, lastYear: number): [from: number, type: LocalType][] {
  const place = locate(zone);
  if (place === undefined) throw new RangeError(`Invalid time zone specified: ${zone}`);
  const { first, times, types, rule } = dataOf(place.line);
  const listed = times.map((from, i): [number, LocalType] => [from, types[i] as LocalType]);
  const last = times.at(-1) ?? -Infinity;
  const firstYear = new Date(Math.max(last, 0)).getUTCFullYear();
  const ruled = Array.from({ length: lastYear - firstYear + 1 }, (_, i) => changesByRule(rule, firstYear + i)).flat();
  return [[-Infinity, first], ...listed, ...ruled.filter(([from]) => from > last)];
}

/**
 * The moment at which clocks in the zone show localMs (a local time written as if it were UTC). Of two moments the
 * earlier; for a time that clocks skip, the moment by the offset before the gap, as Date does.
 */
export function localToUtc(zone: string, localMs: number): number {
  const before = offsetAt(zone, localMs - 86_400_000);
  const after = offsetAt(zone, localMs + 86_400_000);
  const early = localMs - before;
  if (offsetAt(zone, early) === before) return early;
  const late = localMs - after;
  return offsetAt(zone, late) === after ? late : early;
}

function locate(name: string): (Zone & { readonly line: number }) | undefined {
  const known = found.get(name);
  if (known !== undefined) return known;
  const at = name.includes(",") ? -1 : lowerNames().indexOf(`,${name.toLowerCase()},`);
  if (at < 0) return undefined;
  const primaryAt = Math.max(NAMES.lastIndexOf(";", at - 1), NAMES.lastIndexOf("\n", at - 1)) + 1;
  const place = {
    name: NAMES.slice(at, at + name.length),
    primary: /[^,;\n]+/.exec(NAMES.slice(primaryAt))?.[0] ?? "",
    line: NAMES.slice(0, at).split("\n").length - 1,
  };
  found.set(name, place);
  return place;
}

function dataOf(line: number): ZoneData {
  let data = decoded.get(line);
  if (data === undefined) {
    data = decode(zoneLines()[line] as string);
    decoded.set(line, data);
  }
  return data;
}

function decode(line: string): ZoneData {
  const [types, first, steps, footer] = line.split("|") as [string, string, string, string];
  const kinds = types.split(" ").map(readType);
  const times: number[] = [];
  const order: LocalType[] = [];
  const follows = new Map<number, number>();
  let time = 0;
  let kind = 0;
  let at = 0;
  const digit = (): number => DIGITS.indexOf(steps[at++] as string);
  const readStep = (): number => {
    if (steps[at] === "!") return (at++, [0, 0, 0, 0, 0].reduce((sum) => sum * DIGITS.length + digit(), 0));
    const index = digit();
    return commonSteps()[index < SHORT ? index : SHORT + (index - SHORT) * DIGITS.length + digit()] as number;
  };
  while (first !== "" && (times.length === 0 || at < steps.length)) {
    time = times.length === 0 ? parseInt(first, 36) : time + readStep();
    const next = steps[at] === "#" ? (at++, digit()) : (follows.get(kind) as number);
    follows.set(kind, next);
    kind = next;
    times.push(time * 1000);
    order.push(kinds[kind] as LocalType);
  }
  return { first: kinds[0] as LocalType, times, types: order, rule: parsePosixRule(footer) };
}

function readType(text: string): LocalType {
  const spelt = text.includes(":") ? text : (commonTypes()[parseInt(text, 36)] as string);
  const [seconds, dst, abbreviation] = spelt.split(":") as [string, string, string];
  return { offset: Number(seconds) * 1000, isDst: dst === "1", abbreviation };
}

/** How many of the ascending times are at or before the moment. */
function countUpTo(times: readonly number[], moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
