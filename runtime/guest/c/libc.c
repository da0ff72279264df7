/* The system calls of the C library, answered inside the module.
 *
 * wasi-libc reaches the system through functions that the host would import.
 * The guest imports nothing, so they are defined here: files do not exist, the
 * clock is the cell that the host keeps, randomness is a generator that the host
 * seeded, and leaving is a trap.  libc.h declares what the rest of the guest uses.
 */
#include "libc.h"

#include <string.h>
#include <wasi/api.h>

#include "cells.h"

/* xoshiro256** by D. Blackman and S. Vigna (public domain algorithm), seeded by splitmix64. */
static uint64_t random_words[4];
static bool random_ready;

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t word, int bits)
{
    return (word << bits) | (word >> (64 - bits));
}

void amla_random_seed(uint64_t a, uint64_t b)
{
    uint64_t first = a, second = b;
    random_words[0] = split_mix(&first);
    random_words[1] = split_mix(&first);
    random_words[2] = split_mix(&second);
    random_words[3] = split_mix(&second) | 1;
    random_ready = true;
}

uint64_t amla_random_word(void)
{
    if (!random_ready)
        amla_random_seed(amla_cells.seed[0], amla_cells.seed[1]);
    uint64_t result = rotate(random_words[1] * 5, 7) * 9;
    uint64_t shifted = random_words[1] << 17;
    random_words[2] ^= random_words[0];
    random_words[3] ^= random_words[1];
    random_words[1] ^= random_words[2];
    random_words[0] ^= random_words[3];
    random_words[2] ^= shifted;
    random_words[3] = rotate(random_words[3], 45);
    return result;
}

void amla_random_bytes(uint8_t *bytes, size_t length)
{
    while (length) {
        uint64_t word = amla_random_word();
        size_t take = length < sizeof word ? length : sizeof word;
        memcpy(bytes, &word, take);
        bytes += take;
        length -= take;
    }
}

/* --- the calls ----------------------------------------------------------------------
 * wasi-libc declares each as an import under this prefix; a definition takes its place. */

#define SYSCALL(name) __imported_wasi_snapshot_preview1_##name
#define RESULT int32_t __attribute__((used))

RESULT SYSCALL(clock_time_get)(int32_t id, int64_t precision, int32_t out)
{
    (void)precision;
    double ms = id == __WASI_CLOCKID_REALTIME ? amla_cells.clock_ms : amla_cells.steady_ms;
    uint64_t nanoseconds = ms > 0 ? (uint64_t)(ms * 1e6) : 0;
    memcpy((void *)(uintptr_t)(uint32_t)out, &nanoseconds, sizeof nanoseconds);
    return 0;
}

RESULT SYSCALL(clock_res_get)(int32_t id, int32_t out)
{
    (void)id;
    uint64_t resolution = 1000000;
    memcpy((void *)(uintptr_t)(uint32_t)out, &resolution, sizeof resolution);
    return 0;
}

RESULT SYSCALL(random_get)(int32_t bytes, int32_t length)
{
    amla_random_bytes((uint8_t *)(uintptr_t)(uint32_t)bytes, (size_t)(uint32_t)length);
    return 0;
}

_Noreturn void SYSCALL(proc_exit)(int32_t code);
_Noreturn void SYSCALL(proc_exit)(int32_t code)
{
    (void)code;
    __builtin_trap();
}

static int32_t put_zero(int32_t at)
{
    uint32_t zero = 0;
    memcpy((void *)(uintptr_t)(uint32_t)at, &zero, sizeof zero);
    return 0;
}

RESULT SYSCALL(environ_sizes_get)(int32_t count, int32_t size)
{
    return put_zero(count) | put_zero(size);
}

RESULT SYSCALL(environ_get)(int32_t list, int32_t text)
{
    (void)list, (void)text;
    return 0;
}

RESULT SYSCALL(args_sizes_get)(int32_t count, int32_t size)
{
    return put_zero(count) | put_zero(size);
}

RESULT SYSCALL(args_get)(int32_t list, int32_t text)
{
    (void)list, (void)text;
    return 0;
}

RESULT SYSCALL(sched_yield)(void)
{
    return 0;
}

/* What is written to the C library's stdout and stderr (assertions, dumps) is
 * dropped: the guest's output goes through frames. */
RESULT SYSCALL(fd_write)(int32_t fd, int32_t vectors, int32_t count, int32_t written)
{
    (void)fd;
    const __wasi_ciovec_t *list = (const __wasi_ciovec_t *)(uintptr_t)(uint32_t)vectors;
    uint32_t total = 0;
    for (int32_t i = 0; i < count; i++)
        total += (uint32_t)list[i].buf_len;
    memcpy((void *)(uintptr_t)(uint32_t)written, &total, sizeof total);
    return 0;
}

/* No file exists: every other call on one says "bad file descriptor". */
#define NO_FILE(name, ...) RESULT SYSCALL(name)(__VA_ARGS__) { return __WASI_ERRNO_BADF; }
#pragma clang diagnostic ignored "-Wunused-parameter"
NO_FILE(fd_close, int32_t fd)
NO_FILE(fd_read, int32_t fd, int32_t vectors, int32_t count, int32_t out)
NO_FILE(fd_pread, int32_t fd, int32_t vectors, int32_t count, int64_t offset, int32_t out)
NO_FILE(fd_seek, int32_t fd, int64_t offset, int32_t whence, int32_t out)
NO_FILE(fd_fdstat_get, int32_t fd, int32_t out)
NO_FILE(fd_fdstat_set_flags, int32_t fd, int32_t flags)
NO_FILE(fd_filestat_get, int32_t fd, int32_t out)
NO_FILE(fd_filestat_set_size, int32_t fd, int64_t size)
NO_FILE(fd_prestat_get, int32_t fd, int32_t out)
NO_FILE(fd_prestat_dir_name, int32_t fd, int32_t path, int32_t length)
NO_FILE(fd_readdir, int32_t fd, int32_t buffer, int32_t length, int64_t cookie, int32_t out)
NO_FILE(fd_renumber, int32_t from, int32_t to)
NO_FILE(path_open, int32_t fd, int32_t flags, int32_t path, int32_t length, int32_t open_flags, int64_t base,
        int64_t inheriting, int32_t fd_flags, int32_t out)
NO_FILE(path_filestat_get, int32_t fd, int32_t flags, int32_t path, int32_t length, int32_t out)
NO_FILE(path_readlink, int32_t fd, int32_t path, int32_t length, int32_t buffer, int32_t size, int32_t out)
NO_FILE(path_unlink_file, int32_t fd, int32_t path, int32_t length)
NO_FILE(path_remove_directory, int32_t fd, int32_t path, int32_t length)
NO_FILE(path_rename, int32_t fd, int32_t path, int32_t length, int32_t to_fd, int32_t to, int32_t to_length)
NO_FILE(path_create_directory, int32_t fd, int32_t path, int32_t length)
NO_FILE(poll_oneoff, int32_t in, int32_t out, int32_t count, int32_t events)

/* The part of the C library that the compiler brings itself names its import so. */
int32_t close_direct(int32_t fd) __asm__("fd_close|wasi_snapshot_preview1");
int32_t close_direct(int32_t fd) { return __WASI_ERRNO_BADF; }
