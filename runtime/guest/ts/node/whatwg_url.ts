import { coded } from "./errors";
import { parseHost } from "./url/host";
import { parsePath, parsePort, parseUrl, setQuery, UrlFault, withoutBreaks } from "./url/parse";
import { fragmentSet, percentEncode, userinfoSet } from "./url/percent";
import { hasNoAuthority, hostText, isSpecial, pathText, serialize, type UrlRecord } from "./url/record";
import { bind, refill, URLSearchParams } from "./url/search_params";

/** The global `URL`. */

type Inspect = (value: unknown, options: object) => string;

function invalidUrl(input: string, base?: string): Error {
  const error = coded(TypeError, "ERR_INVALID_URL", "Invalid URL");
  return Object.assign(error, base === undefined ? { input } : { input, base });
}

function attempt(input: string, base?: UrlRecord): UrlRecord | undefined {
  try {
    return parseUrl(input, base);
  } catch (error) {
    if (error instanceof UrlFault) return undefined;
    throw error;
  }
}

function parse(input: unknown, base: unknown): UrlRecord | undefined {
  if (base === undefined) return attempt(`${input}`);
  const parsed = attempt(`${base}`);
  return parsed && attempt(`${input}`, parsed);
}

export class URL {
  #record: UrlRecord;
  #params: URLSearchParams | undefined;

  constructor(input: unknown, base?: unknown) {
    if (arguments.length === 0) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "url" argument must be specified');
    const record = parse(input, base);
    if (!record) throw invalidUrl(`${input}`, base === undefined ? undefined : `${base}`);
    this.#record = record;
  }

  static canParse(input: unknown, base?: unknown): boolean {
    return parse(input, base) !== undefined;
  }

  static parse(input: unknown, base?: unknown): URL | null {
    return parse(input, base) ? make(input, base) : null;
  }

