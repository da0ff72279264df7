/* The guest's own sources of randomness; libc.c defines the C library's system calls. */
#ifndef AMLA_LIBC_H
#define AMLA_LIBC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Restart the generator from two words of entropy. */
void amla_random_seed(uint64_t a, uint64_t b);

uint64_t amla_random_word(void);

/* Fill `length` bytes at `bytes`. */
void amla_random_bytes(uint8_t *bytes, size_t length);

#endif
