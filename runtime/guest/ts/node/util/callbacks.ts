/** From callbacks to promises and back. */

import { coded, requireFunction } from "../errors";

type Callable = (this: unknown, ...args: unknown[]) => unknown;
type Callback = (error: unknown, ...values: unknown[]) => void;

const custom: unique symbol = Symbol.for("nodejs.util.promisify.custom") as never;

/** A function that returns a promise for what `original` gives its last argument, a callback `(error, value)`. */
export function promisify(original: unknown): Callable {
  requireFunction("original", original);
  const own: unknown = (original as unknown as Record<symbol, unknown>)[custom];
  if (own) {
    requireFunction("util.promisify.custom", own);
    return Object.defineProperty(own as Callable, custom, { value: own, configurable: true });
  }
  function promised(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done: Callback = (error, value) => (error ? reject(error) : resolve(value));
      Reflect.apply(original as Callable, this, [...args, done]);
    });
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original) as object);
  Object.defineProperty(promised, custom, { value: promised, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}

promisify.custom = custom;

/** A callback can't tell a falsy reason from success. */
function reasonFor(reason: unknown): unknown {
  if (reason) return reason;
  const error = coded(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value");
  return Object.assign(error, { reason });
}

/** A function that passes what the async function `original` settles with to its last argument, a callback. */
export function callbackify(original: unknown): Callable {
  requireFunction("original", original);
  function callbackified(this: unknown, ...args: unknown[]): void {
    const callback = args.pop();
    requireFunction("last argument", callback);
    const call = (...values: unknown[]): void => queueMicrotask(() => Reflect.apply(callback as Callable, this, values));
    const promise = Reflect.apply(original as Callable, this, args) as Promise<unknown>;
    promise.then((value) => call(null, value), (reason: unknown) => call(reasonFor(reason)));
  }
  const descriptors = Object.getOwnPropertyDescriptors(original) as PropertyDescriptorMap;
  if (typeof descriptors.length?.value === "number") descriptors.length.value++;
  if (typeof descriptors.name?.value === "string") descriptors.name.value += "Callbackified";
  return Object.defineProperties(callbackified, descriptors);
}