  static createObjectURL(): never {
    throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "URL.createObjectURL() is not available in the sandbox");
  }
  static revokeObjectURL(): void {}

  get href(): string {
    return serialize(this.#record);
  }
  set href(value: string) {
    const record = attempt(`${value}`);
    if (!record) throw invalidUrl(`${value}`);
    this.#record = record;
    this.#refillParams();
  }

  get origin(): string {
    const { scheme, path } = this.#record;
    if (scheme === "blob") return originOfBlob(path);
    return isSpecial(scheme) && scheme !== "file" ? `${scheme}://${hostText(this.#record)}` : "null";
  }

  get protocol(): string {
    return `${this.#record.scheme}:`;
  }
  set protocol(value: string) {
    const scheme = /^([a-z][a-z0-9+\-.]*)(?::|$)/i.exec(`${value}`)?.[1]?.toLowerCase();
    const record = this.#record;
    if (scheme === undefined || isSpecial(scheme) !== isSpecial(record.scheme)) return;
    const { username, password, port, host } = record;
    if (scheme === "file" && (username !== "" || password !== "" || port !== null)) return;
    if (record.scheme === "file" && host === "") return;
    record.scheme = scheme;
    if (port !== null) record.port = parsePort(`${port}`, scheme);
  }

  get username(): string {
    return this.#record.username;
  }
  set username(value: string) {
    if (!hasNoAuthority(this.#record)) this.#record.username = percentEncode(`${value}`, userinfoSet);
  }

  get password(): string {
    return this.#record.password;
  }
  set password(value: string) {
    if (!hasNoAuthority(this.#record)) this.#record.password = percentEncode(`${value}`, userinfoSet);
  }

  get host(): string {
    return hostText(this.#record);
  }
  set host(value: string) {
    const text = withoutBreaks(`${value}`);
    const file = this.#record.scheme === "file";
    const [, name = "", port] = (file ? /^([^/\\?#]*)/ : /^(\[[^\]]*\]|[^:/\\?#]*)(?::(\d*))?/).exec(text) ?? [];
    if (!text.startsWith(":") && this.#setHostname(name) && port) this.port = port;
  }

  get hostname(): string {
    return this.#record.host ?? "";
  }
  set hostname(value: string) {
    const text = withoutBreaks(`${value}`);
    const end = isSpecial(this.#record.scheme) ? /^(\[[^\]]*\]|[^:/\\?#]*)(.?)/ : /^(\[[^\]]*\]|[^:/?#]*)(.?)/;
    const [, name, next] = end.exec(text) ?? [];
    if (next !== ":") this.#setHostname(name ?? "");
  }

  #setHostname(name: string): boolean {
    const record = this.#record;
    if (typeof record.path === "string") return false;
    const special = isSpecial(record.scheme);
    if (name === "" && special && record.scheme !== "file") return false;
    const host = name === "" ? "" : parseHost(name, special);
    if (host === undefined) return false;
    record.host = record.scheme === "file" && host === "localhost" ? "" : host;
    return true;
  }

  get port(): string {
    return this.#record.port === null ? "" : `${this.#record.port}`;
  }
  set port(value: string) {
    if (hasNoAuthority(this.#record)) return;
    const text = withoutBreaks(`${value}`);
    const digits = /^\d+/.exec(text)?.[0];
    if (text === "") this.#record.port = null;
    else if (digits !== undefined && Number(digits) <= 65535)
      this.#record.port = parsePort(digits, this.#record.scheme);
  }

  get pathname(): string {
    return pathText(this.#record);
  }
  set pathname(value: string) {
    const record = this.#record;
    if (typeof record.path === "string") return;
    const text = withoutBreaks(`${value}`).replaceAll("?", "%3F").replaceAll("#", "%23");
    if (text === "" && record.host === null) record.path = [""];
    else record.path = parsePath(isSpecial(record.scheme) ? text.replace(/^(?![/\\])/, "/") : text, record);
  }

  get search(): string {
    return this.#record.query ? `?${this.#record.query}` : "";
  }
  set search(value: string) {
    const text = withoutBreaks(`${value}`);
    setQuery(this.#record, text === "" ? null : text.replace(/^\?/, "").replaceAll("#", "%23"));
    this.#refillParams();
  }

  get searchParams(): URLSearchParams {
    if (!this.#params) {
      const params = new URLSearchParams(this.#record.query ?? "");
      this.#params = params;
      refill(params, this.#record.query ?? "");
      bind(params, () => {
        this.#record.query = params.size > 0 ? params.toString() : null;
      });
    }
    return this.#params;
  }

  #refillParams(): void {
    if (this.#params) refill(this.#params, this.#record.query ?? "");
  }

  get hash(): string {
    return this.#record.fragment ? `#${this.#record.fragment}` : "";
  }
  set hash(value: string) {
    const text = withoutBreaks(`${value}`);
    this.#record.fragment = text === "" ? null : percentEncode(text.replace(/^#/, ""), fragmentSet);
  }

  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }

  get [Symbol.toStringTag](): string {
    return "URL";
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth: number, options: object, inspect: Inspect): string {
    if (typeof depth === "number" && depth < 0) return this.href;
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } =
      this;
    const shown = {
      href,
      origin,
      protocol,
      username,
      password,
      host,
      hostname,
      port,
      pathname,
      search,
      searchParams,
      hash,
    };
    return `URL ${inspect(shown, options)}`;
  }
}

function make(input: unknown, base?: unknown): URL {
  return new URL(input, base);
}

/** The origin of a blob is that of the URL inside it. */
function originOfBlob(path: UrlRecord["path"]): string {
  const inner = typeof path === "string" ? attempt(path) : undefined;
  return inner?.scheme.startsWith("http") ? make(path).origin : "null";
}

/** As the web has it: the interface's own members show up when enumerated. */
for (const name of Object.getOwnPropertyNames(URL.prototype)) {
  if (name !== "constructor") Object.defineProperty(URL.prototype, name, { enumerable: true });
}

export { URLSearchParams };
