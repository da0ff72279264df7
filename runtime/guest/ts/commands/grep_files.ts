/** The files that `grep -r` searches. */

import { compilePattern } from "../shell/expand/pattern";
import type { Process } from "../shell/process";
import { Directory, RegularFile, Symlink } from "../vfs/inode";
import { entriesOf } from "../vfs/tree";
import { find } from "../vfs/walk";
import { Errno } from "../vfs/errors";
import type { Options, OptionTable } from "./options";

interface Wanted {
  directory(name: string): boolean;
  file(name: string): boolean;
}

const NO_OPTIONS: ReadonlySet<string> = new Set();

function matcher(globs: readonly string[]): (name: string) => boolean {
  const patterns = globs.map((glob) => compilePattern(glob.replace(/\/+$/, ""), NO_OPTIONS, false));
  return (name) => patterns.some((pattern) => pattern.test(name));
}

function wanted<T extends OptionTable>(options: Options<T>): Wanted {
  const list = (key: string): string[] => options.list(key as never);
  const [include, exclude, excludeDirectory] = [list("include"), list("exclude"), list("excludeDirectory")];
  const [included, excluded, skipped] = [matcher(include), matcher(exclude), matcher(excludeDirectory)];
  return {
    directory: (name) => !skipped(name),
    file: (name) => (include.length === 0 || included(name)) && !excluded(name),
  };
}

/** Paths of files below `root`, in the order of names; `bare` leaves out the `./` in front. */
export function* filesBelow<T extends OptionTable>(process: Process, root: string, bare: boolean, options: Options<T>): Generator<string> {
  const filter = wanted(options);
  const top = find(process.context, root);
  if (top instanceof Directory) yield* walk(process, top, bare ? "" : root.replace(/\/*$/, "/"), filter, options.has("dereference" as never));
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
