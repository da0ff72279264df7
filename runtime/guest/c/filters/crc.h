/* CRC-32, as gzip and zip use it. */
#ifndef AMLA_CRC_H
#define AMLA_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what had `crc` (0 for nothing) followed by these bytes. */
uint32_t amla_crc32(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
