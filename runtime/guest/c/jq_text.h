/* How far a text goes without anything to look at, for jq's parser and printer. */
#ifndef AMLA_JQ_TEXT_H
#define AMLA_JQ_TEXT_H

#include <stddef.h>

/* Bytes at the start that a JSON string holds as they are. */
size_t amla_jq_unquoted(const char *text, size_t length);

/* … and that are printable ASCII besides. */
size_t amla_jq_printable(const char *text, size_t length);

/* Bytes at the start that are ASCII. */
size_t amla_jq_ascii(const char *text, size_t length);

#endif
