/** Arrays, typed arrays, Sets, Maps and their iterators. */

import { native } from "../bridge/native";
import { type Context, indented, more, plural } from "./context";
import { contents, type ListKind } from "./kinds";
import { layout } from "./layout";
import { prefix } from "./names";
import { bigintText, numberText } from "./primitive";
import { ownKeys, property } from "./property";
import { braces, brackets, type Describe, isEmpty } from "./subject";

const { types } = native;

/** Entries of the first `maxArrayLength` items, and a last one that counts the rest. */
function limited(ctx: Context, size: number, entry: (index: number) => string): string[] {
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), size);
  const entries: string[] = [];
  for (let index = 0; index < shown; index++) entries.push(entry(index));
  if (size > shown) entries.push(more(size - shown));
  return entries;
}

function arrayEntries(ctx: Context, value: object, depth: number): string[] {
  const array = value as unknown[];
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), array.length);
  const entries: string[] = [];
  for (let index = 0; index < shown; index++) {
    const descriptor = Object.getOwnPropertyDescriptor(array, index);
    if (descriptor === undefined) return sparseEntries(ctx, array, depth, shown);
    entries.push(property(ctx, array, index, depth, "element", descriptor));
  }
  if (array.length > shown) entries.push(more(array.length - shown));
  return entries;
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;
const LAST_INDEX = 2 ** 32 - 2;

/** A run of holes counts as one entry. */
function sparseEntries(ctx: Context, array: unknown[], depth: number, limit: number): string[] {
  const entries: string[] = [];
  let next = 0;
  for (const key of Object.keys(array)) {
    const index = Number(key);
    if (entries.length >= limit || !INDEX.test(key) || index > LAST_INDEX) break;
    if (index > next) {
      entries.push(hole(ctx, index - next));
      next = index;
      if (entries.length === limit) break;
    }
    entries.push(property(ctx, array, key, depth, "element"));
    next++;
  }
  const left = array.length - next;
  if (left > 0) entries.push(entries.length < limit ? hole(ctx, left) : more(left));
  return entries;
}

function hole(ctx: Context, size: number): string {
  return ctx.stylize(`<${plural(size, "empty item")}>`, "undefined");
}

const array: Describe = (ctx, subject) => {
  const { value, name, tag } = subject;
  const size = `(${(value as unknown[]).length})`;
  const open = name === "Array" && tag === "" ? "" : prefix(name, tag, "Array", size);
  const keys = types.ownNonIndexKeys(value, !ctx.showHidden);
  if ((value as unknown[]).length === 0 && isEmpty(subject, keys)) return `${open}[]`;
  return brackets(open, keys, arrayEntries);
};

const HIDDEN = ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"] as const;

function typedArrayEntries(ctx: Context, value: object, depth: number): string[] {
  const items = value as ArrayLike<number | bigint>;
  const entries = limited(ctx, typedLength.call(value), (index) => {
    const item = items[index] as number | bigint;
    return typeof item === "bigint" ? ctx.stylize(bigintText(item, ctx.numericSeparator), "bigint")
      : ctx.stylize(numberText(item, ctx.numericSeparator), "number");
  });
  return ctx.showHidden ? [...entries, ...hiddenEntries(ctx, value, depth)] : entries;
}

function hiddenEntries(ctx: Context, value: object, depth: number): string[] {
  const fields = value as Record<string, unknown>;
  ctx.bareBuffers = true;
  const entries = indented(ctx, 2, () => HIDDEN.map((key) => `[${key}]: ${ctx.format(fields[key], depth)}`));
  ctx.bareBuffers = false;
  return entries;
}

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typedLength = Object.getOwnPropertyDescriptor(TypedArray, "length")?.get as () => number;

const typedArray: Describe = (ctx, subject) => {
  const { value, name, tag } = subject;
  const length = typedLength.call(value);
  const open = prefix(name, tag, types.typedArrayName(value) ?? "", `(${length})`);
  const keys = types.ownNonIndexKeys(value, !ctx.showHidden);
  if (length === 0 && keys.length === 0 && !ctx.showHidden) return `${open}[]`;
  return brackets(open, keys, typedArrayEntries);
};

function setEntries(ctx: Context, value: object, depth: number): string[] {
  const items = contents(value);
  return indented(ctx, 2, () => limited(ctx, items.length, (index) => ctx.format(items[index], depth)));
}

function mapEntries(ctx: Context, value: object, depth: number): string[] {
  const items = contents(value);
  return indented(ctx, 2, () => limited(ctx, items.length / 2, (index) =>
    `${ctx.format(items[2 * index], depth)} => ${ctx.format(items[2 * index + 1], depth)}`));
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as () => number;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get as () => number;

function collection(fallback: string, sizeOf: () => number, entries: typeof mapEntries): Describe {
  return (ctx, subject) => {
    const size = sizeOf.call(subject.value);
    const open = prefix(subject.name, subject.tag, fallback, `(${size})`);
    const keys = ownKeys(ctx, subject.value);
    return size === 0 && isEmpty(subject, keys) ? `${open}{}` : braces(open, keys, entries);
  };
}

/** Pairs of a Map's or Set's `entries()` as lists. */
function pairEntries(ctx: Context, items: unknown[], depth: number): string[] {
  return indented(ctx, 2, () => limited(ctx, items.length / 2, (index) => {
    const pair = [ctx.format(items[2 * index], depth), ctx.format(items[2 * index + 1], depth)];
    return layout(ctx, pair, { base: "", open: "[", close: "]", list: true }, depth, items);
  }));
}

function iterator(kind: "Map" | "Set"): Describe {
  return (ctx, { value, tag }) => {
    const entries = contents(value);
    const pairs = types.previewsPairs(value);
    const natural = `${kind} ${pairs ? "Entries" : "Iterator"}`;
    const shown = tag === "" || tag === `${kind} Iterator` ? natural : `${tag}] [${natural}`;
    return braces(`[${shown}] `, ownKeys(ctx, value), (_, __, depth) => pairs ? pairEntries(ctx, entries, depth)
      : indented(ctx, 2, () => limited(ctx, entries.length, (index) => ctx.format(entries[index], depth))));
  };
}

export const lists: Record<ListKind, Describe> = {
  Array: array,
  TypedArray: typedArray,
  Set: collection("Set", setSize, setEntries),
  Map: collection("Map", mapSize, mapEntries),
  "Map Iterator": iterator("Map"),
  "Set Iterator": iterator("Set"),
};
