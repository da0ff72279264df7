/** The limits of the file system that a kernel has in its headers; the two that an owner sets are in quota.ts. */

/** Bytes of UTF-8 in one component of a path, as on Linux. */
export const NAME_MAX = 255;
/** Bytes of UTF-8 in a path given to a call, as on Linux. */
export const PATH_MAX = 4095;
/** Symbolic links followed while one path is resolved, as on Linux. */
export const LINKS_MAX = 40;
/** Open descriptors of one process; arbitrary, the usual `ulimit -n`. */
export const OPEN_MAX = 1024;
