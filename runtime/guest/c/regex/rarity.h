/* How seldom texts have a byte. */
#ifndef AMLA_REGEX_RARITY_H
#define AMLA_REGEX_RARITY_H

#include <stdint.h>

/* Of ten thousand bytes of English text and logs about so many are this one; at least 1. */
unsigned rx_frequency(uint8_t byte);

#endif
