/** The script's own files as modules. */

import { stripTypesOf } from "../loader/compile";
import { type Files, resolveModule } from "../loader/resolve";
import { vfsKernel } from "../vfs/kernel";
import { hostCalls } from "../vfs/host";
import { vfs } from "../vfs/vfs";
import { current } from "./current";
import { native } from "./native";

const TYPESCRIPT = /\.[mc]?ts$/;
const COMMONJS = /\bmodule\.exports\b|\bexports\.[\w$]+\s*=/;
const MODULE = /^\s*(?:import\b(?!\s*\()|export\b)/m;

const known = new Set<string>();

const files: Files = {
  isFile: (path) => hostCalls.exists(path) && hostCalls.stat(path).type === "file",
  read: (path) => vfsKernel.readText(path, 0),
  cwd: () => vfs.cwd,
};

export function resolve(base: string, name: string): string {
  if (known.size === 0) for (const each of native.host.modules()) if (each.startsWith("node:")) known.add(each);
  return resolveModule(base, name, known, files);
}

/** JavaScript of a script file. */
function script(path: string): string {
  const text = files.read(path);
  return TYPESCRIPT.test(path) ? stripTypesOf(text, path) : text;
}

type Loaded = [exports: unknown] | [meta: unknown, source: string];

/** For `import`: `import.meta` and the source text of an ES module, or the exports of what is not one. */
export function load(path: string, require: (name: string) => unknown): Loaded {
  if (!path.startsWith("/")) return [require(path)];
  if (path.endsWith(".json")) return [requireFile(path, require)];
  const text = script(path);
  const commonjs = path.endsWith(".cjs") || (COMMONJS.test(text) && !MODULE.test(text));
  if (commonjs) return [requireFile(path, require)];
  return [(require("amla:import_meta") as { metaOf(path: string): unknown }).metaOf(path), text];
}

function requireFile(path: string, require: (name: string) => unknown): unknown {
  return (require("amla:commonjs") as { require(path: string): unknown }).require(path);
}

/** What `require` in a script's realm needs of the system. */
export const moduleKernel = {
  resolve,
  text: (path: string) => files.read(path),
  script,
  main: () => current().run.path,
};

export type ModuleKernel = typeof moduleKernel;
