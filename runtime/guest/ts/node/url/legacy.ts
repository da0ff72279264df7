import { coded, requireString } from "../errors";
import { asciiDomain } from "./host";

/** Node's older `url.parse` and `url.format`. */

type Query = string | Record<string, unknown> | null;

export class Url {
  protocol: string | null = null;
  slashes: boolean | null = null;
  auth: string | null = null;
  host: string | null = null;
  port: string | null = null;
  hostname: string | null = null;
  hash: string | null = null;
  search: string | null = null;
  query: Query = null;
  pathname: string | null = null;
  path: string | null = null;
  href = "";

  parse(text: string, parseQuery = false, slashesDenoteHost = false): this {
    return Object.assign(this, parse(text, parseQuery, slashesDenoteHost));
  }
  format(): string {
    return formatUrl(this);
  }
  resolve(relative: string): string {
    return resolve(this.href, relative);
  }
}

const SLASHED = /^(?:https?|ftp|gopher|file|wss?):$/;
const UNSAFE: Record<string, string> = {};
for (const character of "\t\n\r \"'<>\\^`{|}") {
  UNSAFE[character] = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function escapeUnsafe(text: string): string {
  return text.replace(/[\t\n\r "'<>\\^`{|}]/g, (character) => UNSAFE[character]!);
}

/** Backslashes before a query are slashes. */
function forwardSlashes(text: string): string {
  const end = text.search(/[?#]/);
  return end < 0 ? text.replaceAll("\\", "/") : text.slice(0, end).replaceAll("\\", "/") + text.slice(end);
}

function parseAuthority(url: Url, text: string): string {
  const at = text.slice(0, text.search(/[/?#]|$/)).lastIndexOf("@");
  const end = at + 1 + text.slice(at + 1).search(/[\t\n\r "#%'/;<>?\\^`{|}]|$/);
  const authority = text.slice(0, end);
  if (at >= 0) url.auth = decodeURIComponent(authority.slice(0, at));
  const [, name = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? [
    ,
    authority.slice(at + 1),
  ];
  if (port) url.port = port;
  setHostname(url, name);
  return text.slice(end);
}

function setHostname(url: Url, name: string): void {
  if (name === "" && !url.slashes) return;
  const bare = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (/[\0\t\n\r #%/:<>?@[\\\]^|]/.test(name.startsWith("[") ? "" : name)) throw invalid(name);
  url.hostname = name.startsWith("[") ? bare : (asciiDomain(bare) ?? bare);
  const shown = name.startsWith("[") ? `[${bare}]` : url.hostname;
  url.host = url.port ? `${shown}:${url.port}` : shown;
}

function invalid(input: string): Error {
  return Object.assign(coded(TypeError, "ERR_INVALID_URL", "Invalid URL"), { input });
}

function parseRest(url: Url, rest: string, parseQuery: boolean): void {
  const [, path = "", search, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest) ?? [];
  if (hash) url.hash = escapeUnsafe(hash);
  if (search !== undefined) {
    url.search = escapeUnsafe(search);
    const query = url.search.slice(1);
    url.query = parseQuery ? (require("node:querystring").parse(query) as Query) : query;
  } else if (parseQuery) {
    url.search = null;
    url.query = Object.create(null) as Query;
  }
  if (path) url.pathname = escapeUnsafe(path);
  if (url.protocol && SLASHED.test(url.protocol) && url.hostname && !url.pathname) url.pathname = "/";
  if (url.pathname || url.search) url.path = `${url.pathname ?? ""}${url.search ?? ""}`;
}

export function parse(text: string, parseQuery = false, slashesDenoteHost = false): Url {
  if ((text as unknown) instanceof Url) return text as unknown as Url;
  requireString("url", text);
  const url = new Url();
  let rest = forwardSlashes(text.trim());
  const protocol = /^[a-z0-9.+-]+:/i.exec(rest)?.[0];
  if (protocol) {
    url.protocol = protocol.toLowerCase();
    rest = rest.slice(protocol.length);
  }
  const hostless = url.protocol === "javascript:";
  const slashes =
    rest.startsWith("//") && !hostless && (protocol || slashesDenoteHost || /^\/\/[^@/]+@[^@/]+/.test(rest));
  if (slashes) {
    url.slashes = true;
    rest = rest.slice(2);
  }
  if (slashes || (protocol && !hostless && !SLASHED.test(url.protocol!))) rest = parseAuthority(url, rest);
  parseRest(url, rest, parseQuery);
  url.href = formatUrl(url);
  return url;
}

function queryText({ search, query }: Partial<Url>): string {
  if (search) return search.startsWith("?") ? search : `?${search}`;
  if (search === undefined || search === null) {
    const text = typeof query === "object" && query !== null ? require("node:querystring").stringify(query) : "";
    return text ? `?${text}` : "";
  }
  return "";
}

function hostOf({ auth, host, hostname, port }: Partial<Url>): string | false {
  const user = auth ? `${encodeURIComponent(auth).replace(/%3A/i, ":")}@` : "";
  if (host) return user + host;
  if (!hostname) return false;
  return `${user}${hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname}${port ? `:${port}` : ""}`;
}

export function formatUrl(input: unknown): string {
  if (typeof input === "string") return formatUrl(parse(input));
  if (typeof input !== "object" || input === null) {
    throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "urlObject" argument must be one of type object or string.');
  }
  const url = input as Partial<Url>;
  const protocol = url.protocol ? (url.protocol.endsWith(":") ? url.protocol : `${url.protocol}:`) : "";
  let host = hostOf(url);
  let pathname = (url.pathname ?? "").replace(/[?#]/g, encodeURIComponent);
  if (url.slashes || (SLASHED.test(protocol) && host !== false)) {
    if (pathname && !pathname.startsWith("/")) pathname = `/${pathname}`;
    host = `//${host || ""}`;
  }
  const hash = url.hash ? (url.hash.startsWith("#") ? url.hash : `#${url.hash}`) : "";
  return `${protocol}${host || ""}${pathname}${queryText(url).replaceAll("#", "%23")}${hash}`;
}

/** Relative references by the standard's rules where both sides allow them. */
export function resolve(from: string, to: string): string {
  const { URL } = require("amla:whatwg_url");
  if (URL.canParse(from)) return new URL(to, from).href as string;
  const base = new URL(from, "resolve://host/");
  const resolved = new URL(to, base);
  if (resolved.protocol !== "resolve:") return resolved.href as string;
  const { pathname, search, hash } = resolved as { pathname: string; search: string; hash: string };
  const rooted = from.startsWith("/") || to.startsWith("/");
  return `${rooted ? pathname : pathname.slice(1)}${search}${hash}`;
}

export function resolveObject(from: string, to: string): Url {
  return parse(resolve(from, to));
}
