import { coded } from "./errors";

const inspectCustom = Symbol.for("nodejs.util.inspect.custom");

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkedName(name: unknown): string {
  const text = `${name}`;
  if (!NAME.test(text)) throw new TypeError(`Headers: ${text} is an invalid header name.`);
  return text.toLowerCase();
}

function checkedValue(value: unknown): string {
  const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[\0\r\n]/.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text)} is an invalid header value.`);
  return text;
}

type HeaderInit = Headers | Iterable<readonly [string, string]> | Record<string, string>;

/** A list of header fields, by lower-case name. */
export class Headers {
  readonly #fields = new Map<string, string[]>();

  constructor(init?: HeaderInit) {
    if (init === undefined) return;
    if (init === null || typeof init !== "object") throw new TypeError("Headers: the initial value is no object");
    const pairs = Symbol.iterator in init ? [...(init as Iterable<readonly [string, string]>)] : Object.entries(init);
    for (const pair of pairs) {
      if (pair.length !== 2) throw new TypeError("Headers: each pair must be a name and a value");
      this.append(pair[0], pair[1]);
    }
  }

  append(name: string, value: string): void {
    const key = checkedName(name);
    this.#fields.set(key, [...(this.#fields.get(key) ?? []), checkedValue(value)]);
  }
  set(name: string, value: string): void {
    this.#fields.set(checkedName(name), [checkedValue(value)]);
  }
  get(name: string): string | null {
    return this.#fields.get(checkedName(name))?.join(", ") ?? null;
  }
  has(name: string): boolean {
    return this.#fields.has(checkedName(name));
  }
  delete(name: string): void {
    this.#fields.delete(checkedName(name));
  }
  getSetCookie(): string[] {
    return [...(this.#fields.get("set-cookie") ?? [])];
  }

  /** Sorted by name; each cookie by itself. */
  *entries(): Generator<[string, string]> {
    for (const name of [...this.#fields.keys()].sort()) {
      const values = this.#fields.get(name) ?? [];
      if (name === "set-cookie") for (const value of values) yield [name, value];
      else yield [name, values.join(", ")];
    }
  }
  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  forEach(callback: (value: string, name: string, headers: Headers) => void, thisArgument?: unknown): void {
    for (const [name, value] of this.entries()) callback.call(thisArgument, value, name, this);
  }
  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "Headers";
  }
  [inspectCustom](_depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
    return `Headers ${inspect(Object.fromEntries(this.entries()), options)}`;
  }
}

function noNetwork(what: string): Error {
  const message = `${what} is not available: the sandbox has no network. Declare an http tool in the manifest and call that`;
  return coded(TypeError, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
}

/** Always rejected. */
export function fetch(): Promise<never> {
  return Promise.reject(noNetwork("fetch"));
}

export class Request {
  constructor() {
    throw noNetwork("Request");
  }
}

export class Response {
  constructor() {
    throw noNetwork("Response");
  }
}

export class WebSocket {
  constructor() {
    throw noNetwork("WebSocket");
  }
}
