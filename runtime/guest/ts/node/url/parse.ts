import { parseHost } from "./host";
import { controlSet, fragmentSet, pathSet, percentEncode, querySet, specialQuerySet, userinfoSet } from "./percent";
import { copyRecord, defaultPort, emptyRecord, isSpecial, type UrlRecord } from "./record";

/**
 * The parser of the URL standard, which describes a state machine over characters. This one cuts the text into its parts
 * first, from both ends inwards, and then treats each part by the standard's rule for it; the results are the same.
 */

export class UrlFault extends Error {}

const WINDOWS_DRIVE = /^[a-z][:|]$/i;
const STARTS_WITH_DRIVE = /^[a-z][:|](?:[/\\?#]|$)/i;

/** Tabs and newlines mean nothing anywhere. */
export function withoutBreaks(text: string): string {
  return text.replace(/[\t\n\r]/g, "");
}

/** Controls and spaces mean nothing at the ends of a whole URL. */
function clean(text: string): string {
  return withoutBreaks(text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, ""));
}

function splitOff(text: string, mark: string): [string, string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

export function parseUrl(input: string, base?: UrlRecord): UrlRecord {
  const [beforeFragment, fragment] = splitOff(clean(input.toWellFormed()), "#");
  const scheme = /^([a-z][a-z0-9+\-.]*):/i.exec(beforeFragment)?.[1]?.toLowerCase();
  const record =
    scheme === undefined
      ? relative(beforeFragment, base, fragment !== null)
      : absolute(scheme, beforeFragment.slice(scheme.length + 1), base);
  record.fragment = fragment === null ? null : percentEncode(fragment, fragmentSet);
  return record;
}

function absolute(scheme: string, rest: string, base: UrlRecord | undefined): UrlRecord {
  const record = { ...emptyRecord(), scheme };
  if (scheme === "file") return parseFile(record, rest, base?.scheme === "file" ? base : undefined);
  if (isSpecial(scheme)) {
    const sameScheme = base?.scheme === scheme && !/^[/\\]{2}/.test(rest);
    if (sameScheme) return resolve(rest, base);
    return authorityAndPath(record, rest.replace(/^[/\\]*/, ""));
  }
  if (rest.startsWith("//")) return authorityAndPath(record, rest.slice(2));
  if (rest.startsWith("/")) return pathAndQuery(record, rest);
  const [path, query] = splitOff(rest, "?");
  record.path = percentEncode(path, controlSet);
  setQuery(record, query);
  return record;
}

function relative(text: string, base: UrlRecord | undefined, hasFragment: boolean): UrlRecord {
  if (!base) throw new UrlFault();
  if (typeof base.path === "string") {
    if (text !== "" || !hasFragment) throw new UrlFault();
    return copyRecord(base);
  }
  if (base.scheme === "file") return parseFile({ ...emptyRecord(), scheme: "file" }, text, base);
  return resolve(text, base);
}

function slashes(special: boolean): RegExp {
  return special ? /^[/\\]{2}/ : /^\/\//;
}

/** A reference without a scheme of its own, against a base that is no file URL. */
function resolve(text: string, base: UrlRecord): UrlRecord {
  const special = isSpecial(base.scheme);
  const record = { ...copyRecord(base), fragment: null };
  if (slashes(special).test(text)) {
    const rest = special ? text.replace(/^[/\\]*/, "") : text.slice(2);
    return authorityAndPath({ ...emptyRecord(), scheme: base.scheme }, rest);
  }
  if (text === "") return record;
  record.query = null;
  if (text.startsWith("/") || (special && text.startsWith("\\"))) {
    record.path = [];
  } else if (text.startsWith("?")) {
    setQuery(record, text.slice(1));
    return record;
  } else {
    (record.path as string[]).pop();
  }
  return pathAndQuery(record, text, record.path as string[]);
}

function authorityAndPath(record: UrlRecord, text: string): UrlRecord {
  const special = isSpecial(record.scheme);
  const end = text.search(special ? /[/\\?]/ : /[/?]/);
  const authority = end < 0 ? text : text.slice(0, end);
  const at = authority.lastIndexOf("@");
  if (at >= 0) setCredentials(record, authority.slice(0, at));
  setHostAndPort(record, authority.slice(at + 1), special, at >= 0);
  return pathAndQuery(record, end < 0 ? "" : text.slice(end));
}

function setCredentials(record: UrlRecord, text: string): void {
  const [user, password] = splitOff(text, ":");
  record.username = percentEncode(user, userinfoSet);
  record.password = percentEncode(password ?? "", userinfoSet);
}

function setHostAndPort(record: UrlRecord, text: string, special: boolean, credentials: boolean): void {
  const [, name, port] = /^(\[[^\]]*\]?[^:]*|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (name === undefined || (name === "" && (special || credentials || port !== undefined))) throw new UrlFault();
  const host = name === "" ? "" : parseHost(name, special);
  if (host === undefined) throw new UrlFault();
  record.host = host;
  if (port !== undefined && port !== "") record.port = parsePort(port, record.scheme);
}

export function parsePort(text: string, scheme: string): number | null {
  if (!/^\d+$/.test(text)) throw new UrlFault();
  const port = Number(text);
  if (port > 65535) throw new UrlFault();
  return port === defaultPort(scheme) ? null : port;
}

function pathAndQuery(record: UrlRecord, text: string, start: string[] = []): UrlRecord {
  const [path, query] = splitOff(text, "?");
  record.path = parsePath(path, record, start);
  setQuery(record, query);
  return record;
}

export function setQuery(record: UrlRecord, query: string | null): void {
  const set = isSpecial(record.scheme) ? specialQuerySet : querySet;
  record.query = query === null ? null : percentEncode(query, set);
}

const SINGLE_DOT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT = /^(?:\.|%2e){2}$/i;

/** Segments after `start`; a drive letter of a file URL is never left by "..". */
export function parsePath(text: string, { scheme, host }: UrlRecord, start: string[] = []): string[] {
  const special = isSpecial(scheme);
  if (text === "") return special && start.length === 0 ? [""] : start;
  const parts = text.split(special ? /[/\\]/ : "/");
  if (parts[0] === "" && parts.length > 1) parts.shift();
  const path = [...start];
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    if (DOUBLE_DOT.test(part)) {
      if (!(scheme === "file" && path.length === 1 && /^[a-z]:$/i.test(path[0]!))) path.pop();
      if (last) path.push("");
    } else if (SINGLE_DOT.test(part)) {
      if (last) path.push("");
    } else if (scheme === "file" && path.length === 0 && WINDOWS_DRIVE.test(part) && host !== undefined) {
      path.push(`${part[0]}:`);
    } else {
      path.push(percentEncode(part, pathSet));
    }
  });
  return path;
}

