/* Finding where a match can begin, by the bytes that matches have at their first places.
 *
 * All places are looked at before a place of the text is taken for a beginning; two of them, whose bytes texts seldom
 * have, are looked at for sixteen places of the text at once.
 */
#ifndef AMLA_REGEX_SCAN_H
#define AMLA_REGEX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RX_SCAN_DEPTH = 16 };

typedef struct {
    size_t place;
    uint8_t rows[2][16]; /* bit h of rows[g][l]: byte (8 * g + h) * 16 + l can be there */
} RxSpot;

typedef struct {
    size_t depth;        /* how many places are known: matches have no fewer bytes */
    uint32_t places[256]; /* of each byte, a bit for each place where it can be */
    RxSpot rarest, rare;
} RxScan;

/* Choose what to look at first, once `depth` and `places` are set; depth must not be 0.  How many of a thousand places of
 * a text will look like beginnings by the one that tells most, at a guess. */
unsigned rx_scan_init(RxScan *scan);

/* The first place in text[at .. stop) where a match within text[0 .. length) can begin; stop if there is none. */
size_t rx_scan(const RxScan *scan, const uint8_t *text, size_t length, size_t at, size_t stop);

#endif
