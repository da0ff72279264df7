/** A zone as `Date` needs it (c/zone.c). */

import { canonicalZone, longNames } from "./date/zone-name";
import { changes } from "./zones";

/** Beyond this year clocks no longer change. */
const LAST_YEAR = 2150;

/** Whose law calls the summer's time standard; names are by the sun. */
const WINTER_TIME = "Europe/Dublin";

/**
 * Rows of three numbers, the moment from which, how many milliseconds local time is ahead of UTC, and whether that is
 * daylight saving time; then the names of standard and of daylight saving time. Undefined for an unknown zone.
 */
export function localTimes(name: string): [ArrayBuffer, string, string] | undefined {
  let zone: string;
  try {
    zone = canonicalZone(name);
  } catch {
    return undefined;
  }
  const rows = changes(zone, LAST_YEAR).flatMap(([from, { offset, isDst }]) => {
    return [from, offset, Number(zone === WINTER_TIME ? offset > 0 : isDst)];
  });
  return [new Float64Array(rows).buffer, ...longNames(zone)];
}
