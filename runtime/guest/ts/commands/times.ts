/** Setting the times of files. */

import type { Context } from "../vfs/context";
import type { Inode } from "../vfs/inode";
import { utimes } from "../vfs/meta";
import { type Moment, msOfMoment, noteTime, timeOf } from "./moments";

/** Takes over the access time of one node and the modification time of another. */
export function setTimes(context: Context, node: Inode, access: Inode, modification: Inode): void {
  setMoments(context, node, timeOf(access, "atime"), timeOf(modification, "mtime"));
}

export function setMoments(context: Context, node: Inode, atime: Moment, mtime: Moment): void {
  utimes(context, node, msOfMoment(atime), msOfMoment(mtime));
  noteTime(node, "atime", atime);
  noteTime(node, "mtime", mtime);
}
