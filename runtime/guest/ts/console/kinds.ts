/** What an object is natively, whatever its prototype says. */

import { native } from "../bridge/native";

const { types } = native;

type Check = (value: unknown) => boolean;

/** Objects that are iterated over: their class is looked for first. */
export type ListKind = "Array" | "Set" | "Map" | "TypedArray" | "Map Iterator" | "Set Iterator";

export type OtherKind =
  | "Function" | "RegExp" | "Date" | "Error" | "ArrayBuffer" | "SharedArrayBuffer" | "DataView" | "Promise" | "WeakSet"
  | "WeakMap" | "Module" | "Boxed" | "Arguments" | "Object";

const LISTS: readonly (readonly [ListKind, Check])[] = [
  ["Array", Array.isArray],
  ["Set", types.isSet],
  ["Map", types.isMap],
  ["TypedArray", types.isTypedArray],
  ["Map Iterator", types.isMapIterator],
  ["Set Iterator", types.isSetIterator],
];

const OTHERS: readonly (readonly [OtherKind, Check])[] = [
  ["Function", (value) => typeof value === "function"],
  ["Error", types.isNativeError],
  ["Date", types.isDate],
  ["RegExp", types.isRegExp],
  ["Promise", types.isPromise],
  ["ArrayBuffer", types.isArrayBuffer],
  ["SharedArrayBuffer", types.isSharedArrayBuffer],
  ["DataView", types.isDataView],
  ["WeakSet", types.isWeakSet],
  ["WeakMap", types.isWeakMap],
  ["Module", types.isModuleNamespaceObject],
  ["Boxed", types.isBoxedPrimitive],
  ["Arguments", types.isArgumentsObject],
];

export function listKind(value: object): ListKind | undefined {
  for (const [kind, is] of LISTS) if (is(value)) return kind;
  return undefined;
}

export function otherKind(value: object): OtherKind {
  for (const [kind, is] of OTHERS) if (is(value)) return kind;
  return inheritsFromError(value) ? "Error" : "Object";
}

/** `instanceof Error` for whichever realm the value is from. */
function inheritsFromError(value: object): boolean {
  for (let at = Object.getPrototypeOf(value) as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const constructor: unknown = Object.getOwnPropertyDescriptor(at, "constructor")?.value;
    if (typeof constructor === "function" && constructor.name === "Error" && constructor.prototype === at) return true;
  }
  return false;
}

export function isError(value: unknown): value is Error {
  return typeof value === "object" && value !== null && (types.isNativeError(value) || inheritsFromError(value));
}

type BoxedKind = "Number" | "String" | "Boolean" | "BigInt" | "Symbol";

/** Which primitive a wrapper object holds, and how to take it out. */
const BOXES: readonly (readonly [BoxedKind, Check, (value: object) => unknown])[] = [
  ["Number", types.isNumberObject, (value) => Number.prototype.valueOf.call(value)],
  ["String", types.isStringObject, (value) => String.prototype.valueOf.call(value)],
  ["Boolean", types.isBooleanObject, (value) => Boolean.prototype.valueOf.call(value)],
  ["BigInt", types.isBigIntObject, (value) => BigInt.prototype.valueOf.call(value)],
  ["Symbol", types.isSymbolObject, (value) => Symbol.prototype.valueOf.call(value)],
];

export function unbox(value: object): { kind: BoxedKind; primitive: unknown } {
  for (const [kind, is, open] of BOXES) if (is(value)) return { kind, primitive: open(value) };
  throw new TypeError("not a wrapped primitive");
}

/** What a Map, a Set or an iterator of theirs holds, in one list: keys and values by turns, or values. */
export function contents(value: object): unknown[] {
  return types.previewEntries(value) ?? [];
}

/** The name of the value's native class. */
export function kindName(value: object): string {
  const list = listKind(value);
  if (list === "TypedArray") return types.typedArrayName(value) ?? list;
  if (list !== undefined) return list;
  const other = otherKind(value);
  return other === "Boxed" ? unbox(value).kind : other;
}
