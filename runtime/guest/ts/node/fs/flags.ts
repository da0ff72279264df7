/** `fs.constants`, and the flags that `open` takes as text. */

import { invalidType, invalidValue } from "../errors";

export const constants = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
  S_IFCHR: 0o020000,
  S_IFBLK: 0o060000,
  S_IFIFO: 0o010000,
  S_IFLNK: 0o120000,
  S_IFSOCK: 0o140000,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_NOCTTY: 0o400,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_NONBLOCK: 0o4000,
  O_DSYNC: 0o10000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
  O_SYNC: 0o4010000,
  S_IRWXU: 0o700,
  S_IRUSR: 0o400,
  S_IWUSR: 0o200,
  S_IXUSR: 0o100,
  S_IRWXG: 0o070,
  S_IRGRP: 0o040,
  S_IWGRP: 0o020,
  S_IXGRP: 0o010,
  S_IRWXO: 0o007,
  S_IROTH: 0o004,
  S_IWOTH: 0o002,
  S_IXOTH: 0o001,
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  UV_FS_COPYFILE_EXCL: 1,
  COPYFILE_EXCL: 1,
  UV_FS_COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE: 2,
  UV_FS_COPYFILE_FICLONE_FORCE: 4,
  COPYFILE_FICLONE_FORCE: 4,
} as const;

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
const WRITE = O_CREAT | O_TRUNC;
const APPEND = O_CREAT | O_APPEND;

const TEXTS: Record<string, number> = {
  r: O_RDONLY,
  "r+": O_RDWR,
  w: O_WRONLY | WRITE,
  wx: O_WRONLY | WRITE | O_EXCL,
  "w+": O_RDWR | WRITE,
  "wx+": O_RDWR | WRITE | O_EXCL,
  a: O_WRONLY | APPEND,
  ax: O_WRONLY | APPEND | O_EXCL,
  "a+": O_RDWR | APPEND,
  "ax+": O_RDWR | APPEND | O_EXCL,
};

/** Flags as a number or as text, in which `x` may stand on either side of the letter and `s` (synchronous) says nothing. */
export function toFlags(value: unknown, absent: string): number {
  const flags = value ?? absent;
  if (typeof flags === "number") return flags;
  if (typeof flags !== "string") throw invalidType("flags", "of type string", flags);
  const canonical = flags.replace("s", "").replace(/^x([wa])/, "$1x");
  const number = Object.hasOwn(TEXTS, canonical) ? TEXTS[canonical] : undefined;
  if (number === undefined) throw invalidValue("flags", flags);
  return number;
}
