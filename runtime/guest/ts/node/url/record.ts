/** A parsed URL, as the standard's parser makes it. */
export interface UrlRecord {
  /** Without the colon. */
  scheme: string;
  username: string;
  password: string;
  /** Null for URLs without an authority. */
  host: string | null;
  port: number | null;
  /** A text for opaque paths ("mailto:x"), else the segments. */
  path: string | string[];
  query: string | null;
  fragment: string | null;
}

const DEFAULT_PORTS: Record<string, number | null> = { ftp: 21, file: null, http: 80, https: 443, ws: 80, wss: 443 };

export function isSpecial(scheme: string): boolean {
  return Object.hasOwn(DEFAULT_PORTS, scheme);
}

export function defaultPort(scheme: string): number | null {
  return isSpecial(scheme) ? DEFAULT_PORTS[scheme]! : null;
}

export function emptyRecord(): UrlRecord {
  return { scheme: "", username: "", password: "", host: null, port: null, path: [], query: null, fragment: null };
}

export function copyRecord(record: UrlRecord): UrlRecord {
  return { ...record, path: typeof record.path === "string" ? record.path : [...record.path] };
}

export function pathText({ path }: UrlRecord): string {
  return typeof path === "string" ? path : path.map((segment) => `/${segment}`).join("");
}

function credentials({ username, password }: UrlRecord): string {
  if (username === "" && password === "") return "";
  return `${username}${password === "" ? "" : `:${password}`}@`;
}

export function hostText({ host, port }: UrlRecord): string {
  return host === null ? "" : `${host}${port === null ? "" : `:${port}`}`;
}

export function serialize(record: UrlRecord): string {
  const { scheme, host, path, query, fragment } = record;
  const ambiguous = host === null && typeof path !== "string" && path.length > 1 && path[0] === "";
  const authority = host === null ? (ambiguous ? "/." : "") : `//${credentials(record)}${hostText(record)}`;
  const search = query === null ? "" : `?${query}`;
  return `${scheme}:${authority}${pathText(record)}${search}${fragment === null ? "" : `#${fragment}`}`;
}

/** Whether user, password and port can be there at all. */
export function hasNoAuthority({ host, scheme }: UrlRecord): boolean {
  return host === null || host === "" || scheme === "file";
}
