/** What TZ means: a zone of the database, or a rule in POSIX's notation. */

import { changes, findZone, type LocalType, localToUtc, localTypeAt } from "../../intl/zones";
import { changesByRule, type PosixRule, parsePosixRule, typeByRule } from "../../intl/zones-rule";

const UTC: LocalType = { offset: 0, isDst: false, abbreviation: "UTC" };
const POSIX = /^(?:[A-Za-z]{3,}|<[-+A-Za-z0-9]{3,}>)[-+]?\d/;

function ruleOf(tz: string): PosixRule | undefined {
  if (!POSIX.test(tz)) return undefined;
  try {
    return parsePosixRule(tz);
  } catch {
    return undefined;
  }
}

/** The local time type at a moment (milliseconds since 1970); a TZ that means nothing is UTC, as in the C library. */
export function localType(tz: string | undefined, ms: number): LocalType {
  if (tz === undefined || tz === "" || tz === "UTC" || tz === "UTC0") return UTC;
  const name = tz.startsWith(":") ? tz.slice(1) : tz;
  const zone = findZone(name);
  if (zone) return localTypeAt(zone.name, ms);
  const rule = ruleOf(name);
  const type = rule && typeByRule(rule, ms);
  if (type) return type;
  return { ...UTC, abbreviation: /^[A-Za-z]{3,}/.exec(name)?.[0] ?? "UTC" };
}

/** The moment that a local wall clock (as milliseconds, read as if UTC) means. */
export function momentOf(tz: string | undefined, wall: number): number {
  const name = tz?.replace(/^:/, "");
  const zone = name ? findZone(name) : undefined;
  if (zone) return localToUtc(zone.name, wall);
  const guess = wall - localType(tz, wall).offset;
  return wall - localType(tz, guess).offset;
}

/** Years of a rule whose changes are listed. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2150];

/** From when on which local time holds; undefined for UTC all along. */
export function zoneChanges(tz: string | undefined): readonly (readonly [from: number, type: LocalType])[] | undefined {
  if (tz === undefined || tz === "" || tz === "UTC" || tz === "UTC0") return undefined;
  const name = tz.replace(/^:/, "");
  const zone = findZone(name);
  if (zone) return changes(zone.name, LAST_YEAR);
  const start = [-Infinity, localType(tz, Date.UTC(FIRST_YEAR, 0, 1) - 1)] as const;
  const rule = ruleOf(name);
  if (!rule) return [start];
  return [start, ...Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => changesByRule(rule, FIRST_YEAR + index)).flat()];
}
