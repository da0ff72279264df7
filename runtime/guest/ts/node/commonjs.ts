/** `require` as scripts see it: the guest's modules by name, the script's own files by path. */

import { kernel } from "amla:kernel";
import { builtin, powers } from "amla:powers";

interface ScriptModule {
  exports: unknown;
  id: string;
  filename: string;
  loaded: boolean;
}

interface ScriptRequire {
  (name: string): unknown;
  resolve: (name: string) => string;
  cache: Record<string, ScriptModule>;
  main: ScriptModule;
}

const cache: Record<string, ScriptModule> = {};

/** A `require` for the file `base`. */
export function requireFrom(base: string): ScriptRequire {
  const resolve = (name: string): string => resolved(base, name);
  const load = (name: string): unknown => {
    const path = resolve(name);
    return path.startsWith("/") ? loadFile(path) : builtin(path);
  };
  return Object.assign(load, { resolve, cache, main: module });
}

/** What is missing has another code here than under `import`. */
function resolved(base: string, name: string): string {
  try {
    return kernel.modules.resolve(base, name);
  } catch (error) {
    const missing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    throw missing ? Object.assign(error as Error, { code: "MODULE_NOT_FOUND" }) : error;
  }
}

function loadFile(path: string): unknown {
  const known = cache[path];
  if (known) return known.exports;
  const made: ScriptModule = { exports: {}, id: path, filename: path, loaded: false };
  cache[path] = made;
  try {
    if (path.endsWith(".json")) made.exports = JSON.parse(kernel.modules.text(path));
    else run(made, kernel.modules.script(path));
  } catch (error) {
    delete cache[path];
    throw error;
  }
  made.loaded = true;
  return made.exports;
}

function run(made: ScriptModule, source: string): void {
  const head = "(function (exports, require, module, __filename, __dirname) { ";
  const body = powers.evaluate(`${head}${source}\n})`, made.filename) as (...args: unknown[]) => unknown;
  const folder = made.filename.replace(/\/[^/]*$/, "") || "/";
  body.call(made.exports, made.exports, requireFrom(made.filename), made, made.filename, folder);
}

const main = kernel.modules.main();

export const module: ScriptModule = { exports: {}, id: ".", filename: main, loaded: false };
export const exports = module.exports;
export const __filename = main;
export const __dirname = main.replace(/\/[^/]*$/, "") || "/";
export const require = requireFrom(main);
