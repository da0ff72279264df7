import { invalidValue } from "./errors";

/** `createRequire` for ES modules, and the names of what can be required. */

type ScriptRequire = (name: string) => unknown;

/** The path behind a file URL; other texts and URL objects as they are. */
function pathOf(file: unknown): string {
  const text = typeof file === "string" ? file : String((file as { href?: unknown } | null)?.href ?? "");
  const path = text.startsWith("file:") ? (require("node:url").fileURLToPath(text) as string) : text;
  if (path.startsWith("/")) return path;
  throw invalidValue("filename", file, "must be a file URL object, file URL string, or absolute path string");
}

export function createRequire(file: unknown): ScriptRequire {
  return require("amla:commonjs").requireFrom(pathOf(file)) as ScriptRequire;
}

export const builtinModules = [
  "assert",
  "assert/strict",
  "buffer",
  "console",
  "constants",
  "crypto",
  "events",
  "fs",
  "fs/promises",
  "module",
  "os",
  "path",
  "path/posix",
  "path/win32",
  "perf_hooks",
  "process",
  "punycode",
  "querystring",
  "readline",
  "readline/promises",
  "stream",
  "stream/consumers",
  "stream/promises",
  "string_decoder",
  "sys",
  "timers",
  "timers/promises",
  "url",
  "util",
  "util/types",
  "zlib",
];

export function isBuiltin(name: string): boolean {
  return builtinModules.includes(`${name}`.replace(/^node:/, ""));
}
