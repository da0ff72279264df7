/** What stat(2) tells of a node. */

import { Device, Inode } from "./inode";

/** Times are milliseconds since 1970, sizes bytes. */
export interface Status {
  dev: number;
  mode: number;
  nlink: number;
  uid: number;
  gid: number;
  rdev: number;
  blksize: number;
  ino: number;
  size: number;
  blocks: number;
  atimeMs: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
}

const DEV = 1;
const BLOCK = 4096;
const SECTOR = 512;

export function describe(node: Inode): Status {
  return {
    dev: DEV,
    mode: node.mode,
    nlink: node.nlink,
    uid: node.uid,
    gid: node.uid,
    rdev: node instanceof Device ? node.ino : 0,
    blksize: BLOCK,
    ino: node.ino,
    size: node.size,
    blocks: Math.ceil(node.size / BLOCK) * (BLOCK / SECTOR),
    atimeMs: node.atime,
    mtimeMs: node.mtime,
    ctimeMs: node.ctime,
    birthtimeMs: node.birthtime,
  };
}
