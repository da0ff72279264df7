/** What the C library calls the errors of file operations. */

import { type Code, Errno } from "../../vfs/errors";

const WORDS: Readonly<Record<Code, string>> = {
  EPERM: "Operation not permitted",
  ENOENT: "No such file or directory",
  EBADF: "Bad file descriptor",
  EAGAIN: "Resource temporarily unavailable",
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  EXDEV: "Invalid cross-device link",
  ENODEV: "No such device",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  EINVAL: "Invalid argument",
  EMFILE: "Too many open files",
  EFBIG: "File too large",
  ENOSPC: "No space left on device",
  ESPIPE: "Illegal seek",
  EROFS: "Read-only file system",
  EPIPE: "Broken pipe",
  ENAMETOOLONG: "File name too long",
  ENOSYS: "Function not implemented",
  ENOTEMPTY: "Directory not empty",
  ELOOP: "Too many levels of symbolic links",
};

/** "No such file or directory" for an Errno, followed by its own sentence if it has one; other errors pass through. */
export function describeErrno(error: unknown): string {
  if (!(error instanceof Errno)) throw error;
  return error.detail ? `${WORDS[error.code]} (${error.detail})` : WORDS[error.code];
}
