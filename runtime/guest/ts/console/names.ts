/** What to call an object: its class, its tag, and both together in front of a brace. */

import { type Context, tooDeep } from "./context";
import { kindName } from "./kinds";

/** Global classes of the language itself, as opposed to a script's own. */
export const builtins: ReadonlySet<string> = new Set([
  "Object", "Function", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Date", "Promise", "RegExp", "Proxy",
  "Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError",
  "ArrayBuffer", "DataView", "Atomics", "JSON", "Math", "Intl", "Reflect", "Map", "Set", "WeakMap",
  "WeakSet", "WeakRef", "FinalizationRegistry", "WebAssembly", "Infinity", "NaN", "Uint8Array", "Int8Array",
  "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array", "Uint8ClampedArray",
  "BigUint64Array", "BigInt64Array",
]);

type Constructor = abstract new (...args: never[]) => unknown;

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

function isInstance(value: object, constructor: Constructor): boolean {
  try {
    return value instanceof constructor;
  } catch {
    return false;
  }
}

/** The class that `holder`, an object on the prototype chain of `value`, says it belongs to; "" if none. */
function nameFrom(holder: object, value: object): string {
  const constructor: unknown = getOwnPropertyDescriptor(holder, "constructor")?.value;
  if (typeof constructor !== "function" || constructor.name === "") return "";
  return isInstance(value, constructor as unknown as Constructor) ? String(constructor.name) : "";
}

export interface ClassName {
  name: string;
  /** Where on the prototype chain the name was found. */
  holder: object;
}

function findClass(value: object): ClassName | undefined {
  for (let holder: object | null = value; holder !== null; holder = getPrototypeOf(holder) as object | null) {
    const name = nameFrom(holder, value);
    if (name !== "") return { name, holder };
  }
  return undefined;
}

/** An object whose chain names no class: what it is natively, and the same of its prototype in brackets. */
function complexName(ctx: Context, value: object, prototype: object, depth: number): string {
  const native = kindName(value);
  if (tooDeep(ctx, depth)) return `${native} <Complex prototype>`;
  const inner = constructorName(ctx, prototype, depth + 1);
  if (inner !== null) return `${native} <${inner}>`;
  const shown = bare(ctx).format(prototype, depth + 1);
  return `${native} <${shown}>`;
}

/** A context that prints only the outside of an object. */
function bare(ctx: Context): Context {
  return Object.assign(Object.create(ctx) as Context, { customInspect: false, depth: -1 });
}

/** The class of `value`; null if it has no prototype. */
export function constructorName(ctx: Context, value: object, depth: number, found?: (it: ClassName) => void): string | null {
  const it = findClass(value);
  if (it !== undefined) {
    found?.(it);
    return it.name;
  }
  const prototype = getPrototypeOf(value) as object | null;
  return prototype === null ? null : complexName(ctx, value, prototype, depth);
}

/** The value's own idea of its name, unless it will be printed among the properties anyway. */
export function tagOf(ctx: Context, value: object): string {
  const tag: unknown = (value as Record<symbol, unknown>)[Symbol.toStringTag];
  if (typeof tag !== "string" || tag === "") return "";
  const listed = ctx.showHidden ? Object.hasOwn(value, Symbol.toStringTag)
    : Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag);
  return listed ? "" : tag;
}

/** `Name(size) [tag] `, with the blank that separates it from a brace. */
export function prefix(name: string | null, tag: string, fallback: string, size = ""): string {
  if (name === null) {
    const what = `[${fallback}${size}: null prototype] `;
    return tag !== "" && tag !== fallback ? `${what}[${tag}] ` : what;
  }
  return tag !== "" && tag !== name ? `${name}${size} [${tag}] ` : `${name}${size} `;
}
