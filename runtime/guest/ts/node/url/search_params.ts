import { coded, requireFunction } from "../errors";
import { type Pair, parseForm, serializeForm } from "./form";

type Inspect = (value: unknown, options: object) => string;

const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const NAME = "URLSearchParams Iterator";

/** What its objects have in common: they iterate over themselves, and show what is still to come. */
const iteratorPrototype: object = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object, {
  [Symbol.toStringTag]: { value: NAME, configurable: true },
});

function toText(value: unknown): string {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return `${value}`.toWellFormed();
}

function missing(...names: string[]): Error {
  const list = names.map((name) => `"${name}"`).join(" and ");
  return coded(TypeError, "ERR_MISSING_ARGS", `The ${list} argument${names.length > 1 ? "s" : ""} must be specified`);
}

function invalidTuple(): Error {
  return coded(TypeError, "ERR_INVALID_TUPLE", "Each query pair must be an iterable [name, value] tuple");
}

function pairsFrom(init: object): Pair[] {
  const iterate = (init as Iterable<unknown>)[Symbol.iterator] as unknown;
  if (iterate == null)
    return Reflect.ownKeys(init)
      .filter((key) => isEnumerable(init, key))
      .map((key) => [toText(key), toText((init as never)[key])]);
  if (typeof iterate !== "function") throw coded(TypeError, "ERR_ARG_NOT_ITERABLE", "Query pairs must be iterable");
  return [...(init as Iterable<unknown>)].map((pair) => {
    if (
      pair === null ||
      (typeof pair !== "object" && typeof pair !== "function") ||
      typeof (pair as Pair)[Symbol.iterator] !== "function"
    ) {
      throw invalidTuple();
    }
    const items = [...(pair as Iterable<unknown>)];
    if (items.length !== 2) throw invalidTuple();
    return [toText(items[0]), toText(items[1])];
  });
}

function isEnumerable(object: object, key: PropertyKey): boolean {
  return Object.prototype.propertyIsEnumerable.call(object, key);
}

const secrets = new WeakMap<URLSearchParams, { pairs: Pair[]; changed: (() => void) | undefined }>();

function state(params: URLSearchParams): { pairs: Pair[]; changed: (() => void) | undefined } {
  const found = secrets.get(params);
  if (!found) throw coded(TypeError, "ERR_INVALID_THIS", 'Value of "this" must be of type URLSearchParams');
  return found;
}

/** Ties the parameters to a URL: `changed` is told of each change. */
export function bind(params: URLSearchParams, changed: () => void): void {
  state(params).changed = changed;
}

/** New content that nobody is told of. */
export function refill(params: URLSearchParams, query: string): void {
  state(params).pairs = parseForm(query);
}

export class URLSearchParams {
  constructor(init?: unknown) {
    secrets.set(this, { pairs: [], changed: undefined });
    if (init === undefined || init === null) return;
    if (typeof init === "object" || typeof init === "function") state(this).pairs = pairsFrom(init);
    else refill(this, toText(init).replace(/^\?/, ""));
  }

  get size(): number {
    return state(this).pairs.length;
  }

  append(name: string, value: string): void {
    if (arguments.length < 2) throw missing("name", "value");
    this.#change([...state(this).pairs, [toText(name), toText(value)]]);
  }

  delete(name: string, value?: string): void {
    if (arguments.length < 1) throw missing("name");
    const matches = matcher(name, value);
    this.#change(state(this).pairs.filter((pair) => !matches(pair)));
  }

  get(name: string): string | null {
    if (arguments.length < 1) throw missing("name");
    return state(this).pairs.find(matcher(name))?.[1] ?? null;
  }

  getAll(name: string): string[] {
    if (arguments.length < 1) throw missing("name");
    return state(this)
      .pairs.filter(matcher(name))
      .map(([, value]) => value);
  }

  has(name: string, value?: string): boolean {
    if (arguments.length < 1) throw missing("name");
    return state(this).pairs.some(matcher(name, value));
  }

  set(name: string, value: string): void {
    if (arguments.length < 2) throw missing("name", "value");
    const { pairs } = state(this);
    const matches = matcher(name);
    const at = pairs.findIndex(matches);
    if (at < 0) this.#change([...pairs, [toText(name), toText(value)]]);
    else
      this.#change(
        pairs.flatMap((pair, index): Pair[] =>
          index === at ? [[pair[0], toText(value)]] : matches(pair) ? [] : [pair],
        ),
      );
  }

  /** By code units of the names; equal names keep their order. */
  sort(): void {
    this.#change(state(this).pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  #change(pairs: Pair[]): void {
    const own = state(this);
    own.pairs = pairs;
    own.changed?.();
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArgument?: unknown): void {
    requireFunction("callback", callback);
    for (const [name, value] of this.entries()) callback.call(thisArgument, value, name, this);
  }

  entries(): IterableIterator<Pair> {
    return iterate(this, ([name, value]) => [name, value]);
  }
  keys(): IterableIterator<string> {
    return iterate(this, ([name]) => name);
  }
  values(): IterableIterator<string> {
    return iterate(this, ([, value]) => value);
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }

  toString(): string {
    return serializeForm(state(this).pairs);
  }

  get [Symbol.toStringTag](): string {
    return "URLSearchParams";
  }

  [INSPECT](depth: number, options: object, inspect: Inspect): string {
    if (typeof depth === "number" && depth < 0) return "[Object]";
    const { pairs } = state(this);
    if (pairs.length === 0) return "URLSearchParams {}";
    return `URLSearchParams { ${pairs.map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`).join(", ")} }`;
  }
}

function matcher(name: unknown, value?: unknown): (pair: Pair) => boolean {
  const wanted = toText(name);
  if (value === undefined) return ([key]) => key === wanted;
  const wantedValue = toText(value);
  return ([key, text]) => key === wanted && text === wantedValue;
}

/** Live: sees changes made while it runs. */
function iterate<T>(params: URLSearchParams, view: (pair: Pair) => T): IterableIterator<T> {
  let at = 0;
  const iterator = Object.create(iteratorPrototype) as IterableIterator<T>;
  const define = (name: PropertyKey, value: unknown): void => void Object.defineProperty(iterator, name, { value });
  define("next", (): IteratorResult<T> => {
    const pair = state(params).pairs[at++];
    return pair ? { value: view(pair), done: false } : { value: undefined, done: true };
  });
  define(INSPECT, (depth: number, options: object, inspect: Inspect) => {
    if (typeof depth === "number" && depth < 0) return "[Object]";
    const left = state(params).pairs.slice(at).map((pair) => inspect(view(pair), options));
    return `${NAME} { ${left.join(", ")} }`;
  });
  return iterator;
}
