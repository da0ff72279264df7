import { invalidType } from "../errors";
import { Event, stateOf } from "./event";

type Callback = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };

interface Options {
  capture?: boolean;
  once?: boolean;
  passive?: boolean;
  signal?: { aborted: boolean; addEventListener(type: string, listener: () => void, options: Options): void };
}

interface Entry {
  callback: Callback;
  capture: boolean;
  once: boolean;
  passive: boolean;
}

const listeners = new WeakMap<EventTarget, Map<string, Entry[]>>();

function listOf(target: EventTarget, type: string): Entry[] {
  const types = listeners.get(target);
  if (!types) throw invalidType("this", "an instance of EventTarget", target);
  return types.get(type) ?? [];
}

export function listenersOf(target: EventTarget, type: string): Callback[] {
  return listOf(target, type).map((entry) => entry.callback);
}

function normalized(options: boolean | Options | undefined): Options {
  return typeof options === "boolean" ? { capture: options } : (options ?? {});
}

function invoke({ callback }: Entry, target: EventTarget, event: Event): void {
  try {
    const result = typeof callback === "function" ? callback.call(target, event) : callback.handleEvent(event);
    const then = (result as Promise<unknown> | null | undefined)?.then;
    if (typeof then === "function") then.call(result, undefined, raise);
  } catch (error) {
    raise(error);
  }
}

/** A listener's error is uncaught: it reaches neither the dispatcher nor the other listeners. */
function raise(error: unknown): void {
  require("node:process").nextTick(() => {
    throw error;
  });
}

export class EventTarget {
  constructor() {
    listeners.set(this, new Map());
  }

  addEventListener(type: string, callback: Callback | null, options?: boolean | Options): void {
    const { capture = false, once = false, passive = false, signal } = normalized(options);
    if (callback === null || callback === undefined) return;
    if (typeof callback !== "function" && typeof callback !== "object") {
      throw invalidType("listener", "an instance of EventListener", callback);
    }
    const list = listOf(this, `${type}`);
    if (signal?.aborted || list.some((each) => each.callback === callback && each.capture === capture)) return;
    listeners.get(this)!.set(`${type}`, [...list, { callback, capture, once, passive }]);
    signal?.addEventListener("abort", () => this.removeEventListener(type, callback, options), { once: true });
  }

  removeEventListener(type: string, callback: Callback | null, options?: boolean | Options): void {
    const { capture = false } = normalized(options);
    const list = listOf(this, `${type}`).filter((each) => each.callback !== callback || each.capture !== capture);
    listeners.get(this)!.set(`${type}`, list);
  }

  dispatchEvent(event: Event): boolean {
    if (!(event instanceof Event)) throw invalidType("event", "an instance of Event", event);
    const state = stateOf(event);
    const list = listOf(this, event.type);
    if (state.dispatching) throw new DOMException("The event is already being dispatched", "InvalidStateError");
    Object.assign(state, { target: this, dispatching: true, stopped: false });
    for (const entry of list) {
      if (state.stopped) break;
      if (!listOf(this, event.type).includes(entry)) continue;
      if (entry.once) this.removeEventListener(event.type, entry.callback, entry.capture);
      state.passive = entry.passive;
      invoke(entry, this, event);
    }
    Object.assign(state, { dispatching: false, passive: false });
    return !event.defaultPrevented;
  }

  get [Symbol.toStringTag](): string {
    return "EventTarget";
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth: number): string {
    return depth < 0 ? this.constructor.name : `${this.constructor.name} {}`;
  }
}
