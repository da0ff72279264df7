/** What TZ means: a zone of the database, or a rule in POSIX's notation. */

import { findZone, type LocalType, localToUtc, localTypeAt } from "../../intl/zones";
import { type PosixRule, parsePosixRule, typeByRule } from "../../intl/zones-rule";

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
