/** Where `import` and `require` find modules: those of the guest by name, the script's own files by path. */

import { absence } from "../node/absent";

export interface Files {
  isFile(path: string): boolean;
  read(path: string): string;
  cwd(): string;
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json"];
const INDEXES = ["/index.js", "/index.mjs", "/index.ts", "/index.json"];

class ModuleNotFound extends Error {
  readonly code = "ERR_MODULE_NOT_FOUND";
}

/**
 * The canonical name of the module that `name` means in the file `base`: `node:fs` for the guest's own, an absolute path
 * for files. `known` holds the guest's names.
 */
export function resolveModule(base: string, name: string, known: ReadonlySet<string>, files: Files): string {
  const canonical = builtinName(name, known);
  if (canonical !== undefined) return canonical;
  if (/^(?:\.{0,2}\/|\.{1,2}$|file:\/\/)/.test(name)) return resolveFile(base, name, files);
  const missing = absence(name);
  if (missing !== undefined) throw new ModuleNotFound(missing);
  throw new ModuleNotFound(
    `Cannot find package '${name}': packages cannot be installed in the sandbox. Import a file by its path ('./${name}.js'), ` +
      `or one of ${[...known].filter(isPublic).map((each) => each.slice(5)).sort().join(", ")}`,
  );
}

function builtinName(name: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(name)) return name;
  const prefixed = `node:${name.replace(/^node:/, "")}`;
  return known.has(prefixed) ? prefixed : undefined;
}

function isPublic(name: string): boolean {
  return name.startsWith("node:") && !name.startsWith("node:_");
}

function resolveFile(base: string, name: string, files: Files): string {
  const wanted = normalize(name.replace(/^file:\/\//, ""), base.startsWith("/") ? base.replace(/\/[^/]*$/, "") : files.cwd());
  for (const ending of [...ENDINGS, ...INDEXES]) if (files.isFile(wanted + ending)) return wanted + ending;
  throw new ModuleNotFound(`Cannot find module '${wanted}' imported from ${base}`);
}

function normalize(name: string, directory: string): string {
  const parts: string[] = [];
  for (const part of (name.startsWith("/") ? name : `${directory}/${name}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
