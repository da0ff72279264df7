/** Directories by different names. */

import type { Context } from "../../vfs/context";
import { Errno } from "../../vfs/errors";
import { findDirectory, pathOf } from "../../vfs/walk";

/** Whether `path` names the directory whose path without links is `cwd`. */
export function leadsTo(context: Context, path: string, cwd: string): boolean {
  if (/\/\.\.?(?:\/|$)/.test(path)) return false;
  try {
    return pathOf(findDirectory(context, path)) === cwd;
  } catch (error) {
    if (error instanceof Errno) return false;
    throw error;
  }
}
