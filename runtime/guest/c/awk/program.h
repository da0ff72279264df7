/* A compiled program: words of code, and the tables that they point into. */
#ifndef AWK_PROGRAM_H
#define AWK_PROGRAM_H

#include "pattern.h"
#include "value.h"

typedef struct {
    AwkText *name;
    AwkText **names; /* of the parameters */
    uint32_t parameters;
    uint32_t entry; /* word of code where it starts */
    bool defined;
} AwkFunction;

/* From this word on the code comes from that line. */
typedef struct {
    uint32_t word, line;
    uint16_t source;
} AwkLine;

typedef struct {
    AwkText *name; /* of the file; NULL for a text on the command line */
    char *text;    /* ends in NUL */
    size_t length;
} AwkSource;

typedef struct {
    uint32_t *code;
    AwkValue *constants;
    AwkPattern **patterns;
    AwkFunction *functions;
    AwkText **globals; /* names of the variables; the special ones first */
    AwkLine *lines;
    AwkSource *sources;
    uint32_t code_count, constant_count, pattern_count, function_count, global_count, line_count, source_count;
    uint32_t code_room, constant_room, pattern_room, function_room, global_room, line_room, source_room;
    uint32_t range_count;
    uint32_t next_record, at_end; /* words: where a record is read, where the END rules start */
    uint32_t begin_file, end_file; /* words of the BEGINFILE and ENDFILE rules; 0 when there are none */
    bool reads;                    /* there is anything but BEGIN rules */
} AwkProgram;

/* Make sure that an array has room for one more item; false without memory. */
bool awk_make_room(AwkPool *pool, void *items, uint32_t *room, uint32_t count, size_t size);

#endif
