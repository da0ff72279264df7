/** Objects that say themselves how they are printed, by a method under `util.inspect.custom`. */

import { type Context, defaultOptions, type InspectOptions } from "./context";
import { crossing, type Inspect } from "./crossing";
import { inspect } from "./inspect";

const custom: unique symbol = Symbol.for("nodejs.util.inspect.custom");

export const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Options as a custom inspector gets them. */
function optionsFor(ctx: Context): Record<string, unknown> {
  const options: Record<string, unknown> = { stylize: ctx.stylize };
  for (const key of Object.keys(defaultOptions) as (keyof InspectOptions)[]) options[key] = ctx[key];
  return { ...options, ...ctx.extra };
}

/** `inspect` as a script may call it. */
function userInspect(): unknown {
  return (crossing.inspect ??= crossing.findInspect?.() ?? (crossing.toUser(inspect) as Inspect));
}

/** What the object's own inspector says; undefined if it has none or leaves it to us. */
export function customText(ctx: Context, value: object, target: object, depth: number): string | undefined {
  const own = (target as Record<symbol, unknown>)[custom];
  if (typeof own !== "function" || own === crossing.inspect || isPrototypeObject(target)) return undefined;
  const left = ctx.depth === null ? null : ctx.depth - depth;
  const result: unknown = own.call(value, left, crossing.toUser(optionsFor(ctx)), userInspect());
  if (result === value) return undefined;
  const text = isObject(result) ? ctx.format(result, depth) : String(result);
  return text.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`);
}

/** `Class.prototype` has the class's inspector but not what it works on. */
function isPrototypeObject(value: object): boolean {
  const { constructor } = value as { constructor?: { prototype?: unknown } };
  return constructor !== undefined && constructor !== null && constructor.prototype === value;
}
