import { URL, URLSearchParams } from "amla:whatwg_url";
import { coded, invalidType, requireString } from "./errors";
import { domainToUnicode, parseHost } from "./url/host";
import { formatUrl, parse, resolve, resolveObject, Url } from "./url/legacy";

export { parse, resolve, resolveObject, URL, URLSearchParams, Url };
export { domainToUnicode };

export function domainToASCII(domain: string): string {
  return parseHost(`${domain}`, true) ?? "";
}

function isUrl(value: unknown): value is URL {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as URL).href === "string" &&
    "protocol" in value &&
    !("auth" in value)
  );
}

export function fileURLToPath(input: unknown): string {
  const url = typeof input === "string" ? new URL(input) : input;
  if (!isUrl(url)) throw invalidType("path", "of type string or an instance of URL", input);
  if (url.protocol !== "file:") throw coded(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (url.hostname !== "") {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on linux');
  }
  if (/%2f/i.test(url.pathname)) {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(url.pathname);
}

const PATH_ESCAPES: Record<string, string> = {
  "%": "%25",
  "\\": "%5C",
  "\n": "%0A",
  "\r": "%0D",
  "\t": "%09",
  "?": "%3F",
  "#": "%23",
};

export function pathToFileURL(path: string): URL {
  requireString("path", path);
  const resolved = require("node:path").resolve(path) as string;
  const whole = path.endsWith("/") && !resolved.endsWith("/") ? `${resolved}/` : resolved;
  return new URL(`file://${whole.replace(/[%\\\n\r\t?#]/g, (character) => PATH_ESCAPES[character]!)}`);
}

export function urlToHttpOptions(url: URL): Record<string, unknown> {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  const options: Record<string, unknown> = {
    __proto__: null,
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    hash,
    search,
    pathname,
    path: `${pathname}${search}`,
    href,
  };
  if (port !== "") options["port"] = Number(port);
  if (username || password) options["auth"] = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

interface FormatOptions {
  auth?: boolean;
  fragment?: boolean;
  search?: boolean;
  unicode?: boolean;
}

export function format(url: unknown, options: FormatOptions = {}): string {
  if (!isUrl(url)) return formatUrl(url);
  const { auth = true, fragment = true, search = true, unicode = false } = options;
  const host = unicode ? domainToUnicode(url.hostname) + (url.port && `:${url.port}`) : url.host;
  const user = auth && (url.username || url.password) ? `${url.username}${url.password && `:${url.password}`}@` : "";
  const start = host || url.protocol === "file:" ? `${url.protocol}//${user}${host}` : url.protocol;
  return `${start}${url.pathname}${search ? url.search : ""}${fragment ? url.hash : ""}`;
}
