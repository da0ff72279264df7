/** English time zone names by metazone, and the zone names that CLDR (and so Node) prefers to those of the database. */
import { readFileSync } from "node:fs";
import { localeData, read, write } from "./cldr.mjs";

const { metazone } = localeData("dates", "en", "timeZoneNames").dates.timeZoneNames;
const info = read("cldr-core/supplemental/metaZones.json").supplemental.metaZones;

/** Leaves of the nested table: "America/Indiana/Knox" -> list of stays in metazones. */
function* leaves(table, path = []) {
  for (const [name, value] of Object.entries(table)) {
    if (Array.isArray(value)) yield [[...path, name].join("/"), value];
    else yield* leaves(value, [...path, name]);
  }
}

const used = new Set();
const rows = [];
for (const [zone, stays] of leaves(info.metazoneInfo.timezone)) {
  const spans = stays.map(({ usesMetazone }) => usesMetazone);
  for (const span of spans) used.add(span._mzone);
  rows.push([zone, spans]);
}
const order = [...used].filter((name) => metazone[name] !== undefined).sort();
const index = new Map(order.map((name, i) => [name, i.toString(36)]));
const minutes = (text) => (Date.parse(`${text.replace(" ", "T")}:00Z`) / 60000).toString(36);

/** "z", or "z@from…": a metazone number, with the minute since 1970 from which it holds; "-" for none. */
function spell(spans) {
  const out = [];
  let end;
  for (const { _mzone, _from, _to } of spans) {
    if (_from !== undefined && _from !== end) out.push(end === undefined ? "-" : `-@${minutes(end)}`);
    out.push((index.get(_mzone) ?? "-") + (_from === undefined ? "" : `@${minutes(_from)}`));
    end = _to;
  }
  if (end !== undefined) out.push(`-@${minutes(end)}`);
  return out.join(",");
}

const byPlace = new Map();
for (const [zone, spans] of rows) byPlace.set(spell(spans), [...(byPlace.get(spell(spans)) ?? []), zone]);

/** Names by kind; "X*S" is short for X Time, X Standard Time, X Summer Time, and "X*D" for Daylight. */
function names({ long = {}, short = {} }) {
  const [, place, summer] = /^(.+) Time~\1 Standard Time~\1 (Summer|Daylight) Time$/.exec(Object.values(long).join("~")) ?? [];
  const full = place === undefined ? [long.generic, long.standard, long.daylight] : [`${place}*${summer[0]}`];
  return [...full, ...(short.standard ? [short.generic, short.standard, short.daylight] : [])].map((x) => x ?? "").join("~");
}

const text = readFileSync(new URL("../generated/timezones.ts", import.meta.url), "utf8");
const groups = JSON.parse(/NAMES = (".*");/.exec(text)[1]).split(/[;\n]/);
const canonical = (zone) => new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
const preferred = [];
for (const group of groups) {
  const [primary, ...aliases] = group.split(",");
  for (const name of [primary, ...aliases]) {
    const expected = name === primary ? name : canonical(primary);
    if (canonical(name) !== expected) preferred.push(`${name}=${canonical(name)}`);
  }
}

write("zone-names", [
  "/** Zones that CLDR names otherwise than the database does; aliases of those follow unless listed. */",
  `export const PREFERRED =\n  ${JSON.stringify(preferred.join(" "))};`,
  "/** Metazones, one a line: long generic~standard~daylight~short ones; X*S is X Time~X Standard Time~X Summer Time, *D Daylight. */",
  `export const METAZONES =\n  ${JSON.stringify(order.map((name) => names(metazone[name])).join("\n"))};`,
  "/** Lines of stays in metazones (number in base 36, `@` minute in base 36 from which; `-` none), `=`, the zones. */",
  `export const STAYS =\n  ${JSON.stringify([...byPlace].map(([stays, zones]) => `${stays}=${zones.join(" ")}`).join("\n"))};`,
]);
