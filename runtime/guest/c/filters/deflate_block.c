#include "deflate.h"
#include "huffman.h"

#define LITERALS 286
#define DISTANCES 30
#define END 256

static void put(DeflateWriter *writer, uint32_t value, unsigned count)
{
    writer->bits |= (uint64_t)value << writer->bit_count;
    writer->bit_count += count;
    while (writer->bit_count >= 8) {
        amla_buffer_put(writer->out, (uint8_t)writer->bits);
        writer->bits >>= 8;
        writer->bit_count -= 8;
    }
}

void deflate_flush(DeflateWriter *writer)
{
    if (writer->bit_count > 0)
        put(writer, 0, 8 - writer->bit_count);
}

/* --- lengths and distances as symbols with extra bits ---------------------------------------- */

typedef struct {
    unsigned symbol, extra, bits;
} Spelled;

static Spelled spell_length(unsigned length)
{
    if (length == 258)
        return (Spelled){ 285, 0, 0 };
    const unsigned value = length - 3;
    if (value < 8)
        return (Spelled){ 257 + value, 0, 0 };
    const unsigned bits = 29 - (unsigned)__builtin_clz(value);
    return (Spelled){ 257 + 4 * bits + (value >> bits), value & ((1u << bits) - 1), bits };
}

static Spelled spell_distance(unsigned distance)
{
    const unsigned value = distance - 1;
    if (value < 4)
        return (Spelled){ value, 0, 0 };
    const unsigned bits = 30 - (unsigned)__builtin_clz(value);
    return (Spelled){ 2 * bits + (value >> bits), value & ((1u << bits) - 1), bits };
}

/* --- codes -------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t lengths[AMLA_HUFFMAN_MOST + DISTANCES]; /* of literals, then of distances */
    size_t literals, distances;
    uint16_t literal_codes[AMLA_HUFFMAN_MOST], distance_codes[DISTANCES];
    const uint8_t *distance_lengths;
} Codes;

static void number_codes(Codes *codes)
{
    codes->distance_lengths = codes->lengths + codes->literals;
    amla_huffman_codes(codes->lengths, codes->literals, codes->literal_codes);
    amla_huffman_codes(codes->distance_lengths, codes->distances, codes->distance_codes);
}

static void fixed_codes(Codes *codes)
{
    memset(codes->lengths, 8, 144);
    memset(codes->lengths + 144, 9, 112);
    memset(codes->lengths + 256, 7, 24);
    memset(codes->lengths + 280, 8, 8);
    memset(codes->lengths + 288, 5, DISTANCES);
    codes->literals = 288;
    codes->distances = DISTANCES;
    number_codes(codes);
}

typedef struct {
    uint32_t literals[LITERALS], distances[DISTANCES];
    uint64_t extra_bits;
} Counts;

static void count_tokens(const DeflateBlock *block, Counts *counts)
{
    *counts = (Counts){ 0 };
    counts->literals[END] = 1;
    for (size_t i = 0; i < block->count; i++) {
        const DeflateToken token = block->tokens[i];
        if (token >> 16 == 0) {
            counts->literals[token]++;
            continue;
        }
        const Spelled length = spell_length(token & 0xffff), distance = spell_distance(token >> 16);
        counts->literals[length.symbol]++;
        counts->distances[distance.symbol]++;
        counts->extra_bits += length.bits + distance.bits;
    }
}

static void own_codes(const Counts *counts, Codes *codes)
{
    uint8_t literals[LITERALS], distances[DISTANCES];
    amla_huffman_lengths(counts->literals, LITERALS, 15, literals);
    amla_huffman_lengths(counts->distances, DISTANCES, 15, distances);
    codes->literals = LITERALS;
    codes->distances = DISTANCES;
    while (codes->literals > 257 && !literals[codes->literals - 1])
        codes->literals--;
    while (codes->distances > 1 && !distances[codes->distances - 1])
        codes->distances--;
    memcpy(codes->lengths, literals, codes->literals);
    memcpy(codes->lengths + codes->literals, distances, codes->distances);
    number_codes(codes);
}

static uint64_t cost_of(const Counts *counts, const Codes *codes)
{
    uint64_t bits = 3 + counts->extra_bits;
    for (size_t i = 0; i < LITERALS && i < codes->literals; i++)
        bits += (uint64_t)counts->literals[i] * codes->lengths[i];
    for (size_t i = 0; i < codes->distances; i++)
        bits += (uint64_t)counts->distances[i] * codes->distance_lengths[i];
    return bits;
}

/* --- the header of a block with codes of its own --------------------------------------------------- */

/* The code lengths with runs shortened: symbols 0 to 15, 16 to 18 with a count. */
typedef struct {
    uint8_t symbols[LITERALS + DISTANCES], extras[LITERALS + DISTANCES];
    size_t count, groups;
    uint8_t lengths[19];
    uint16_t codes[19];
} Header;

