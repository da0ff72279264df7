import * as timers from "amla:timers_core";
import { coded, invalidType } from "../errors";

interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

interface Options {
  signal?: Signal;
  ref?: boolean;
}

interface Handle {
  unref(): unknown;
  close(): unknown;
}

function abortError({ reason }: Signal): Error {
  const error = coded(Error, "ABORT_ERR", "The operation was aborted");
  error.name = "AbortError";
  Object.defineProperty(error, "cause", { value: reason, configurable: true, writable: true });
  return error;
}

function check(options: Options): void {
  if (options === null || typeof options !== "object") throw invalidType("options", "of type object", options);
  if (options.signal !== undefined && typeof options.signal?.aborted !== "boolean") {
    throw invalidType("options.signal", "an instance of AbortSignal", options.signal);
  }
}

/** A promise that `start` settles by its callback, or the signal's abort before that. */
async function wait<T>(start: (done: () => void) => Handle, value: T, options: Options): Promise<T> {
  check(options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw abortError(signal);
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      handle.close();
      reject(abortError(signal!));
    };
    const handle = start(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    if (!ref) handle.unref();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

export function setTimeout<T>(ms?: number, value?: T, options: Options = {}): Promise<T | undefined> {
  return wait((done) => timers.setTimeout(done, ms), value, options);
}

export function setImmediate<T>(value?: T, options: Options = {}): Promise<T | undefined> {
  return wait((done) => timers.setImmediate(done), value, options);
}

/** Yields `value` at each interval; rounds that nobody awaited yet are not lost. */
export async function* setInterval<T>(ms?: number, value?: T, options: Options = {}): AsyncGenerator<T | undefined> {
  check(options);
  const { signal, ref = true } = options;
  if (signal?.aborted) throw abortError(signal);
  let due = 0;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    wake?.();
    wake = undefined;
  };
  const timer = timers.setInterval(() => {
    due++;
    tell();
  }, ms);
  if (!ref) timer.unref();
  signal?.addEventListener("abort", tell, { once: true });
  try {
    for (;;) {
      if (due === 0 && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      if (signal?.aborted) throw abortError(signal);
      for (; due > 0; due--) yield value;
    }
  } finally {
    timer.close();
    signal?.removeEventListener("abort", tell);
  }
}

export const scheduler = {
  wait: (ms: number, options?: Options): Promise<undefined> => setTimeout(ms, undefined, options),
  yield: (): Promise<undefined> => setImmediate(),
};
