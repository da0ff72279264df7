/* awk as an engine that is polled: POSIX awk with gawk's functions.
 *
 * The guest has no files and nothing may block, so the engine keeps its own stacks and comes back to its caller
 * whenever it needs the world.  The caller alternates: amla_awk_run() until AMLA_AWK_DONE, and between the calls does
 * what amla_awk_request() asks for, answering as the state says:
 *
 *   OPEN    amla_awk_opened()      with 0, or with what is wrong
 *   READ    amla_awk_feed()        bytes, or none at the end
 *   WRITE   nothing
 *   CLOSE   amla_awk_reply()       exit status of a command, 0 for a file or while a two-way pipe has its other side
 *   SYSTEM  amla_awk_reply()       exit status
 *
 * Streams are small numbers that the engine gives out in OPEN; 1 and 2 are standard output and standard error.
 * One engine is one run of one program; it owns all it is given copies of.
 */
#ifndef AMLA_AWK_H
#define AMLA_AWK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AmlaAwk AmlaAwk;

typedef enum {
    AMLA_AWK_DONE,        /* amla_awk_status() is final */
    AMLA_AWK_OPEN,        /* open `text` as `mode` says, as `stream` */
    AMLA_AWK_READ,        /* the next bytes of `stream` */
    AMLA_AWK_WRITE,       /* `text` goes to `stream`; lent until the next run */
    AMLA_AWK_CLOSE,       /* close `stream`; a command's status is wanted */
    AMLA_AWK_SYSTEM,      /* run the command `text` */
    AMLA_AWK_INTERRUPTED, /* the interrupt flag was up; the engine is of no more use */
    AMLA_AWK_MEMORY,      /* memory ran out; the engine is of no more use */
    AMLA_AWK_PAUSED,      /* nothing: others may want their turn, or stop this one */
} AmlaAwkState;

typedef enum {
    AMLA_AWK_OPERAND,       /* a file of the command line, to read; "-" is standard input */
    AMLA_AWK_READ_FILE,     /* getline < file */
    AMLA_AWK_READ_COMMAND,  /* command | getline */
    AMLA_AWK_READ_BOTH,     /* command |& getline: opened with the next */
    AMLA_AWK_WRITE_FILE,    /* print > file */
    AMLA_AWK_APPEND_FILE,   /* print >> file */
    AMLA_AWK_WRITE_COMMAND, /* print | command */
    AMLA_AWK_WRITE_BOTH,    /* print |& command: opened with its reading side, which is the stream before it */
} AmlaAwkMode;

typedef struct {
    AmlaAwkMode mode;
    unsigned stream;
    const char *text; /* bytes, no NUL at their end */
    size_t length;
} AmlaAwkRequest;

/* NULL without memory.  Free with amla_awk_free().  `bytewise`: each byte is a character.  `in_place`: what was printed is
 * asked to be written before a file of the command line is closed. */
AmlaAwk *amla_awk_create(bool bytewise, bool in_place);

void amla_awk_free(AmlaAwk *awk);

/* Add program text, in order; `name` is the file's name, or NULL for a program on the command line. */
void amla_awk_source(AmlaAwk *awk, const char *name, const char *text, size_t length);

/* -v: `text` is "name=value", escapes in the value are processed when the program starts. */
void amla_awk_assign(AmlaAwk *awk, const char *text, size_t length);

/* The next element of ARGV, beginning with element 0. */
void amla_awk_argument(AmlaAwk *awk, const char *text, size_t length);

/* An element of ENVIRON. */
void amla_awk_environment(AmlaAwk *awk, const char *name, size_t name_length, const char *value, size_t length);

/* The local time zone, UTC without: rows of two doubles, the moment in seconds from which local time is so many seconds
 * ahead of UTC; `names` are the abbreviations, with a NUL behind each. */
void amla_awk_zone(AmlaAwk *awk, const void *changes, size_t size, const char *names, size_t length);

/* Compiles at the first call; a program that is wrong ends with its message on stream 2 and status 1. */
AmlaAwkState amla_awk_run(AmlaAwk *awk);

/* What the last amla_awk_run() asks for. */
const AmlaAwkRequest *amla_awk_request(const AmlaAwk *awk);

/* Answers OPEN: `reason` is NULL, or why not in the words of strerror(); a folder among the operands is told by
 * `is_folder` and skipped. */
void amla_awk_opened(AmlaAwk *awk, const char *reason, bool is_folder);

/* Answers READ: bytes, copied; none means the end. */
void amla_awk_feed(AmlaAwk *awk, const void *bytes, size_t length);

/* Answers CLOSE and SYSTEM. */
void amla_awk_reply(AmlaAwk *awk, int status);

/* The exit status, once done. */
int amla_awk_status(const AmlaAwk *awk);

#endif
