/** Compact notation in English: thousands to trillions. */
import { type Part } from "../locale/service";
import { type NumberSettings } from "./settings";

const SHORT = ["", "K", "M", "B", "T"];
const LONG = ["", "thousand", "million", "billion", "trillion"];

/** The power of ten that a number of this magnitude is divided by. */
export function compactPower(magnitude: number): number {
  return Math.min(Math.max(Math.floor(magnitude / 3), 0), SHORT.length - 1) * 3;
}

/** The letter or word for a power; currencies have only letters. */
export function compactWord({ compactDisplay, style, currencyDisplay }: NumberSettings, power: number): Part[] {
  if (power === 0) return [];
  const long = compactDisplay === "long" && (style !== "currency" || currencyDisplay === "name");
  if (!long) return [{ type: "compact", value: SHORT[power / 3] as string }];
  return [
    { type: "literal", value: " " },
    { type: "compact", value: LONG[power / 3] as string },
  ];
}
