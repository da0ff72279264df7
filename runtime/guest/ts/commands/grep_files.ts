/** The files that `grep -r` searches. */

import { compilePattern } from "../shell/expand/pattern";
import type { Process } from "../shell/process";
import { Directory, RegularFile, Symlink } from "../vfs/inode";
import { entriesOf } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Errno } from "../vfs/errors";

/** Which files and folders are searched. */
export interface Wanted {
  directory(name: string): boolean;
  file(name: string): boolean;
}

/** A glob of the command line. */
export interface FileRule {
  readonly kind: "include" | "exclude" | "directory";
  readonly glob: string;
}

const NO_OPTIONS: ReadonlySet<string> = new Set();

/** Of the rules for files that fit, the last counts; without one, files are searched unless the first rule includes some. */
export function wantedBy(rules: readonly FileRule[]): Wanted {
  const compiled = rules.map(({ kind, glob }) => ({ kind, pattern: compilePattern(glob.replace(/\/+$/, ""), NO_OPTIONS, false) }));
  const files = compiled.filter(({ kind }) => kind !== "directory");
  const usual = files[0]?.kind !== "include";
  return {
    directory: (name) => !compiled.some(({ kind, pattern }) => kind === "directory" && pattern.test(name)),
    file(name) {
      const rule = files.findLast(({ pattern }) => pattern.test(name));
      return rule ? rule.kind === "include" : usual;
    },
  };
}

/** Paths of files below `root`, in the order of names; `bare` leaves out the `./` in front. */
export function* filesBelow(process: Process, root: string, bare: boolean, filter: Wanted, follow: boolean): Generator<string> {
  const top = find(process.context, root);
  if (top instanceof Directory) yield* walk(process, top, bare ? "" : root.replace(/\/*$/, "/"), filter, follow);
}

function* walk(process: Process, directory: Directory, prefix: string, filter: Wanted, follow: boolean): Generator<string> {
  for (const { name, node } of entriesOf(process.context, directory)) {
    const path = prefix + name;
    const target = node instanceof Symlink && follow ? followed(process, path) : node;
    if (target instanceof Directory) {
      if (filter.directory(name)) yield* walk(process, target, `${path}/`, filter, follow);
    } else if (target instanceof RegularFile && filter.file(name)) yield path;
  }
}

function followed(process: Process, path: string): unknown {
  try {
    return find(process.context, path);
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}
