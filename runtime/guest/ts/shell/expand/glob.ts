/** Path names that match a pattern. */

import { native } from "../../bridge/native";
import { eachPolled } from "../../bridge/poll";
import { Errno } from "../../vfs/errors";
import { Directory, Symlink } from "../../vfs/inode";
import { entries, type Entry } from "../../vfs/tree";
import { find } from "../../vfs/walk";
import { ShellError } from "../run/errors";
import { sortTexts } from "./characters";
import { compileName, compilePattern, type Pattern } from "./pattern";
import { unescapePattern } from "./pattern/escape";
import type { Scope } from "./scope";
import { unitsOf } from "./units";

/** A path so far, "" for the cwd, and whether a directory is known to be there. */
type Found = string;

/**
 * What the pattern becomes: the paths that match it, in the order of their bytes. Undefined: the word stays as it
 * is, since it is no pattern or nothing matches. With `failglob` the latter throws.
 */
export function glob(scope: Scope, pattern: string): string[] | undefined {
  const { options } = scope;
  if (!isPattern(pattern, options.has("extglob"))) return undefined;
  const found = paths(scope, pattern);
  if (found.length > 0) return found;
  if (options.has("failglob")) throw new ShellError(`no match: ${unescapePattern(pattern)}`);
  return options.has("nullglob") ? [] : undefined;
}

/** All paths that match; those that GLOBIGNORE names left out. */
export function paths(scope: Scope, pattern: string): string[] {
  const root = /^\/*/.exec(pattern)![0];
  const parts = withoutRepeats(scope, splitPath(pattern.slice(root.length)));
  let found: Found[] = [root];
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    const longer: Found[] = [];
    for (const base of found) {
      native.host.poll();
      for (const path of extend(scope, base, part, last)) longer.push(path);
    }
    found = longer;
  });
  return sortTexts(kept(scope, found));
}

function kept(scope: Scope, found: readonly string[]): string[] {
  const ignored = scope.variables.get("GLOBIGNORE");
  // Only `**` comes to a path in several ways.
  if (!ignored) return scope.options.has("globstar") ? [...new Set(found)] : [...found];
  const patterns = ignored.split(":").map((each) => each.split("/").map((part) => compilePattern(part, scope.options, true)));
  return found.filter((path) => !/(?:^|\/)\.\.?$/.test(path) && !patterns.some((each) => matchesPath(each, path)));
}

/** No `*` stands for a slash. */
function matchesPath(parts: readonly Pattern[], path: string): boolean {
  const names = path.split("/");
  return names.length === parts.length && parts.every((part, index) => part.test(names[index]!));
}

/** Whether the text has `*`, `?`, a `[…]` that is closed before a slash or, `extended`, an `@(` and the like that is not escaped. */
function isPattern(text: string, extended: boolean): boolean {
  let open = false;
  for (let index = 0; index < text.length; index += 1) {
    const each = text[index]!;
    if (each === "\\") index += 1;
    else if (each === "*" || each === "?" || (each === "]" && open)) return true;
    else if (each === "[") open = true;
    else if (each === "/") open = false;
    else if (extended && each === "(" && "@!+".includes(text[index - 1] ?? " ")) return true;
  }
  return false;
}

/** Components, each but the last with the slashes behind it. A slash in brackets or groups divides all the same. */
function splitPath(pattern: string): string[] {
  return pattern.replace(/\\([^])/g, (escaped, each) => (each === "/" ? each : escaped)).match(/[^/]+\/*/g) ?? [];
}

/** `**` behind `**` adds nothing. */
function withoutRepeats(scope: Scope, parts: readonly string[]): readonly string[] {
  if (!scope.options.has("globstar")) return parts;
  return parts.filter((part, index) => !/^\*\*\/+$/.test(part) || !/^\*\*(?:\/|$)/.test(parts[index + 1] ?? ""));
}

/** Whether names that begin with a dot are left out of what `*` matches. */
function hides({ options, variables }: Scope): boolean {
  return !options.has("dotglob") && !variables.get("GLOBIGNORE");
}

function extend(scope: Scope, base: Found, part: string, last: boolean): Found[] {
  const name = part.replace(/\/+$/, "");
  const slashes = part.slice(name.length);
  const { options } = scope;
  if (name === "**" && options.has("globstar")) return below(scope, base, last, slashes !== "");
  if (!isPattern(name, options.has("extglob"))) {
    const path = base + unescapePattern(name);
    return exists(scope, path + slashes) ? [path + slashes] : [];
  }
  const pattern = compileName(unitsOf(scope, name), options, hides(scope));
  const matching: Entry[] = [];
  eachPolled(list(scope, base, name), (entry) => void (pattern.test(unitsOf(scope, entry.name)) && matching.push(entry)));
  const chosen = slashes === "" && last ? matching : matching.filter((entry) => isDirectory(scope, base, entry));
  const end = slashes === "" ? "" : "/";
  return chosen.map((entry) => base + entry.name + end);
}

/** `**`: all directories below, and at the end all that is in them; links to directories are not entered. */
function below(scope: Scope, base: Found, last: boolean, slash: boolean): Found[] {
  const all: Found[] = !last || !/^\/*$/.test(base) ? [base] : [];
  const hidden = hides(scope);
  const visit = (at: Found): void => {
    native.host.poll();
    for (const entry of list(scope, at)) {
      if (hidden && entry.name.startsWith(".")) continue;
      const path = at + entry.name;
      const enter = entry.node instanceof Directory;
      if (last && !slash) all.push(path);
      else if (enter || (last && isDirectory(scope, at, entry))) all.push(`${path}/`);
      if (enter) visit(`${path}/`);
    }
  };
  visit(base);
  return all;
}

/** What is in a directory, for names of that pattern; nothing where it cannot be read. */
function list(scope: Scope, base: Found, pattern = ""): Entry[] {
  const path = base === "" ? "." : base;
  try {
    const found = entries(scope.context, path);
    if (!pattern.startsWith(".") || scope.options.has("globskipdots")) return found;
    return [...[".", ".."].map((name) => ({ name, node: find(scope.context, `${path}/${name}`) })), ...found];
  } catch (error) {
    if (error instanceof Errno) return [];
    throw error;
  }
}

function isDirectory(scope: Scope, base: Found, { name, node }: Entry): boolean {
  if (!(node instanceof Symlink)) return node instanceof Directory;
  return lookup(scope, base + name, true) instanceof Directory;
}

function exists(scope: Scope, path: string): boolean {
  return lookup(scope, path, path.endsWith("/")) !== undefined;
}

function lookup(scope: Scope, path: string, follow: boolean): unknown {
  try {
    return find(scope.context, path, follow);
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}
