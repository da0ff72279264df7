#include "random.h"

/* Park and Miller's "minimal standard", in 32 bits. */
static int32_t following(int32_t x)
{
    if (x == 0)
        x = 123459876;
    const int32_t next = 16807 * (x % 127773) - 2836 * (x / 127773);
    return next < 0 ? next + INT32_MAX : next;
}

/* The front of the words is one ahead of the rear. */
static uint32_t added(AwkRandom *random)
{
    const uint8_t rear = random->at, front = (uint8_t)((rear + 1) % AWK_RANDOM_WORDS);
    random->at = front;
    return (random->words[front] += random->words[rear]) >> 1;
}

/* The last number says which one of the table is the next. */
static uint32_t shuffled(AwkRandom *random)
{
    uint32_t *place = &random->table[random->last % AWK_RANDOM_TABLE];
    const uint32_t chosen = *place;
    *place = added(random);
    return random->last = chosen;
}

void awk_random_seed(AwkRandom *random, uint32_t seed)
{
    random->words[0] = seed;
    for (int index = 1; index < AWK_RANDOM_WORDS; index++)
        random->words[index] = (uint32_t)following((int32_t)random->words[index - 1]);
    random->at = 0;
    for (int index = 0; index < AWK_RANDOM_TABLE; index++)
        random->table[index] = added(random);
    random->last = added(random);
    for (int index = 0; index < 10 * AWK_RANDOM_WORDS; index++)
        shuffled(random);
    random->seeded = true;
}

double awk_random_next(AwkRandom *random)
{
    const double range = 2147483648.0;
    double number;
    if (!random->seeded)
        awk_random_seed(random, 1);
    do {
        const double low = shuffled(random), high = shuffled(random);
        number = 0.5 + (low / range + high) / range;
        number -= 0.5;
    } while (number >= 1);
    return number;
}
