/** The promise form and the callback form of an operation, made from its synchronous form. */

import { kernel } from "amla:kernel";
import { requireFunction } from "../errors";

export type Operation = (...args: never[]) => unknown;
type Loose = (...args: unknown[]) => unknown;
type Callback = (error: unknown, ...results: unknown[]) => void;

/** Awaited operations between two turns of the event loop. */
const STRETCH = 64;
let awaited = 0;

/** A script that awaits files in an endless loop must not keep its own timers from firing. */
function isTimeToGiveWay(): boolean {
  awaited = (awaited + 1) % STRETCH;
  return awaited === 0;
}

/** Runs an operation that throws EAGAIN where others stand still until standard input has come. */
export function impatiently<T>(operation: () => T): T {
  kernel.vfs.patience(false);
  try {
    return operation();
  } finally {
    kernel.vfs.patience(true);
  }
}

export function promised<A extends unknown[], R>(operation: (...args: A) => R): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return operation(...args);
    } finally {
      if (isTimeToGiveWay()) await new Promise<void>((resolve) => kernel.timers.setImmediate(resolve));
    }
  };
}

/** Calls back in a later turn; wrong arguments are thrown at once, as Node does. */
export function callbacked(operation: Operation, results: (value: unknown, args: unknown[]) => unknown[] = one): Loose {
  return (...args) => {
    const callback = takeCallback(args);
    let outcome: Parameters<Callback>;
    try {
      outcome = [null, ...results((operation as Loose)(...args), args)];
    } catch (error) {
      if (isArgumentFault(error)) throw error;
      outcome = [error];
    }
    kernel.timers.setImmediate(() => callback(...outcome));
  };
}

function one(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}

export function takeCallback(args: unknown[]): Callback {
  const callback = args.length < 2 && typeof args[0] !== "function" ? undefined : args.pop();
  requireFunction("cb", callback);
  return callback as Callback;
}

function isArgumentFault(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code);
  return code.startsWith("ERR_") && !code.startsWith("ERR_FS_");
}

/** Every operation of a table in another form, under a name made from its own. */
export function mapped<T>(
  table: Record<string, Operation>,
  form: (operation: Operation) => T,
  suffix = "",
): Record<string, T> {
  return Object.fromEntries(Object.entries(table).map(([name, operation]) => [name + suffix, form(operation)]));
}
