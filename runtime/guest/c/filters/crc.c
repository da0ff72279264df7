#include "crc.h"

#define POLYNOMIAL 0xedb88320u

static uint32_t table[256];

static void fill_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? POLYNOMIAL ^ value >> 1 : value >> 1;
        table[i] = value;
    }
}

uint32_t amla_crc32(uint32_t crc, const uint8_t *bytes, size_t length)
{
    if (!table[1])
        fill_table();
    crc = ~crc;
    for (size_t i = 0; i < length; i++)
        crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
    return ~crc;
}
