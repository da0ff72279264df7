/* Finding the next of a set of bytes. */
#ifndef AMLA_REGEX_SCAN_H
#define AMLA_REGEX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    bool has[256];
    uint8_t rows[2][16]; /* bit h of rows[g][l]: byte (8 * g + h) * 16 + l is in the set */
} RxScan;

void rx_scan_init(RxScan *scan, const bool *has);

/* The first place in bytes[at .. stop) of a byte of the set; stop if there is none. */
size_t rx_scan(const RxScan *scan, const uint8_t *bytes, size_t at, size_t stop);

#endif
