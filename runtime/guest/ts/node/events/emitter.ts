import { coded, invalidType, outOfRange, requireFunction } from "../errors";
import {
  capture,
  type EventName,
  forget,
  initialize,
  keep,
  type Listener,
  listed,
  storeOf,
  type Wrapped,
} from "./store";

export const errorMonitor = Symbol("events.errorMonitor");
export const captureRejectionSymbol = Symbol.for("nodejs.rejection");

export const defaults = { maxListeners: 10, captureRejections: false };

export interface EventEmitter {
  setMaxListeners(count: number): this;
  getMaxListeners(): number;
  emit(name: EventName, ...args: unknown[]): boolean;
  on(name: EventName, listener: Listener): this;
  off(name: EventName, listener: Listener): this;
  addListener(name: EventName, listener: Listener): this;
  prependListener(name: EventName, listener: Listener): this;
  once(name: EventName, listener: Listener): this;
  prependOnceListener(name: EventName, listener: Listener): this;
  removeListener(name: EventName, listener: Listener): this;
  removeAllListeners(name?: EventName): this;
  listeners(name: EventName): Listener[];
  rawListeners(name: EventName): Listener[];
  listenerCount(name: EventName, listener?: Listener): number;
  eventNames(): EventName[];
}

interface Options {
  captureRejections?: boolean;
}

/** A function rather than a class, because old code calls it on objects of its own. */
export const EventEmitter = function (this: EventEmitter, options?: Options) {
  init.call(this, options);
} as unknown as { new (options?: Options): EventEmitter; prototype: EventEmitter };

export function init(this: EventEmitter, options?: Options): void {
  initialize(this, options?.captureRejections ?? defaults.captureRejections);
}

function describe(value: unknown): string {
  return (require("node:util") as { inspect(value: unknown): string }).inspect(value);
}

function throwUnhandled(error: unknown): never {
  if (error instanceof Error) throw error;
  const failure = coded(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${describe(error)})`);
  throw Object.assign(failure, { context: error });
}

function warnOfLeak(emitter: EventEmitter, name: EventName, list: Listener[] & { warned?: boolean }): void {
  const limit = emitter.getMaxListeners();
  if (limit <= 0 || list.length <= limit || list.warned) return;
  Object.defineProperty(list, "warned", { value: true });
  const text =
    `Possible EventEmitter memory leak detected. ${list.length} ${String(name)} listeners added to ` +
    `[${emitter.constructor.name}]. MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`;
  require("node:process").emitWarning(text, "MaxListenersExceededWarning");
}

function add(emitter: EventEmitter, name: EventName, listener: Listener, front: boolean): EventEmitter {
  requireFunction("listener", listener);
  const store = storeOf(emitter);
  if (store._events["newListener"]) emitter.emit("newListener", name, (listener as Wrapped).listener ?? listener);
  const old = listed(store, name) as Listener[] & { warned?: boolean };
  const list = front ? [listener, ...old] : [...old, listener];
  if (old.warned) Object.defineProperty(list, "warned", { value: true });
  keep(store, name, list);
  warnOfLeak(emitter, name, list);
  return emitter;
}

function onceWrapper(emitter: EventEmitter, name: EventName, listener: Listener): Wrapped {
  requireFunction("listener", listener);
  let fired = false;
  const wrapper: Wrapped = (...args: never[]): unknown => {
    if (fired) return undefined;
    fired = true;
    emitter.removeListener(name, wrapper);
    return listener.apply(emitter as never, args);
  };
  Object.defineProperty(wrapper, "name", { value: "bound onceWrapper" });
  wrapper.listener = listener;
  return wrapper;
}

function captureRejection(emitter: EventEmitter, name: EventName, result: unknown, args: unknown[]): void {
  const then = (result as Promise<unknown> | null)?.then;
  if (typeof then !== "function") return;
  then.call(result, undefined, (error: unknown) => {
    const handler = (emitter as unknown as Record<symbol, Listener>)[captureRejectionSymbol];
    if (typeof handler === "function") handler.apply(emitter as never, [error, name, ...args] as never[]);
    else emitter.emit("error", error);
  });
}

function isListener(wanted: Listener): (each: Wrapped) => boolean {
  return (each) => each === wanted || each.listener === wanted;
}

function removeOneByOne(emitter: EventEmitter, name: EventName): void {
  for (const listener of [...listed(storeOf(emitter), name)].reverse()) emitter.removeListener(name, listener);
}

const methods: ThisType<EventEmitter> & Omit<EventEmitter, "on" | "off"> = {
  setMaxListeners(count) {
    if (typeof count !== "number") throw invalidType("setMaxListeners", "of type number", count);
    if (!(count >= 0)) throw outOfRange("setMaxListeners", ">= 0", count);
    storeOf(this)._maxListeners = count;
    return this;
  },
  getMaxListeners() {
    return storeOf(this)._maxListeners ?? defaults.maxListeners;
  },
  emit(name, ...args) {
    const store = storeOf(this);
    if (name === "error") for (const watch of listed(store, errorMonitor)) watch.apply(this as never, args as never[]);
    const list = listed(store, name);
    if (list.length === 0) {
      if (name === "error") throwUnhandled(args[0]);
      return false;
    }
    const capturing = (this as unknown as Record<symbol, unknown>)[capture];
    for (const listener of list) {
      const result = listener.apply(this as never, args as never[]);
      if (capturing && result !== undefined) captureRejection(this, name, result, args);
    }
    return true;
  },
  addListener(name, listener) {
    return add(this, name, listener, false);
  },
  prependListener(name, listener) {
    return add(this, name, listener, true);
  },
  once(name, listener) {
    return add(this, name, onceWrapper(this, name, listener), false);
  },
  prependOnceListener(name, listener) {
    return add(this, name, onceWrapper(this, name, listener), true);
  },
  removeListener(name, listener) {
    requireFunction("listener", listener);
    const store = storeOf(this);
    const list = listed(store, name);
    const at = list.findLastIndex(isListener(listener));
    if (at < 0) return this;
    keep(
      store,
      name,
      list.filter((_, index) => index !== at),
    );
    if (store._events["removeListener"]) this.emit("removeListener", name, (list[at] as Wrapped).listener ?? listener);
    return this;
  },
  removeAllListeners(...names) {
    const store = storeOf(this);
    const all = names.length === 0;
    if (store._events["removeListener"]) {
      const watched = all ? this.eventNames().filter((name) => name !== "removeListener") : (names as EventName[]);
      for (const name of watched) removeOneByOne(this, name);
    }
    forget(store, all ? undefined : names[0]);
    return this;
  },
  listeners(name) {
    return listed(storeOf(this), name).map((each: Wrapped) => each.listener ?? each);
  },
  rawListeners(name) {
    return [...listed(storeOf(this), name)];
  },
  listenerCount(name, listener) {
    const list = listed(storeOf(this), name);
    return listener ? list.filter(isListener(listener)).length : list.length;
  },
  eventNames() {
    return Reflect.ownKeys(storeOf(this)._events);
  },
};

Object.assign(EventEmitter.prototype, methods);
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;
