/**
 * Text for any value, as Node's `util.inspect` prints it.
 *
 * Each object is first described (its class decides frame, entries and keys), then its entries are printed, then laid
 * out. Objects come from the scripts' realm, so nothing here asks `instanceof` of a class of its own.
 */

import { native } from "../bridge/native";
import { colored } from "./colors";
import { type Context, defaultOptions, type InspectOptions, plain, tooDeep } from "./context";
import { customText, isObject } from "./custom";
import { kindName, listKind, otherKind } from "./kinds";
import { layout } from "./layout";
import { lists } from "./lists";
import { type ClassName, constructorName, prefix, tagOf } from "./names";
import { describePlain, others } from "./others";
import { formatPrimitive } from "./primitive";
import { inheritedProperties, property } from "./property";
import type { Describe, Shape, Subject } from "./subject";

const { types } = native;

/** Past this many characters only the names of objects are printed. */
const MAX_PRINTED = 2 ** 27;

function describerOf({ value, name }: Subject): Describe {
  if (name === null || Symbol.iterator in value) {
    const kind = listKind(value);
    if (kind !== undefined) return lists[kind];
  }
  return name === "Object" && typeof value !== "function" ? describePlain : others[otherKind(value)];
}

/** Entries, then own properties. The object counts as open meanwhile, so that it is not entered twice. */
function entriesOf(ctx: Context, value: object, shape: Shape, depth: number): string[] {
  ctx.open.push(value);
  ctx.level = depth;
  const entries = shape.entries?.(ctx, value, depth) ?? [];
  const position = shape.list ? "list property" : "property";
  for (const key of shape.keys) entries.push(property(ctx, value, key, depth, position));
  ctx.open.pop();
  return entries;
}

/** Sorts named properties, never the elements of a list. */
function sortEntries(ctx: Context, entries: string[], shape: Shape, inherited: number): string[] {
  if (!ctx.sorted) return entries;
  const compare = typeof ctx.sorted === "function" ? ctx.sorted : undefined;
  if (!shape.list) return entries.sort(compare);
  const elements = entries.length - shape.keys.length - inherited;
  return [...entries.slice(0, elements), ...entries.slice(elements).sort(compare)];
}

/** Marks an object that was met inside itself. */
function markCircular(ctx: Context, value: object, shape: Shape): void {
  const index = ctx.circular?.get(value);
  if (index === undefined) return;
  const mark = ctx.stylize(`<ref *${index}>`, "special");
  if (ctx.compact === true) shape.open = `${mark} ${shape.open}`;
  else shape.base = shape.base === "" ? mark : `${mark} ${shape.base}`;
}

function nameOnly(ctx: Context, { value, name, tag }: Subject): string {
  const text = prefix(name, tag, name === null ? kindName(value) : "").slice(0, -1);
  return ctx.stylize(name === null ? text : `[${text}]`, "special");
}

function outOfStack(ctx: Context, subject: Subject): string {
  const { name, tag } = subject;
  const what = prefix(name, tag, "Object").slice(0, -1);
  const why = "Inspection interrupted prematurely. Maximum call stack size exceeded.";
  return ctx.stylize(`[${what}: ${why}]`, "special");
}

function isStackOverflow(error: unknown): boolean {
  return types.isNativeError(error) && (error as Error).name === "RangeError" && /stack/.test((error as Error).message);
}

/** The entries of the object, or undefined if the stack ended on the way. */
function guardedEntries(ctx: Context, value: object, shape: Shape, depth: number): string[] | undefined {
  const { indent } = ctx;
  const open = ctx.open.length;
  try {
    return entriesOf(ctx, value, shape, depth);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    ctx.indent = indent;
    ctx.open.length = open;
    return undefined;
  }
}

