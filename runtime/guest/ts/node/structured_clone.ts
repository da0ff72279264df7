import { kernel } from "amla:kernel";
import { coded } from "./errors";
import { cloneBuffer, cloneView } from "./structured_clone/buffers";
import { fillError, makeError } from "./structured_clone/errors";

/** `structuredClone`, by the HTML standard: serialises and deserialises in one walk. */

const { types } = kernel;

export type Seen = Map<object, unknown>;

function refuse(value: unknown): never {
  const shown = typeof value === "object" ? describe(value as object) : String(value);
  throw new DOMException(`${shown} could not be cloned.`, "DataCloneError");
}

function describe(object: object): string {
  const name = object.constructor?.name;
  return name ? `#<${name}>` : Object.prototype.toString.call(object);
}

/** Makes the empty copy of an object and fills it once it is known, so that cycles find it. */
interface Cloner {
  fits: (value: object) => boolean;
  make: (value: never, seen: Seen) => object;
  fill?: (copy: never, value: never, copyOf: (inner: unknown) => unknown) => void;
}

const boxed = (value: object): boolean => types.isBoxedPrimitive(value) && !types.isSymbolObject(value);

function copyProperties(
  copy: Record<string, unknown>,
  value: Record<string, unknown>,
  copyOf: (inner: unknown) => unknown,
): void {
  for (const key of Object.keys(value)) {
    Object.defineProperty(copy, key, {
      value: copyOf(value[key]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

const cloners: Cloner[] = [
  { fits: boxed, make: (value: object) => Object((value as { valueOf(): unknown }).valueOf()) },
  { fits: types.isDate, make: (value: Date) => new Date(Date.prototype.getTime.call(value)) },
  { fits: types.isRegExp, make: ({ source, flags }: RegExp) => new RegExp(source, flags) },
  { fits: (value) => types.isArrayBuffer(value) || types.isSharedArrayBuffer(value), make: cloneBuffer },
  { fits: ArrayBuffer.isView, make: cloneView },
  {
    fits: types.isMap,
    make: () => new Map(),
    fill: (copy: Map<unknown, unknown>, value: Map<unknown, unknown>, copyOf) => {
      for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(copyOf(key), copyOf(item));
    },
  },
  {
    fits: types.isSet,
    make: () => new Set(),
    fill: (copy: Set<unknown>, value: Set<unknown>, copyOf) => {
      for (const item of [...Set.prototype.values.call(value)]) copy.add(copyOf(item));
    },
  },
  { fits: (value) => types.isNativeError(value) || value instanceof DOMException, make: makeError, fill: fillError },
  { fits: Array.isArray, make: (value: unknown[]) => new Array(value.length), fill: copyProperties as Cloner["fill"] },
];

const unclonable = [
  types.isProxy,
  types.isPromise,
  types.isWeakMap,
  types.isWeakSet,
  types.isWeakRef,
  types.isGeneratorObject,
  types.isSymbolObject,
  types.isModuleNamespaceObject,
  types.isArgumentsObject,
];

const plain: Cloner = { fits: () => true, make: () => ({}), fill: copyProperties as NonNullable<Cloner["fill"]> };

function clone(value: unknown, seen: Seen): unknown {
  if (typeof value === "symbol" || typeof value === "function") refuse(value);
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (unclonable.some((test) => test(value))) refuse(value);
  const cloner = cloners.find(({ fits }) => fits(value)) ?? plain;
  const copy = cloner.make(value as never, seen);
  seen.set(value, copy);
  cloner.fill?.(copy as never, value as never, (inner) => clone(inner, seen));
  return copy;
}

function checkTransfer(list: unknown): ArrayBuffer[] {
  const items = [...(list as Iterable<unknown>)];
  for (const item of items) {
    if (!types.isArrayBuffer(item))
      throw coded(TypeError, "ERR_INVALID_TRANSFER_OBJECT", "Found invalid object in transferList");
    if ((item as ArrayBuffer).detached)
      throw new DOMException("An ArrayBuffer is detached and could not be cloned.", "DataCloneError");
  }
  if (new Set(items).size !== items.length)
    throw new DOMException("ArrayBuffer occurs in the transfer list more than once", "DataCloneError");
  return items as ArrayBuffer[];
}

export function structuredClone<T>(value: T, options?: { transfer?: unknown } | null): T {
  if (arguments.length === 0) throw coded(TypeError, "ERR_MISSING_ARGS", "The value argument must be specified");
  const transfer = checkTransfer(options?.transfer ?? []);
  const seen: Seen = new Map();
  const copies = transfer.map((buffer) => [buffer, cloneBuffer(buffer)] as const);
  for (const [buffer, copy] of copies) seen.set(buffer, copy);
  const result = clone(value, seen) as T;
  for (const buffer of transfer) buffer.transfer();
  return result;
}
