/** Names of files, as somebody is typing them. */

import { Errno } from "../../vfs/errors";
import type { Context } from "../../vfs/context";
import { Directory, Symlink } from "../../vfs/inode";
import { entries } from "../../vfs/tree";
import { find } from "../../vfs/walk";

/** Names that are listed at most; arbitrary. */
const MOST = 2000;

export interface Entry {
  /** With what was typed in front of it. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * What `typed` may become, seen from the folder `at`; `home` is what `~/` stands for. Hidden names only if asked for, and
 * none with bytes that are no UTF-8, which nobody can type.
 */
export function pathsFor(context: Context, at: string, typed: string, home?: string): Entry[] {
  const [, folder, name] = /^(.*\/)?([^/]*)$/s.exec(typed)!;
  const shown = folder ?? "";
  const real = home !== undefined && shown.startsWith("~/") ? home + shown.slice(1) : shown;
  const looking: Context = { ...context, cwd: at };
  return list(looking, real === "" ? "." : real)
    .filter((entry) => entry.name.startsWith(name!) && (name !== "" || !entry.name.startsWith(".")) && entry.name.isWellFormed())
    .slice(0, MOST)
    .map((entry) => ({ path: shown + entry.name, isDirectory: isDirectory(looking, `${real}${entry.name}`, entry.node) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function list(context: Context, path: string): ReturnType<typeof entries> {
  return quietly(() => entries(context, path)) ?? [];
}

function isDirectory(context: Context, path: string, node: unknown): boolean {
  return (node instanceof Symlink ? quietly(() => find(context, path)) : node) instanceof Directory;
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}
