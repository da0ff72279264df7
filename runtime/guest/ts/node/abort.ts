import { kernel } from "amla:kernel";
import { Event, EventTarget } from "amla:event_target";
import { coded, outOfRange, invalidType } from "./errors";

/** Only this module makes signals; scripts get them from a controller or a static method. */
const key = Symbol("AbortSignal");

type Handler = ((event: Event) => unknown) | null;
type Inspect = (value: unknown, options: object) => string;

/** Aborts a signal; only code here has it. */
let fire: (signal: AbortSignal, reason: unknown) => void;

const MOST = 2 ** 32 - 1;

const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  #handler: Handler = null;
  #listener: ((event: Event) => unknown) | null = null;

  constructor(secret?: symbol) {
    if (secret !== key) throw coded(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
    super();
  }

  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get onabort(): Handler {
    return this.#handler;
  }
  set onabort(handler: Handler) {
    if (this.#listener) this.removeEventListener("abort", this.#listener);
    this.#handler = typeof handler === "function" ? handler : null;
    this.#listener = this.#handler && ((event) => this.#handler?.call(this, event));
    if (this.#listener) this.addEventListener("abort", this.#listener);
  }

  static {
    fire = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      signal.dispatchEvent(new Event("abort"));
    };
  }

  static abort(reason: unknown = defaultReason()): AbortSignal {
    return aborted(reason);
  }

  /** Aborts after that many milliseconds; does not keep the script running. */
  static timeout(ms: number): AbortSignal {
    if (typeof ms !== "number") throw invalidType("delay", "of type number", ms);
    if (!(ms >= 0 && ms <= MOST)) throw outOfRange("delay", `>= 0 && <= ${MOST}`, ms);
    const signal = makeSignal();
    const late = (): DOMException => new DOMException("The operation was aborted due to timeout", "TimeoutError");
    const id = kernel.timers.set(ms, false, () => fire(signal, late()));
    kernel.timers.hold(id, false);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const sources = [...signals];
    const done = sources.find((source) => source.aborted);
    if (done) return aborted(done.reason);
    const result = makeSignal();
    for (const source of sources) source.addEventListener("abort", () => fire(result, source.reason));
    return result;
  }

  override get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }
  [inspectCustom](depth: number, options: object, inspect: Inspect): string {
    return depth < 0 ? "AbortSignal" : `AbortSignal ${inspect({ aborted: this.aborted }, options)}`;
  }
}

function makeSignal(): AbortSignal {
  return new AbortSignal(key);
}

function aborted(reason: unknown): AbortSignal {
  const signal = makeSignal();
  fire(signal, reason);
  return signal;
}

function defaultReason(): DOMException {
  return new DOMException("This operation was aborted", "AbortError");
}

export class AbortController {
  readonly #signal = new AbortSignal(key);

  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason: unknown = defaultReason()): void {
    fire(this.#signal, reason);
  }
  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
  [inspectCustom](depth: number, options: object, inspect: Inspect): string {
    return depth < 0 ? "AbortController" : `AbortController ${inspect({ signal: this.signal }, options)}`;
  }
}
