/** Whether cp and mv may replace what has the name already. */

import { then, type Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import type { Inode } from "../vfs/inode";
import { confirm } from "./confirm";
import { compareMoments, timeOf } from "./moments";
import { nameQuoted } from "./quoting";

export const OVERWRITE_OPTIONS = {
  force: ["-f, --force", "replace files that cannot be written to; never ask"],
  interactive: ["-i, --interactive", "ask before something is replaced"],
  noClobber: ["-n, --no-clobber", "replace nothing"],
  update: ["-u, --update", "replace only what is older"],
} as const;

interface Given {
  has(key: keyof typeof OVERWRITE_OPTIONS): boolean;
  last(...keys: (keyof typeof OVERWRITE_OPTIONS)[]): string | undefined;
}

export function mayReplace(process: Process, options: Given, source: Inode, target: string, old: Inode): Maybe<boolean> {
  const how = options.last("interactive", "noClobber");
  if (how === "noClobber") return false;
  if (options.has("update") && compareMoments(timeOf(source, "mtime"), timeOf(old, "mtime")) <= 0) return false;
  return how === "interactive" && options.last("interactive", "force") === "interactive" ? then(confirm(process, `overwrite ${nameQuoted(target)}`), (yes) => yes) : true;
}
