import { kernel } from "amla:kernel";
import { coded, invalidType } from "./errors";

/** `Event`, `CustomEvent` and `EventTarget` as the DOM has them, without a tree. */

interface Init {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}

/** What dispatching changes on an event. */
interface State {
  target: EventTarget | null;
  dispatching: boolean;
  stopped: boolean;
  canceled: boolean;
  passive: boolean;
}

const states = new WeakMap<Event, State>();

function stateOf(event: Event): State {
  const state = states.get(event);
  if (!state) throw invalidType("this", "an instance of Event", event);
  return state;
}

const AT_TARGET = 2;

export class Event {
  static readonly NONE = 0;
  static readonly CAPTURING_PHASE = 1;
  static readonly AT_TARGET = AT_TARGET;
  static readonly BUBBLING_PHASE = 3;
  readonly #type: string;
  readonly #init: Init;
  readonly #timeStamp = kernel.process.monotonic();

  constructor(type: string, init: Init | null = null) {
    if (arguments.length === 0) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "type" argument must be specified');
    if (init !== null && typeof init !== "object") throw invalidType("options", "of type object", init);
    this.#type = String(type);
    this.#init = init ?? {};
    states.set(this, { target: null, dispatching: false, stopped: false, canceled: false, passive: false });
  }

  get type(): string {
    return this.#type;
  }
  get target(): EventTarget | null {
    return stateOf(this).target;
  }
  get currentTarget(): EventTarget | null {
    const { dispatching, target } = stateOf(this);
    return dispatching ? target : null;
  }
  get srcElement(): EventTarget | null {
    return stateOf(this).target;
  }
  get bubbles(): boolean {
    return Boolean(this.#init.bubbles);
  }
  get cancelable(): boolean {
    return Boolean(this.#init.cancelable);
  }
  get composed(): boolean {
    return Boolean(this.#init.composed);
  }
  get defaultPrevented(): boolean {
    return this.cancelable && stateOf(this).canceled;
  }
  get returnValue(): boolean {
    return !this.defaultPrevented;
  }
  get cancelBubble(): boolean {
    return false;
  }
  get eventPhase(): number {
    return stateOf(this).dispatching ? AT_TARGET : 0;
  }
  get timeStamp(): number {
    return this.#timeStamp;
  }
  get isTrusted(): boolean {
    return false;
  }
  composedPath(): EventTarget[] {
    const { dispatching, target } = stateOf(this);
    return dispatching && target ? [target] : [];
  }
  preventDefault(): void {
    const state = stateOf(this);
    if (this.cancelable && !state.passive) state.canceled = true;
  }
  stopPropagation(): void {
    stateOf(this);
  }
  stopImmediatePropagation(): void {
    stateOf(this).stopped = true;
  }
  get [Symbol.toStringTag](): string {
    return "Event";
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth: number, options: object, inspect: Inspect): string {
    if (depth < 0) return this.constructor.name;
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    return `${this.constructor.name} ${inspect({ type, defaultPrevented, cancelable, timeStamp }, options)}`;
  }
}

type Inspect = (value: unknown, options: object) => string;

export class CustomEvent extends Event {
  readonly #detail: unknown;

  constructor(type: string, init: (Init & { detail?: unknown }) | null = null) {
    super(type, init);
    this.#detail = init?.detail ?? null;
  }

  get detail(): unknown {
    return this.#detail;
  }
  override get [Symbol.toStringTag](): string {
    return "CustomEvent";
  }
}

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
