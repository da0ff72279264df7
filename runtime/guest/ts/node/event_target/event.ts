import { kernel } from "amla:kernel";
import { coded, invalidType } from "../errors";

interface Init {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}

/** Whoever an event is dispatched to. */
type Target = object;

/** What dispatching changes on an event. */
interface State {
  target: Target | null;
  dispatching: boolean;
  stopped: boolean;
  canceled: boolean;
  passive: boolean;
}

const states = new WeakMap<Event, State>();

export function stateOf(event: Event): State {
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
  get target(): Target | null {
    return stateOf(this).target;
  }
  get currentTarget(): Target | null {
    const { dispatching, target } = stateOf(this);
    return dispatching ? target : null;
  }
  get srcElement(): Target | null {
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
  composedPath(): Target[] {
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