function parseFile(record: UrlRecord, text: string, base: UrlRecord | undefined): UrlRecord {
  record.host = "";
  if (/^[/\\]{2}/.test(text)) return fileHost(record, text.slice(2));
  if (/^[/\\]/.test(text)) {
    if (base) {
      record.host = base.host;
      const drive = (base.path as string[])[0];
      if (!STARTS_WITH_DRIVE.test(text.slice(1)) && drive !== undefined && /^[a-z]:$/i.test(drive)) {
        return pathAndQuery(record, text, [drive]);
      }
    }
    return pathAndQuery(record, text);
  }
  return base ? fileRelative(record, text, base) : pathAndQuery(record, text);
}

function fileRelative(record: UrlRecord, text: string, base: UrlRecord): UrlRecord {
  record.host = base.host;
  const path = [...(base.path as string[])];
  if (text === "") return { ...record, path, query: base.query };
  if (text.startsWith("?")) {
    record.path = path;
    setQuery(record, text.slice(1));
    return record;
  }
  if (STARTS_WITH_DRIVE.test(text)) return pathAndQuery(record, text);
  if (!(path.length === 1 && /^[a-z]:$/i.test(path[0]!))) path.pop();
  return pathAndQuery(record, text, path);
}

function fileHost(record: UrlRecord, text: string): UrlRecord {
  const end = text.search(/[/\\?]/);
  const name = end < 0 ? text : text.slice(0, end);
  if (WINDOWS_DRIVE.test(name)) return pathAndQuery(record, text);
  const host = name === "" ? "" : parseHost(name, true);
  if (host === undefined) throw new UrlFault();
  record.host = host === "localhost" ? "" : host;
  return pathAndQuery(record, end < 0 ? "" : text.slice(end));
}
