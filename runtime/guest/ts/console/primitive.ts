/** Values that are not objects. */

import { type Context, more, type Style } from "./context";
import { quote } from "./quote";

/** Shorter strings are never broken over lines. */
const SHORTEST_BROKEN = 16;

const groupThrees = (digits: string): string => digits.replace(/(?<=\d)(?=(?:\d{3})+$)/g, "_");
const groupDecimals = (digits: string): string => digits.replace(/(\d{3})(?=\d)/g, "$1_");

function separated(value: number): string {
  const text = String(value);
  if (!Number.isFinite(value) || text.includes("e")) return text;
  const [whole = "", decimals] = text.split(".");
  return decimals === undefined ? groupThrees(whole) : `${groupThrees(whole)}.${groupDecimals(decimals)}`;
}

export function numberText(value: number, separator: boolean): string {
  if (separator) return separated(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

export function bigintText(value: bigint, separator: boolean): string {
  return `${separator ? groupThrees(String(value)) : value}n`;
}

/** A long string over several lines, one literal for each of its own lines. */
function brokenString(ctx: Context, text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [text];
  return lines.map((line) => ctx.stylize(quote(line), "string")).join(` +\n${" ".repeat(ctx.indent + 2)}`);
}

function stringText(ctx: Context, value: string): string {
  let text = value;
  let trailer = "";
  if (text.length > ctx.maxStringLength) {
    trailer = more(text.length - ctx.maxStringLength, "character");
    text = text.slice(0, ctx.maxStringLength);
  }
  const long = text.length > SHORTEST_BROKEN && text.length > ctx.breakLength - ctx.indent - 4;
  if (long && ctx.compact !== true) return brokenString(ctx, text) + trailer;
  return ctx.stylize(quote(text), "string") + trailer;
}

/** Primitives, `null` and `undefined`. */
export function formatPrimitive(ctx: Context, value: unknown): string {
  switch (typeof value) {
    case "string":
      return stringText(ctx, value);
    case "number":
      return ctx.stylize(numberText(value, ctx.numericSeparator), "number");
    case "bigint":
      return ctx.stylize(bigintText(value, ctx.numericSeparator), "bigint");
    default:
      return ctx.stylize(String(value), (value === null ? "null" : typeof value) as Style);
  }
}
