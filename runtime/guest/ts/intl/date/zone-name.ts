/** Names of time zones: canonical identifiers, and English names for moments. */
import { METAZONES, PREFERRED, STAYS } from "../data/zone-names";
import { lookUp } from "../number/symbols";
import { findZone, localTypeAt, offsetAt, zoneNames } from "../zones";

const WEEK = 7 * 86_400_000;
/** The weeks within half a year before and after. */
const STEPS = Array.from({ length: 53 }, (_, i) => i - 26);
/** Metazones hold from 1970 to this minute of the year 9999. */
const METAZONES_END = Date.UTC(9999, 11, 31, 23, 59);
/** Names without a moment are those of the zone's metazone in this one. */
const NAMED_AT = Date.UTC(2024, 0);
const IRISH_LAW = Date.UTC(1971, 9, 31, 2);

/** What names itself, over its metazone's: long standard, long daylight, short standard. */
const OWN_NAMES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  UTC: ["Coordinated Universal Time", undefined, "UTC"],
  "Europe/London": [undefined, "British Summer Time", undefined],
  "Europe/Dublin": [undefined, "Irish Standard Time", undefined],
};

/** The identifier that resolvedOptions() shows for a zone. Throws RangeError for an unknown one. */
export function canonicalZone(name: string): string {
  const zone = findZone(name);
  if (zone === undefined) throw new RangeError(`Invalid time zone specified: ${name}`);
  return lookUp(PREFERRED, zone.name) ?? lookUp(PREFERRED, zone.primary) ?? zone.primary;
}

/** The zones of Intl.supportedValuesOf("timeZone"). */
export function canonicalZoneNames(): string[] {
  const names = zoneNames().filter((name) => name.includes("/") && !name.startsWith("Etc/")).map(canonicalZone);
  return [...new Set(names)].sort();
}

/** "Pacific Standard Time" or "PST"; undefined where English has no such name. */
export function specificName(zone: string, moment: number, long: boolean): string | undefined {
  const daylight = isDaylight(zone, moment);
  const own = OWN_NAMES[zone];
  const mine = long ? own?.[daylight ? 1 : 0] : daylight ? undefined : own?.[2];
  return mine ?? metazoneNames(zone, moment)?.[(long ? 1 : 4) + (daylight ? 1 : 0)] ?? undefined;
}

/** "Pacific Standard Time" and "Pacific Daylight Time" as of now; empty where English has no such name. */
export function longNames(zone: string): [standard: string, daylight: string] {
  const names = metazoneNames(zone, NAMED_AT);
  const own = OWN_NAMES[zone];
  return [own?.[0] ?? names?.[1] ?? "", own?.[1] ?? names?.[2] ?? ""];
}

/**
 * "Pacific Time" or "PT", or the standard name where clocks do not change within half a year; undefined for UTC and the like.
 * Throws RangeError where the name would be that of a place ("Germany Time").
 */
export function genericName(zone: string, moment: number, long: boolean): string | undefined {
  if (!/^[A-Z][a-z]+\//.test(zone) || zone.startsWith("Etc/")) return undefined;
  const names = metazoneNames(zone, moment);
  const generic = names?.[long ? 0 : 3];
  const standard = names?.[long ? 1 : 4];
  const steady = STEPS.every((step) => !isDaylight(zone, moment + step * WEEK));
  const name = steady && standard !== undefined && standard !== generic ? standard : generic;
  if (name === undefined) throw new RangeError(`Intl.DateTimeFormat has no generic time zone name here for ${zone}`);
  return name;
}

/** Whether clocks are ahead of standard time. To CLDR that is winter in Ireland, whose law calls the summer standard. */
function isDaylight(zone: string, moment: number): boolean {
  if (zone === "Europe/Dublin" && moment >= IRISH_LAW) return offsetAt(zone, moment) > 0;
  return localTypeAt(zone, moment).isDst;
}

let metazones: readonly string[] | undefined;

/** Long generic, standard, daylight, short generic, standard, daylight. */
function metazoneNames(zone: string, moment: number): (string | undefined)[] | undefined {
  const at = metazoneAt(zone, moment);
  if (at === undefined) return undefined;
  const row = (metazones ??= METAZONES.split("\n"))[at] as string;
  const spelt = row.replace(/^(.+)\*([SD])/, (_, place: string, summer: string) => {
    return `${place} Time~${place} Standard Time~${place} ${summer === "S" ? "Summer" : "Daylight"} Time`;
  });
  return spelt.split("~").map((name) => name || undefined);
}

function metazoneAt(zone: string, moment: number): number | undefined {
  if (moment < 0 || moment >= METAZONES_END) return undefined;
  let stays = known.get(zone);
  if (stays === undefined) {
    stays = readStays(zone);
    known.set(zone, stays);
  }
  return stays.findLast(({ from }) => from <= moment)?.metazone;
}

interface Stay {
  readonly from: number;
  readonly metazone: number | undefined;
}
const known = new Map<string, readonly Stay[]>();

function readStays(zone: string): Stay[] {
  const names = [zone, findZone(zone)?.primary ?? zone];
  const line = STAYS.split("\n").find((text) => names.some((name) => ` ${text.slice(text.indexOf("=") + 1)} `.includes(` ${name} `)));
  return (line?.split("=")[0]?.split(",") ?? []).map((stay) => {
    const [number = "-", from] = stay.split("@");
    return { from: from === undefined ? 0 : parseInt(from, 36) * 60_000, metazone: number === "-" ? undefined : parseInt(number, 36) };
  });
}
