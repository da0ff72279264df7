/* Filters that have ended, kept for a while with their compiled programs.
 *
 * A script calls jq with one program again and again, and compiling it, with all that
 * jq defines in its own language, takes most of the time of a small run.
 */
#ifndef AMLA_JQ_SPARE_H
#define AMLA_JQ_SPARE_H

#include "jq_filter.h"

/* What a filter's program depends on, as bytes: filters with the same are alike. */
AmlaBuffer amla_jq_key(const char *program, const AmlaJqOptions *options);

/* A spare filter with this key, which is no spare any more; NULL for none. */
AmlaJq *amla_jq_spare_take(const AmlaBuffer *key);

/* Keep `filter`, which has ended well; returns one that has to go for it, or NULL. */
AmlaJq *amla_jq_spare_keep(AmlaJq *filter);

#endif
