/** What the guest knows of the owner's tools: their names, so that scripts can be answered without the host. */

import type { Settle } from "./calls";
import { current } from "./current";
import { native } from "./native";

export interface ToolName {
  /** Canonical: segments joined by `/`. */
  path: string;
  description: string;
  /** The schema of its arguments, where the host tells it beforehand. */
  parameters?: unknown;
}

type Tree = Map<string, Tree | string>;

export class ToolTable {
  private readonly paths = new Map<string, ToolName>();
  /** By the spelling in JavaScript: `stripe.charges.create`. */
  private readonly roots: Tree = new Map();
  private open: ReadonlySet<string> = new Set();

  /** `open` are globals under which any name may be called. */
  declare(tools: readonly ToolName[], open: readonly string[]): void {
    this.paths.clear();
    this.roots.clear();
    this.open = new Set(open);
    for (const tool of tools) {
      this.paths.set(tool.path, tool);
      this.place(tool.path);
    }
  }

  /** The tools under a JavaScript global: a path, nested objects of paths, or undefined. */
  root(name: string): unknown {
    const found = this.roots.get(name);
    if (this.open.has(name)) return { "*": name };
    return found === undefined ? this.joined(name) : plain(found);
  }

  has(path: string): boolean {
    return this.paths.has(path) || this.open.has(path.split("/")[0]!);
  }

  parameters(path: string): unknown {
    return this.paths.get(path)?.parameters;
  }

  list(): ToolName[] {
    return [...this.paths.values()];
  }

  /** The canonical path for any spelling of a tool's name. */
  canonical(name: string): string {
    if (this.paths.has(name)) return name;
    const bare = name.replace(/^mcp:/, "");
    if (this.paths.has(bare)) return bare;
    const path = bare.replace(/\./g, "/");
    if (this.paths.has(path)) return path;
    for (const known of this.paths.keys()) if (identifier(known) === identifier(path)) return known;
    return bare;
  }

  /** The name that is nearest to `wanted`, if any is near; for a group's name its first tool. */
  nearest(wanted: string): string | undefined {
    for (const path of this.paths.keys()) if (path.startsWith(`${wanted}/`)) return path;
    let best: string | undefined;
    let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
    for (const path of this.paths.keys()) {
      const steps = distance(wanted, path, least);
      if (steps < least) [best, least] = [path, steps];
    }
    return best;
  }

  /** The tool whose path is that name, were it joined by `_`: `stripe_charges_create`. */
  private joined(name: string): string | undefined {
    if (!name.includes("_")) return undefined;
    const fits = [...this.paths.keys()].filter((path) => identifier(path).replaceAll("/", "_") === name);
    return fits.length === 1 ? fits[0] : undefined;
  }

  private place(path: string): void {
    const segments = identifier(path).split("/");
    const last = segments.pop()!;
    let tree = this.roots;
    for (const segment of segments) tree = branch(tree, segment);
    const there = tree.get(last);
    if (there instanceof Map) there.set("", path);
    else tree.set(last, path);
  }
}

/** The child tree of that name; a tool of that very name moves to its empty key. */
function branch(tree: Tree, segment: string): Tree {
  const there = tree.get(segment);
  if (there instanceof Map) return there;
  const made: Tree = new Map();
  if (there !== undefined) made.set("", there);
  tree.set(segment, made);
  return made;
}

function plain(node: Tree | string): unknown {
  if (typeof node === "string") return node;
  return Object.fromEntries([...node].map(([name, child]) => [name, plain(child)]));
}

/** Characters that JavaScript's identifiers lack answer to `_`. */
function identifier(path: string): string {
  return path
    .split("/")
    .map((segment) => segment.replace(/[^\p{ID_Continue}$]/gu, "_").replace(/^(?=\d)/, "_"))
    .join("/");
}

/** Edits between two names, given up at `limit`. */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(swap, row[j]! + 1, next[j - 1]! + 1);
    }
    row = next;
  }
  return row[to.length]!;
}

export const table = new ToolTable();

type Done = (ok: boolean, value: unknown) => void;

/** Hands an answer over as a value of the realm that asked. */
function settle(done: Done): Settle {
  const { realm } = current().realm;
  return (ok, json) => done(ok, native.realm.parse(realm, json));
}

/** What a script's realm can do with tools. */
export const toolKernel = {
  root: (name: string) => table.root(name),
  has: (path: string) => table.has(path),
  list: () => table.list().map(({ path, description }) => ({ name: path, description })),
  canonical: (name: string) => table.canonical(name),
  nearest: (name: string) => table.nearest(name),
  call: (path: string, json: string | Uint8Array, done: Done) => current().run.calls.call(path, json, settle(done)),
  describe: (path: string, done: Done) => current().run.calls.describe(path, settle(done)),
};

export type ToolKernel = typeof toolKernel;
