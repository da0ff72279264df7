/* The files as they were when the run began, for the host to find after a hard stop.
 *
 * A run that is killed leaves the heap in mid-change, so nothing in the guest can
 * be asked afterwards.  Instead the host reads the files out of the memory itself:
 * before each run that finds them changed, the system realm lists all nodes here,
 * and until the next listing it frees and changes no bytes that a list points at.
 * A new list is published by one store, so at any moment there is a whole one.
 *
 * `table` are records one behind the other, parents before what is in them:
 *
 *     u32 parent   number of the record of its directory; 0 is the root
 *     u32 mode     as in <sys/stat.h>
 *     u32 uid
 *     u32 link     number of the record of which this is another name, or 0
 *     f64 mtime    milliseconds since 1970; 0 for none
 *     u32 size     bytes of a file's content, or of a symbolic link's target
 *     u32 length   bytes of the name
 *     name, then the target of a symbolic link, as bytes
 *
 * Records are numbered from 1.  `extents` are the contents of the files that are no
 * further name, in the order of their records.
 */
#ifndef AMLA_KEEP_H
#define AMLA_KEEP_H

#include <stdint.h>

#include "quickjs.h"

typedef struct {
    uint32_t at, size;
} AmlaExtent;

/* What the cell `kept` points at.  Owns both blocks. */
typedef struct {
    uint32_t table, table_length;
    uint32_t extents, extent_count;
} AmlaKept;

/* Define the functions of the group `keep` on `object`. */
int amla_native_keep(JSContext *ctx, JSValueConst object);

#endif
