import { kernel } from "amla:kernel";
import { requireFunction } from "./errors";

/** The global timer functions. A run that waits loads this module first, so it stays small. */

const { timers } = kernel;

type Callback = (...args: never[]) => unknown;

const byId = new Map<number, Timeout>();

export class Timeout {
  /** The kernel's id; 0 once the timer is over. */
  _id = 0;
  _referenced = true;

  constructor(
    readonly _onTimeout: Callback,
    readonly _args: unknown[],
    readonly _ms: number,
    readonly _repeat: boolean,
  ) {
    this._start();
  }

  _start(): void {
    const id = timers.set(this._ms, this._repeat, () => {
      if (!this._repeat) this._over();
      this._onTimeout.apply(this as never, this._args as never[]);
    });
    this._id = id;
    byId.set(id, this);
    if (!this._referenced) timers.hold(id, false);
  }

  _over(): void {
    byId.delete(this._id);
    this._id = 0;
  }

  close(): this {
    if (this._id !== 0) timers.clear(this._id);
    this._over();
    return this;
  }

  /** Counts the time anew, also when the timer has fired already. */
  refresh(): this {
    this.close();
    this._start();
    return this;
  }

  ref(): this {
    return this._hold(true);
  }
  unref(): this {
    return this._hold(false);
  }
  _hold(holds: boolean): this {
    this._referenced = holds;
    if (this._id !== 0) timers.hold(this._id, holds);
    return this;
  }
  hasRef(): boolean {
    return this._referenced;
  }

  [Symbol.toPrimitive](): number {
    return this._id;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

export class Immediate {
  _id: number;

  constructor(_onImmediate: Callback, args: unknown[]) {
    this._id = timers.setImmediate(() => {
      this._id = 0;
      _onImmediate.apply(this as never, args as never[]);
    });
  }
  close(): void {
    if (this._id !== 0) timers.clear(this._id);
    this._id = 0;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return this._id !== 0;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Node's bounds: less than 1 ms, too long, or no number is 1 ms. */
function milliseconds(ms: unknown): number {
  const delay = +(ms as number);
  return delay >= 1 && delay <= 2 ** 31 - 1 ? delay : 1;
}

export function setTimeout(callback: Callback, ms?: unknown, ...args: unknown[]): Timeout {
  requireFunction("callback", callback);
  return new Timeout(callback, args, milliseconds(ms), false);
}

export function setInterval(callback: Callback, ms?: unknown, ...args: unknown[]): Timeout {
  requireFunction("callback", callback);
  return new Timeout(callback, args, milliseconds(ms), true);
}

export function setImmediate(callback: Callback, ...args: unknown[]): Immediate {
  requireFunction("callback", callback);
  return new Immediate(callback, args);
}

/** What `util.promisify` makes of them. */
function promisified<F extends (...args: never[]) => unknown>(original: F): F {
  const get = (): unknown => require("node:timers/promises")[original.name];
  return Object.defineProperty(original, Symbol.for("nodejs.util.promisify.custom"), { get });
}

promisified(setTimeout);
promisified(setImmediate);

/** Takes what set… returned, or its number; anything else is ignored, as in Node. */
export function clearTimeout(timer?: unknown): void {
  if (timer instanceof Timeout || timer instanceof Immediate) timer.close();
  else if (typeof timer === "number" || typeof timer === "string") byId.get(+timer)?.close();
}

export { clearTimeout as clearInterval, clearTimeout as clearImmediate };
