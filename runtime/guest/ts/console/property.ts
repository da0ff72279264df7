/** Properties of an object: which are shown, and how. */

import { type Context, indented, tooDeep } from "./context";
import { dimmed } from "./colors";
import { type ClassName, builtins } from "./names";
import { escapeName, quote } from "./quote";
import { formatPrimitive } from "./primitive";
import { textWidth } from "./width";

/** `element` is shown without its key. */
export type Position = "property" | "element" | "list property";

const { getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf } = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;

const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

/** Names found to be identifiers; the same few come again and again. */
const identifiers = new Set<string>();
const MOST_IDENTIFIERS = 1000;

function isIdentifier(name: string): boolean {
  if (identifiers.has(name)) return true;
  if (!IDENTIFIER.test(name)) return false;
  if (identifiers.size >= MOST_IDENTIFIERS) identifiers.clear();
  identifiers.add(name);
  return true;
}

/** The names to show; only enumerable ones unless `showHidden`. */
export function ownKeys(ctx: Context, value: object): PropertyKey[] {
  const symbols = getOwnPropertySymbols(value);
  if (ctx.showHidden) return [...getOwnPropertyNames(value), ...symbols];
  const names: PropertyKey[] = enumerableNames(value);
  for (const symbol of symbols) if (isEnumerable.call(value, symbol)) names.push(symbol);
  return names;
}

/** A module whose bindings are not initialised yet throws when it is asked what is enumerable. */
function enumerableNames(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return getOwnPropertyNames(value);
  }
}

function keyText(ctx: Context, key: PropertyKey, enumerable: boolean): string {
  if (typeof key === "symbol") return `[${ctx.stylize(escapeName(String(key)), "symbol")}]`;
  const name = String(key);
  if (name === "__proto__") return "['__proto__']";
  if (!enumerable) return `[${escapeName(name)}]`;
  // Node has a style "name" without a colour.
  return isIdentifier(name) ? name : ctx.stylize(quote(name), "string");
}

function wantsGetter(ctx: Context, descriptor: PropertyDescriptor): boolean {
  if (typeof ctx.getters === "boolean") return ctx.getters;
  return (ctx.getters === "get") === (descriptor.set === undefined);
}

function runGetter(ctx: Context, owner: object, descriptor: PropertyDescriptor, label: string, depth: number): string {
  const special = (text: string): string => ctx.stylize(text, "special");
  try {
    const value: unknown = descriptor.get?.call(owner);
    return indented(ctx, 2, () => {
      if (value === null) return `${special(`[${label}:`)} ${ctx.stylize("null", "null")}${special("]")}`;
      if (typeof value === "object") return `${special(`[${label}]`)} ${ctx.format(value, depth)}`;
      const text = typeof value === "function" ? ctx.stylize(String(value), "special") : formatPrimitive(ctx, value);
      return `${special(`[${label}:`)} ${text}${special("]")}`;
    });
  } catch (error) {
    return `${special(`[${label}:`)} <Inspection threw (${(error as Error).message})>${special("]")}`;
  }
}

function accessorText(ctx: Context, owner: object, descriptor: PropertyDescriptor, depth: number): string {
  if (descriptor.get === undefined) {
    return descriptor.set === undefined ? ctx.stylize("undefined", "undefined") : ctx.stylize("[Setter]", "special");
  }
  const label = descriptor.set === undefined ? "Getter" : "Getter/Setter";
  if (wantsGetter(ctx, descriptor)) return runGetter(ctx, owner, descriptor, label, depth);
  return ctx.stylize(`[${label}]`, "special");
}

/** `key: value`, or the value alone for an element. */
export function property(
  ctx: Context,
  value: object,
  key: PropertyKey,
  depth: number,
  position: Position,
  known?: PropertyDescriptor,
  owner: object = value,
): string {
  const descriptor = known ?? getOwnPropertyDescriptor(value, key)
    ?? { value: (value as Record<PropertyKey, unknown>)[key], enumerable: true };
  let text: string;
  let gap = " ";
  if (descriptor.value !== undefined) {
    const tight = ctx.compact === true && position === "property";
    const columns = tight ? 3 : 2;
    ctx.indent += columns;
    text = ctx.format(descriptor.value, depth);
    if (tight && ctx.breakLength < textWidth(text, ctx.colors)) gap = `\n${" ".repeat(ctx.indent)}`;
    ctx.indent -= columns;
  } else {
    text = accessorText(ctx, owner, descriptor, depth);
  }
  return position === "element" ? text : `${keyText(ctx, key, descriptor.enumerable !== false)}:${gap}${text}`;
}

const LEVELS = 3;

/** Accessors and values (not methods) that a script's own classes define, for `showHidden`. */
export function inheritedProperties(ctx: Context, value: object, found: ClassName, depth: number): string[] {
  const first = getPrototypeOf(value) as object | null;
  if (!ctx.showHidden || tooDeep(ctx, depth) || (found.holder === first && builtins.has(found.name))) return [];
  const shown: string[] = [];
  const seen = new Set<PropertyKey>(Reflect.ownKeys(value));
  ctx.open.push(value);
  let holder = first;
  for (let level = 0; level < LEVELS && holder !== null; level++) {
    if (level > 0 && isBuiltinPrototype(holder)) break;
    for (const key of Reflect.ownKeys(holder)) {
      const descriptor = getOwnPropertyDescriptor(holder, key);
      if (key === "constructor" || seen.has(key) || typeof descriptor?.value === "function") continue;
      const text = property(ctx, holder, key, depth, "property", descriptor, value);
      shown.push(ctx.colors ? dimmed(text) : text);
    }
    for (const key of Reflect.ownKeys(holder)) seen.add(key);
    holder = getPrototypeOf(holder) as object | null;
  }
  ctx.open.pop();
  return shown;
}

function isBuiltinPrototype(holder: object): boolean {
  const constructor: unknown = getOwnPropertyDescriptor(holder, "constructor")?.value;
  return typeof constructor === "function" && builtins.has(constructor.name);
}
