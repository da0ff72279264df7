/**
 * The first code that runs in a script's realm. It gives the realm `require`, and globals that come into being when they
 * are first named, so that a run pays only for what it uses.
 */

import { globals } from "./globals";
import { install } from "../intl/install";

type Factory = (exports: object, require: Require, module: { exports: unknown }) => void;
type Require = (name: string) => unknown;

/** What the guest hands to a realm (`realm_powers` in c/realm.c). */
export interface Powers {
  kernel: (group: string) => unknown;
  load: (name: string) => Factory | undefined;
  group: (name: string) => object | undefined;
  globals: (resolver: (name: string) => unknown) => void;
  evaluate: (source: string, filename: string) => unknown;
}

/** Stands for a network that is not there: a tool may have its names, such as `fetch`. */
const ABSENT = "amla:fetch";

/** Groups that C defines in the realm itself; all others come from the system realm, wrapped. */
const NATIVE_GROUPS = new Set(["bytes", "encoding", "hash", "random", "trace", "types"]);

export function boot(powers: Powers, global: Record<string, unknown>): { require: Require } {
  const cache = new Map<string, { exports: unknown }>();
  const kernel = lazyKernel(powers);

  const builtin: Require = (name) => {
    if (name === "amla:kernel") return { kernel };
    if (name === "amla:powers") return { powers, builtin };
    const full = name.includes(":") ? name : `node:${name}`;
    const known = cache.get(full);
    if (known) return known.exports;
    const factory = powers.load(full);
    if (!factory) throw notFound(name);
    const module = { exports: {} as unknown };
    cache.set(full, module);
    factory(module.exports as object, builtin, module);
    module.exports = flat(module.exports as Record<string, unknown>);
    return module.exports;
  };

  const tool = (name: string): unknown => {
    const tree = (kernel.tools as { root(name: string): unknown }).root(name);
    return tree === undefined ? undefined : (builtin("amla:tools") as { bind(tree: unknown): unknown }).bind(tree);
  };
  powers.globals((name) => {
    const entry = globals[name];
    if (!entry) return tool(name);
    return (entry[0] === ABSENT && tool(name)) || member(builtin(entry[0]), entry[1]);
  });
  Object.defineProperty(global, "global", { value: global, writable: true, configurable: true });
  install(global, builtin);
  return { require: builtin };
}

/** The bundler gives exports as getters; scripts look at modules, and replace parts of them, as plain objects. */
function flat(exports: Record<string, unknown>): unknown {
  if (!exports["__esModule"]) return exports;
  const plain: Record<string, unknown> = {};
  for (const [name, described] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
    if (name === "__esModule") continue;
    const getter = described.get && !described.set;
    if (getter) plain[name] = exports[name];
    else Object.defineProperty(plain, name, described);
  }
  return plain;
}

function member(module: unknown, name: string): unknown {
  return name === "*" ? module : (module as Record<string, unknown>)[name];
}

/** Each group is fetched when first used, and then stays as a plain property. */
function lazyKernel(powers: Powers): Record<string, unknown> {
  const groups = ["vfs", "console", "print", "timers", "process", "tools", "modules", "shell", "zlib", ...NATIVE_GROUPS];
  const kernel: Record<string, unknown> = {};
  for (const name of groups) {
    Object.defineProperty(kernel, name, {
      configurable: true,
      get() {
        const value = NATIVE_GROUPS.has(name) ? powers.group(name) : powers.kernel(name);
        Object.defineProperty(kernel, name, { value });
        return value;
      },
    });
  }
  return kernel;
}

function notFound(name: string): Error {
  const error = new Error(`Cannot find module '${name}'`) as Error & { code: string };
  error.code = "MODULE_NOT_FOUND";
  return error;
}