function formatObject(ctx: Context, value: object, depth: number): string {
  let found: ClassName | undefined;
  const name = constructorName(ctx, value, depth, (it) => (found = it));
  const inherited = ctx.showHidden && found !== undefined ? inheritedProperties(ctx, value, found, depth) : [];
  const subject: Subject = { value, name, tag: tagOf(ctx, value), depth, bare: inherited.length === 0 };
  const shape = describerOf(subject)(ctx, subject);
  if (typeof shape === "string") return shape;
  if (tooDeep(ctx, depth)) return nameOnly(ctx, subject);
  const entries = guardedEntries(ctx, value, shape, depth + 1);
  if (entries === undefined) return outOfStack(ctx, subject);
  entries.push(...inherited);
  markCircular(ctx, value, shape);
  const text = layout(ctx, sortEntries(ctx, entries, shape, inherited.length), shape, depth + 1, value);
  ctx.printed += text.length;
  if (ctx.printed > MAX_PRINTED) ctx.depth = -1;
  return text;
}

/** Numbers the object and names it by that number. */
function circular(ctx: Context, value: object): string {
  ctx.circular ??= new Map();
  let index = ctx.circular.get(value);
  if (index === undefined) {
    index = ctx.circular.size + 1;
    ctx.circular.set(value, index);
  }
  return ctx.stylize(`[Circular *${index}]`, "special");
}

/** Proxies of ours that stand for what is none in Node. */
const disguised = new WeakSet<object>();

/** Shows the proxy as what is behind it, whoever wants to see proxies. */
export function disguise(proxy: object): void {
  disguised.add(proxy);
}

function formatProxy(ctx: Context, target: unknown, handler: unknown, depth: number): string {
  if (tooDeep(ctx, depth)) return ctx.stylize("Proxy [Array]", "special");
  ctx.indent += 2;
  const parts = [ctx.format(target, depth + 1), ctx.format(handler, depth + 1)];
  ctx.indent -= 2;
  return layout(ctx, parts, { base: "", open: "Proxy [", close: "]", list: true }, depth + 1, parts);
}

/** The object behind any number of proxies; null if one was revoked. */
function unwrap(proxy: object): object | null {
  let value: object | null = proxy;
  while (value !== null && types.isProxy(value)) value = types.proxyDetails(value)?.[0] as object | null;
  return value;
}

function formatValue(ctx: Context, value: unknown, depth: number): string {
  if (!isObject(value)) return formatPrimitive(ctx, value);
  let target = value;
  if (types.isProxy(value)) {
    const [behind, handler] = types.proxyDetails(value) ?? [null, null];
    if (behind === null) return ctx.stylize("<Revoked Proxy>", "special");
    if (ctx.showProxy && !disguised.has(value)) return formatProxy(ctx, behind, handler, depth);
    const inner = unwrap(value);
    if (inner === null) return ctx.stylize("<Revoked Proxy>", "special");
    target = inner;
  }
  if (ctx.customInspect) {
    const text = customText(ctx, value, target, depth);
    if (text !== undefined) return text;
  }
  return ctx.open.includes(target) ? circular(ctx, target) : formatObject(ctx, target, depth);
}

/** Where every context begins. Contexts inherit from it, which is far cheaper than a copy for each call. */
const start: Context = Object.assign(Object.create(defaultOptions) as Context, {
  stylize: plain,
  indent: 0,
  level: 0,
  circular: undefined,
  printed: 0,
  bareBuffers: false,
  extra: {},
  format(this: Context, value: unknown, depth: number): string {
    return formatValue(this, value, depth);
  },
});

function newContext(): Context {
  const ctx = Object.create(start) as Context;
  ctx.open = [];
  return ctx;
}

function applyOptions(ctx: Context, options: object): void {
  for (const key of Object.keys(options)) {
    const value: unknown = (options as Record<string, unknown>)[key];
    if (Object.hasOwn(defaultOptions, key) || key === "stylize") (ctx as unknown as Record<string, unknown>)[key] = value;
    else ctx.extra = { ...ctx.extra, [key]: value };
  }
}

/** Text for `value`. The old form `inspect(value, showHidden, depth, colors)` works too. */
export function inspect(value: unknown, options?: InspectOptions | boolean, depth?: number | null, colors?: boolean): string {
  const ctx = newContext();
  if (depth !== undefined) ctx.depth = depth;
  if (colors !== undefined) ctx.colors = colors;
  if (typeof options === "boolean") ctx.showHidden = options;
  else if (isObject(options)) applyOptions(ctx, options);
  if (ctx.colors) ctx.stylize = colored;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}
