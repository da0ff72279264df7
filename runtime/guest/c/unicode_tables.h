/* Oniguruma's tables of Unicode classes, of which only jq's regular expressions make use.
 *
 * They are 200 KB of numbers that mostly ascend.  The build keeps their differences
 * instead, a fifth of that, and leaves zeros, which take no room in the module; the
 * first regular expression of a sandbox brings the tables back.
 */
#ifndef AMLA_UNICODE_TABLES_H
#define AMLA_UNICODE_TABLES_H

/* While the guest is built.  Returns 0, or -1 without memory. */
int amla_unicode_sleep(void);

/* Called by Oniguruma when it is first used (build/jq_fixes.py). */
void amla_unicode_wake(void);

#endif