static const uint8_t header_order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
static const uint8_t header_bits[19] = { [16] = 2, [17] = 3, [18] = 7 };

static void add(Header *header, unsigned symbol, size_t extra)
{
    header->symbols[header->count] = (uint8_t)symbol;
    header->extras[header->count++] = (uint8_t)extra;
}

static void add_run(Header *header, uint8_t value, size_t run)
{
    while (run > 0) {
        size_t part = 1;
        if (value == 0 && run >= 3) {
            part = run > 138 ? 138 : run;
            add(header, part > 10 ? 18 : 17, part > 10 ? part - 11 : part - 3);
        } else if (value != 0 && run >= 4) {
            part = run > 7 ? 7 : run;
            add(header, value, 0);
            add(header, 16, part - 4);
        } else
            add(header, value, 0);
        run -= part;
    }
}

static void make_header(const Codes *codes, Header *header)
{
    const size_t total = codes->literals + codes->distances;
    uint32_t frequencies[19] = { 0 };
    *header = (Header){ .groups = 19 };
    for (size_t i = 0, run; i < total; i += run) {
        for (run = 1; i + run < total && codes->lengths[i + run] == codes->lengths[i]; run++)
            continue;
        add_run(header, codes->lengths[i], run);
    }
    for (size_t i = 0; i < header->count; i++)
        frequencies[header->symbols[i]]++;
    amla_huffman_lengths(frequencies, 19, 7, header->lengths);
    amla_huffman_codes(header->lengths, 19, header->codes);
    while (header->groups > 4 && !header->lengths[header_order[header->groups - 1]])
        header->groups--;
}

static uint64_t header_cost(const Header *header)
{
    uint64_t bits = 14 + 3 * header->groups;
    for (size_t i = 0; i < header->count; i++)
        bits += header->lengths[header->symbols[i]] + header_bits[header->symbols[i]];
    return bits;
}

static void write_header(DeflateWriter *writer, const Codes *codes, const Header *header)
{
    put(writer, (uint32_t)codes->literals - 257, 5);
    put(writer, (uint32_t)codes->distances - 1, 5);
    put(writer, (uint32_t)header->groups - 4, 4);
    for (size_t i = 0; i < header->groups; i++)
        put(writer, header->lengths[header_order[i]], 3);
    for (size_t i = 0; i < header->count; i++) {
        const unsigned symbol = header->symbols[i];
        put(writer, header->codes[symbol], header->lengths[symbol]);
        put(writer, header->extras[i], header_bits[symbol]);
    }
}

/* --- blocks ------------------------------------------------------------------------------------------ */

static void write_tokens(DeflateWriter *writer, const DeflateBlock *block, const Codes *codes)
{
    for (size_t i = 0; i < block->count; i++) {
        const DeflateToken token = block->tokens[i];
        if (token >> 16 == 0) {
            put(writer, codes->literal_codes[token], codes->lengths[token]);
            continue;
        }
        const Spelled length = spell_length(token & 0xffff), distance = spell_distance(token >> 16);
        put(writer, codes->literal_codes[length.symbol], codes->lengths[length.symbol]);
        put(writer, length.extra, length.bits);
        put(writer, codes->distance_codes[distance.symbol], codes->distance_lengths[distance.symbol]);
        put(writer, distance.extra, distance.bits);
    }
    put(writer, codes->literal_codes[END], codes->lengths[END]);
}

static void write_stored(DeflateWriter *writer, const DeflateBlock *block)
{
    size_t at = 0;
    do {
        const size_t part = block->length - at > 0xffff ? 0xffff : block->length - at;
        put(writer, block->last && at + part == block->length, 3);
        deflate_flush(writer);
        put(writer, (uint32_t)part, 16);
        put(writer, (uint32_t)part ^ 0xffff, 16);
        amla_buffer_append(writer->out, block->bytes + at, part);
        at += part;
    } while (at < block->length);
}

void deflate_write_block(DeflateWriter *writer, const DeflateBlock *block)
{
    Counts counts;
    Codes own, fixed;
    Header header;
    count_tokens(block, &counts);
    own_codes(&counts, &own);
    fixed_codes(&fixed);
    make_header(&own, &header);
    const uint64_t own_cost = cost_of(&counts, &own) + header_cost(&header), fixed_cost = cost_of(&counts, &fixed);
    const uint64_t stored_cost = 8 * (uint64_t)block->length + 40 * (block->length / 0xffff + 1);
    if (stored_cost < own_cost && stored_cost < fixed_cost) {
        write_stored(writer, block);
        return;
    }
    const bool takes_fixed = fixed_cost <= own_cost;
    put(writer, (uint32_t)block->last | (takes_fixed ? 1u : 2u) << 1, 3);
    if (!takes_fixed)
        write_header(writer, &own, &header);
    write_tokens(writer, block, takes_fixed ? &fixed : &own);
}
