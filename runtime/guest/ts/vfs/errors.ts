/** Errors of file operations: thrown bare as an `Errno` where they arise, dressed as Node's errors at the boundary. */

const ERRORS = {
  EPERM: [1, "operation not permitted"],
  ENOENT: [2, "no such file or directory"],
  EBADF: [9, "bad file descriptor"],
  EAGAIN: [11, "resource temporarily unavailable"],
  EACCES: [13, "permission denied"],
  EBUSY: [16, "resource busy or locked"],
  EEXIST: [17, "file already exists"],
  EXDEV: [18, "cross-device link not permitted"],
  ENODEV: [19, "no such device"],
  ENOTDIR: [20, "not a directory"],
  EISDIR: [21, "illegal operation on a directory"],
  EINVAL: [22, "invalid argument"],
  EMFILE: [24, "too many open files"],
  EFBIG: [27, "file too large"],
  ENOSPC: [28, "no space left on device"],
  ESPIPE: [29, "invalid seek"],
  EROFS: [30, "read-only file system"],
  EPIPE: [32, "broken pipe"],
  ENAMETOOLONG: [36, "name too long"],
  ENOSYS: [38, "function not implemented"],
  ENOTEMPTY: [39, "directory not empty"],
  ELOOP: [40, "too many symbolic links encountered"],
} as const;

export type Code = keyof typeof ERRORS;

/** What went wrong, before it is known which call of which script it happened in. Not an Error: it needs no stack. */
export class Errno {
  constructor(
    readonly code: Code,
    readonly detail = "",
  ) {}
}

export interface SystemError extends Error {
  errno: number;
  code: Code;
  syscall: string;
  path?: string;
  dest?: string;
}

/** Ends the current operation with `code`; `detail` is a sentence that follows Node's own message. */
export function fail(code: Code, detail?: string): never {
  throw new Errno(code, detail);
}

/** Runs one operation; an `Errno` leaves it as an Error with Node's message and properties. */
export function syscall<T>(name: string, operation: () => T, path?: string, dest?: string): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof Errno) throw systemError(error, name, path, dest);
    throw error;
  }
}

function systemError({ code, detail }: Errno, name: string, path?: string, dest?: string): SystemError {
  const [errno, words] = ERRORS[code];
  const where = path === undefined ? "" : dest === undefined ? ` '${path}'` : ` '${path}' -> '${dest}'`;
  const error = new Error(`${code}: ${words}, ${name}${where}${detail && `: ${detail}`}`);
  const paths = { ...(path !== undefined && { path }), ...(dest !== undefined && { dest }) };
  return Object.assign(error, { errno: -errno, code, syscall: name, ...paths });
}
