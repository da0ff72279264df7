/** Deep equality as `assert.deepStrictEqual` and `assert.deepEqual` define it. */

import { native } from "../bridge/native";
import { contents, isError, unbox } from "./kinds";

const { types } = native;

/** Strict compares prototypes, symbols and `Object.is`; loose uses `==` on primitives. */
interface Mode {
  strict: boolean;
  /** Pairs under comparison, left to right: met again, they count as equal. */
  open: Map<object, object>;
}

const { getPrototypeOf } = Object;
const tagOf = (value: object): string => Object.prototype.toString.call(value);
const isEnumerable = Object.prototype.propertyIsEnumerable;

function samePrimitive(a: unknown, b: unknown, mode: Mode): boolean {
  if (mode.strict) return Object.is(a, b);
  if (typeof b === "object" && b !== null) return false;
  return a == b || (a !== a && b !== b); // eslint-disable-line eqeqeq
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function equal(a: unknown, b: unknown, mode: Mode): boolean {
  if (a === b) return a !== 0 || !mode.strict || Object.is(a, b);
  if (!isObject(a) || !isObject(b)) return !isObject(a) && samePrimitive(a, b, mode);
  if (mode.strict && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
  if (tagOf(a) !== tagOf(b)) return false;
  return sameKind(a, b, mode) && sameContent(a, b, mode);
}

type Compare = (a: object, b: object, mode: Mode) => boolean;

const time = (value: object): number => Date.prototype.getTime.call(value);

function sameRegExp(a: object, b: object): boolean {
  const [x, y] = [a as RegExp, b as RegExp];
  return x.source === y.source && x.flags === y.flags && x.lastIndex === y.lastIndex;
}

/** `cause` and `errors` count though they are not enumerable. */
function sameError(a: object, b: object, mode: Mode): boolean {
  const [x, y] = [a as Error, b as Error];
  if (!equal(x.message, y.message, mode) || !equal(x.name, y.name, mode)) return false;
  return ["cause", "errors"].every((key) =>
    Object.hasOwn(a, key) === Object.hasOwn(b, key) && equal(read(a, key), read(b, key), mode));
}

function bytesOf(value: object): Uint8Array {
  if (!ArrayBuffer.isView(value)) return new Uint8Array(value as ArrayBuffer);
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

function sameBytes(a: object, b: object): boolean {
  const [x, y] = [bytesOf(a), bytesOf(b)];
  return x.length === y.length && x.every((byte, index) => byte === y[index]);
}

function sameView(a: object, b: object, mode: Mode): boolean {
  const name = types.typedArrayName(a);
  if (name !== types.typedArrayName(b)) return false;
  if (mode.strict || name === undefined || !name.startsWith("Float")) return sameBytes(a, b);
  const [x, y] = [a as Float64Array, b as Float64Array];
  return x.length === y.length && Array.prototype.every.call(x, (item, index) => item === y[index]);
}

function sameBox(a: object, b: object): boolean {
  const [x, y] = [unbox(a), unbox(b)];
  return x.kind === y.kind && Object.is(x.primitive, y.primitive);
}

/** A URL keeps nothing in its properties. */
const isUrl = (value: unknown): boolean => isObject(value) && tagOf(value) === "[object URL]";

const isAnyBuffer = (value: unknown): boolean => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);

/** What two objects of one kind must share besides their properties; both must be of the kind. */
const KINDS: readonly (readonly [(value: unknown) => boolean, Compare])[] = [
  [Array.isArray, (a, b) => (a as unknown[]).length === (b as unknown[]).length],
  [types.isDate, (a, b) => time(a) === time(b)],
  [types.isRegExp, sameRegExp],
  [isError, sameError],
  [ArrayBuffer.isView, sameView],
  [types.isSet, (a, b) => sizeOf(a) === sizeOf(b)],
  [types.isMap, (a, b) => sizeOf(a) === sizeOf(b)],
  [isAnyBuffer, sameBytes],
  [types.isBoxedPrimitive, sameBox],
  [isUrl, (a, b) => read(a, "href") === read(b, "href")],
];

const sizeOf = (value: object): number => (value as Set<unknown>).size;

function sameKind(a: object, b: object, mode: Mode): boolean {
  if (tagOf(a) === "[object Object]" && !isError(a) && !isError(b)) return true;
  for (const [is, same] of KINDS) {
    const left = is(a);
    if (left !== is(b)) return false;
    if (left) return same(a, b, mode);
  }
  return true;
}

function keysOf(value: object, strict: boolean): PropertyKey[] {
  const skipIndexes = Array.isArray(value) || ArrayBuffer.isView(value);
  const names: PropertyKey[] = skipIndexes ? types.ownNonIndexKeys(value, true).filter((key) => typeof key === "string")
    : Object.keys(value);
  if (!strict) return names;
  return [...names, ...Object.getOwnPropertySymbols(value).filter((symbol) => isEnumerable.call(value, symbol))];
}

function sameContent(a: object, b: object, mode: Mode): boolean {
  const keys = keysOf(a, mode.strict);
  if (keys.length !== keysOf(b, mode.strict).length) return false;
  if (!keys.every((key) => isEnumerable.call(b, key))) return false;
  if (mode.open.has(a)) return mode.open.get(a) === b;
  mode.open.set(a, b);
  const same = sameItems(a, b, mode) && keys.every((key) => equal(read(a, key), read(b, key), mode));
  mode.open.delete(a);
  return same;
}

const read = (value: object, key: PropertyKey): unknown => (value as Record<PropertyKey, unknown>)[key];

function sameItems(a: object, b: object, mode: Mode): boolean {
  if (Array.isArray(a)) return sameElements(a, b as unknown[], mode);
  if (types.isSet(a) && types.isSet(b)) return sameSet(contents(a), contents(b), mode);
  if (types.isMap(a) && types.isMap(b)) return sameMap(contents(a), contents(b), mode);
  return true;
}

function sameElements(a: unknown[], b: unknown[], mode: Mode): boolean {
  for (let index = 0; index < a.length; index++) {
    if (Object.hasOwn(a, index) !== Object.hasOwn(b, index)) return false;
    if (!equal(a[index], b[index], mode)) return false;
  }
  return true;
}

/** Every item of `a` has a partner of its own in `b`, in any order. */
function sameSet(a: unknown[], b: unknown[], mode: Mode): boolean {
  const left = new Set(b);
  const unmatched = a.filter((item) => !left.delete(item));
  return unmatched.every((item) => takeEqual(left, (other) => isMatch(item, other, mode)));
}

/** Primitives that are not the same can only match loosely. */
function isMatch(item: unknown, other: unknown, mode: Mode): boolean {
  if (mode.strict && !isObject(item)) return false;
  return equal(item, other, mode);
}

function takeEqual<T>(items: Set<T>, matches: (item: T) => boolean): boolean {
  for (const item of items) if (matches(item)) return items.delete(item);
  return false;
}

type Pair = readonly [key: unknown, value: unknown];

function pairs(flat: unknown[]): Pair[] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index], flat[2 * index + 1]]);
}

function sameMap(a: unknown[], b: unknown[], mode: Mode): boolean {
  const left = new Map(pairs(b));
  const unmatched: Pair[] = [];
  for (const pair of pairs(a)) {
    const [key, value] = pair;
    if (left.has(key) && equal(value, left.get(key), mode)) left.delete(key);
    else unmatched.push(pair);
  }
  const rest = new Set<Pair>(left);
  return unmatched.every(([key, value]) =>
    takeEqual(rest, (other) => isMatch(key, other[0], mode) && equal(value, other[1], mode)));
}

export function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, { strict: true, open: new Map() });
}

export function isDeepEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, { strict: false, open: new Map() });
}
