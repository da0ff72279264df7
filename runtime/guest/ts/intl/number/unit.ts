/** Units of measurement and currency names around a number, in English. */
import { UNITS } from "../data/units";
import { type Part } from "../locale/service";
import { type Digits } from "./digits";
import { type Layer } from "./layout";
import { type NumberSettings } from "./settings";

const NONE: Layer = [[], []];
const WIDTHS = { long: 0, short: 3, narrow: 6 } as const;

/** Whether it is one of ECMA-402's units, or two of them joined by -per-. */
export function isUnit(name: string): boolean {
  const [first = "", second, ...rest] = name.split("-per-");
  return isSimple(first) && (second === undefined || isSimple(second)) && rest.length === 0;
}

/** The simple units, sorted. */
export function unitNames(): string[] {
  return UNITS.split("\n")
    .map((line) => line.split("=")[0] as string)
    .filter((name) => !name.includes("-per-"));
}

/** The unit or currency name around a number, in the singular or the plural. */
export function unitLayer(settings: NumberSettings, singular: boolean): Layer {
  if (settings.style === "percent" && settings.notation === "compact") return [[], [{ type: "unit", value: "%" }]];
  if (settings.unit !== undefined && !isPercentSign(settings)) return unitOf(settings, singular);
  if (settings.currencyName === undefined) return NONE;
  return [[], [literal(" "), { type: "currency", value: settings.currencyName[singular ? 0 : 1] }]];
}

/** English has the singular for exactly 1 shown without decimals. */
export function isSingular({ integer, fraction }: Digits, power: number): boolean {
  return fraction === "" && Number(integer) === 1 && power === 0;
}

/** A short percent, which ICU writes as a sign; it also takes a short "percent-per-…" for percent alone. */
export function isPercentSign({ unit = "", unitDisplay, notation }: Pick<NumberSettings, "unit" | "unitDisplay" | "notation">): boolean {
  return /^percent(-per-|$)/.test(unit) && unitDisplay !== "long" && notation !== "compact";
}

function unitOf({ unit = "", unitDisplay }: NumberSettings, one: boolean): Layer {
  const at = WIDTHS[unitDisplay];
  const whole = cellsOf(unit);
  const [first = "", second] = whole === undefined ? unit.split("-per-") : [unit];
  const cells = whole ?? (cellsOf(first) as string[]);
  const pattern = (one && cells[at + 1]) || (cells[at] as string);
  const suffix = second === undefined ? "" : perSuffix(second, at);
  const [before = "", after = ""] = `${pattern}${suffix}`.split("*");
  return [wordParts(before), wordParts(after)];
}

/** "/s", " per second": the unit's own, or made from its name. */
function perSuffix(unit: string, at: number): string {
  const cells = cellsOf(unit) as string[];
  const one = (cells[at + 1] || (cells[at] as string)).replace("*", "").trim();
  return cells[at + 2] || (at === WIDTHS.long ? ` per ${one}` : `/${one}`);
}

function cellsOf(unit: string): string[] | undefined {
  const at = `\n${UNITS}`.indexOf(`\n${unit}=`);
  if (at < 0) return undefined;
  return (UNITS.slice(at + unit.length + 1).split("\n", 1)[0] as string).split("|");
}

const isSimple = (name: string): boolean => !name.includes("-per-") && /^[a-z]+(-[a-z]+)?$/.test(name) && cellsOf(name) !== undefined;
const literal = (value: string): Part => ({ type: "literal", value });

function wordParts(text: string): Part[] {
  const [, lead = "", word = "", trail = ""] = /^(\s*)(.*?)(\s*)$/.exec(text) ?? [];
  return [literal(lead), { type: "unit", value: word }, literal(trail)].filter((piece) => piece.value !== "");
}
