/** What `util` has had since its first days. */

import { kernel } from "amla:kernel";
import { coded, invalidType } from "../errors";

const { types } = kernel;

type Class = abstract new (...args: never[]) => unknown;

/** Makes instances of `constructor` inherit from `parent.prototype`. */
export function inherits(constructor: Class, parent: Class & { super_?: unknown }): void {
  if (constructor === undefined || constructor === null) throw invalidType("ctor", "of type function", constructor);
  if (parent === undefined || parent === null) throw invalidType("superCtor", "of type function", parent);
  if (parent.prototype === undefined) throw invalidType("superCtor.prototype", "of type object", parent.prototype);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype as object, parent.prototype as object);
}

export function _extend(target: object, source: unknown): object {
  return typeof source === "object" && source !== null ? Object.assign(target, source) : target;
}

const isObject = (value: unknown): boolean => value !== null && typeof value === "object";
const isPrimitive = (value: unknown): boolean => value === null || (typeof value !== "object" && typeof value !== "function");
const isType = (type: string) => (value: unknown): boolean => typeof value === type;

export const checks = {
  isArray: Array.isArray,
  isBoolean: isType("boolean"),
  isBuffer: (value: unknown): boolean => types.typedArrayName(value) === "Uint8Array" && "readUInt8" in (value as object),
  isNull: (value: unknown): boolean => value === null,
  isNullOrUndefined: (value: unknown): boolean => value === null || value === undefined,
  isNumber: isType("number"),
  isString: isType("string"),
  isSymbol: isType("symbol"),
  isUndefined: isType("undefined"),
  isRegExp: types.isRegExp,
  isObject,
  isDate: types.isDate,
  isError: (value: unknown): boolean => types.isNativeError(value) || value instanceof Error,
  isFunction: isType("function"),
  isPrimitive,
};

const warned = new Set<string>();

/** `original`, with a warning on standard error the first time it is called. */
export function deprecate<F extends (...args: never[]) => unknown>(original: F, message: string, code?: string): F {
  let done = false;
  function deprecated(this: unknown, ...args: never[]): unknown {
    if (!done) warn(message, code);
    done = true;
    return new.target ? Reflect.construct(original, args, new.target) : Reflect.apply(original, this, args);
  }
  Object.setPrototypeOf(deprecated, original);
  if (original.prototype) deprecated.prototype = original.prototype;
  return deprecated as unknown as F;
}

/** Each code warns once. */
function warn(message: string, code: string | undefined): void {
  if (code !== undefined && warned.has(code)) return;
  if (code !== undefined) warned.add(code);
  kernel.process.write(2, `${code === undefined ? "" : `[${code}] `}DeprecationWarning: ${message}\n`);
}

type Log = ((...values: unknown[]) => void) & { enabled: boolean };

/** Prints to standard error when the environment's NODE_DEBUG names `section`. */
export function debuglog(section: string): Log {
  const wanted = (kernel.process.env.NODE_DEBUG ?? "").toUpperCase().split(",");
  const name = section.toUpperCase();
  const enabled = wanted.some((entry: string) => new RegExp(`^${entry.replaceAll("*", ".*")}$`).test(name));
  const print = (...values: unknown[]): void => {
    if (enabled) kernel.process.write(2, `${name}: ${kernel.console.formatWithOptions(undefined, values)}\n`);
  };
  return Object.defineProperty(print, "enabled", { value: enabled }) as Log;
}

/** Lone surrogates become U+FFFD. */
export const toUSVString = (text: unknown): string => String(text).toWellFormed();

/** Settles when `signal` aborts. */
export function aborted(signal: AbortSignalLike, resource: unknown): Promise<void> {
  if (typeof signal !== "object" || signal === null || !("aborted" in signal)) {
    throw invalidType("signal", "an instance of AbortSignal", signal);
  }
  if (typeof resource !== "object" || resource === null) throw invalidType("resource", "of type object", resource);
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

interface AbortSignalLike {
  aborted: boolean;
  addEventListener(type: string, listener: () => void, options: { once: boolean }): void;
}

const ERRNO: Readonly<Record<number, string>> = {
  1: "EPERM", 2: "ENOENT", 4: "EINTR", 5: "EIO", 9: "EBADF", 11: "EAGAIN", 12: "ENOMEM", 13: "EACCES", 14: "EFAULT",
  16: "EBUSY", 17: "EEXIST", 18: "EXDEV", 20: "ENOTDIR", 21: "EISDIR", 22: "EINVAL", 23: "ENFILE", 24: "EMFILE",
  27: "EFBIG", 28: "ENOSPC", 29: "ESPIPE", 30: "EROFS", 31: "EMLINK", 32: "EPIPE", 34: "ERANGE", 36: "ENAMETOOLONG",
  38: "ENOSYS", 39: "ENOTEMPTY", 40: "ELOOP", 95: "ENOTSUP", 98: "EADDRINUSE", 104: "ECONNRESET", 110: "ETIMEDOUT",
  111: "ECONNREFUSED", 113: "EHOSTUNREACH",
};

/** The name of an error number as system errors carry it (negative). */
export function getSystemErrorName(errno: unknown): string {
  if (typeof errno !== "number") throw invalidType("err", "of type number", errno);
  if (errno < 0 && Number.isInteger(errno)) return ERRNO[-errno] ?? `Unknown system error ${errno}`;
  throw coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "err" is out of range. It must be a negative integer. Received ${errno}`);
}
