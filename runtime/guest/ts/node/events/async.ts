import { coded, received } from "../errors";
import { EventEmitter } from "./emitter";
import type { EventName, Listener } from "./store";

interface Target {
  addEventListener(name: EventName, listener: Listener, options?: { once?: boolean }): void;
  removeEventListener(name: EventName, listener: Listener): void;
}

type Source = EventEmitter | Target;

interface Signal extends Target {
  readonly aborted: boolean;
  readonly reason: unknown;
}

interface WaitOptions {
  signal?: Signal;
  close?: EventName[];
}

function isEmitter(source: Source): source is EventEmitter {
  return typeof (source as EventEmitter).on === "function";
}

function listen(source: Source, name: EventName, listener: Listener, once = false): void {
  if (isEmitter(source)) source[once ? "once" : "on"](name, listener);
  else if (typeof source.addEventListener === "function") source.addEventListener(name, listener, { once });
  else {
    const message = `The "emitter" argument must be an instance of EventEmitter.${received(source)}`;
    throw coded(TypeError, "ERR_INVALID_ARG_TYPE", message);
  }
}

function unlisten(source: Source, name: EventName, listener: Listener): void {
  if (isEmitter(source)) source.removeListener(name, listener);
  else source.removeEventListener(name, listener);
}

function abortError(signal: Signal): Error {
  const error = coded(Error, "ABORT_ERR", "The operation was aborted");
  error.name = "AbortError";
  return Object.assign(error, { cause: signal.reason });
}

/** Fulfilled with the arguments of the next such event; rejected by an "error" that comes first. */
export async function once(source: Source, name: EventName, options?: WaitOptions): Promise<unknown[]> {
  const signal = options?.signal;
  if (signal?.aborted) throw abortError(signal);
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      unlisten(source, name, onEvent);
      if (name !== "error" && isEmitter(source)) source.removeListener("error", onError);
      signal?.removeEventListener("abort", onAbort as Listener);
      settle();
    };
    const onEvent = (...args: unknown[]): void => done(() => resolve(args));
    const onError = (error: unknown): void => done(() => reject(error));
    const onAbort = (): void => done(() => reject(abortError(signal!)));
    listen(source, name, onEvent, true);
    if (name !== "error" && isEmitter(source)) source.once("error", onError);
    signal?.addEventListener("abort", onAbort as Listener, { once: true });
  });
}

type Waiter = { resolve(result: IteratorResult<unknown[]>): void; reject(error: unknown): void };

/** Events of a source as an endless asynchronous iteration over their arguments. */
class EventIterator {
  private readonly events: unknown[][] = [];
  private readonly waiters: Waiter[] = [];
  private readonly ends: [EventName, Listener][] = [];
  private failure: { error: unknown } | undefined;
  private finished = false;

  constructor(
    private readonly source: Source,
    name: EventName,
    private readonly options: WaitOptions,
  ) {
    const { signal, close = [] } = options;
    if (signal?.aborted) throw abortError(signal);
    this.attach(name, (...args: unknown[]) => this.push(args));
    if (name !== "error" && isEmitter(source)) this.attach("error", (error: unknown) => this.fail(error));
    for (const end of close) this.attach(end, () => void this.return());
    signal?.addEventListener("abort", this.onAbort as Listener, { once: true });
  }

  private readonly onAbort = (): void => this.fail(abortError(this.options.signal!));

  private attach(name: EventName, listener: Listener): void {
    listen(this.source, name, listener);
    this.ends.push([name, listener]);
  }

  private push(args: unknown[]): void {
    const waiter = this.waiters.shift();
    if (waiter) waiter.resolve({ value: args, done: false });
    else this.events.push(args);
  }

  private fail(error: unknown): void {
    const waiter = this.waiters.shift();
    if (waiter) waiter.reject(error);
    else this.failure = { error };
    void this.return();
  }

  next(): Promise<IteratorResult<unknown[]>> {
    const value = this.events.shift();
    if (value) return Promise.resolve({ value, done: false });
    if (this.failure) {
      const { error } = this.failure;
      this.failure = undefined;
      return Promise.reject(error);
    }
    if (this.finished) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<unknown[]>> {
    for (const [name, listener] of this.ends) unlisten(this.source, name, listener);
    this.options.signal?.removeEventListener("abort", this.onAbort as Listener);
    this.finished = true;
    for (const waiter of this.waiters.splice(0)) waiter.resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  }

  throw(error: unknown): Promise<IteratorResult<unknown[]>> {
    this.fail(error);
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export function on(source: Source, name: EventName, options: WaitOptions = {}): EventIterator {
  return new EventIterator(source, name, options);
}

export function addAbortListener(signal: Signal, listener: Listener): Disposable {
  if (signal.aborted) queueMicrotask(() => (listener as () => void)());
  else signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
}
