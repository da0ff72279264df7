#include "sides.h"

#include "utf8.h"

void rx_sides_init(RxSides *sides, const RxSet *words, uint8_t line_end)
{
    sides->words = words;
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool letter = (byte | 32) - 'a' < 26u || byte - '0' < 10u || byte == '_';
        sides->of[byte] = byte >= 0x80 && words ? RX_SIDES : letter ? RX_WORDLIKE : RX_OTHER;
    }
    sides->of[line_end] = RX_LINE;
}

static RxSide look(const RxSides *sides, RxText text, size_t at)
{
    size_t end;
    uint32_t c;
    const size_t start = rx_character_around(text.bytes, text.length, at, &end);
    rx_decode(text.bytes + start, end - start, &c);
    const bool word = rx_set_has(sides->words, c);
    if (start < at)
        return word ? RX_MID_WORDLIKE : RX_MID_OTHER;
    return word ? RX_WORDLIKE : RX_OTHER;
}

RxSide rx_side(const RxSides *sides, RxText text, size_t at)
{
    if (at >= text.length)
        return RX_EDGE; /* also before the start: SIZE_MAX */
    const RxSide side = sides->of[text.bytes[at]];
    return side == RX_SIDES ? look(sides, text, at) : side;
}

bool rx_assert_holds(RxAssert kind, RxSide left, RxSide right)
{
    const bool before = left == RX_WORDLIKE || left == RX_MID_WORDLIKE;
    const bool after = right == RX_WORDLIKE || right == RX_MID_WORDLIKE;
    const bool inside = right == RX_MID_OTHER || right == RX_MID_WORDLIKE;
    if (left >= RX_NOWHERE)
        return left == RX_ANYWHERE;
    switch (kind) {
    case RX_TEXT_START: return left == RX_EDGE;
    case RX_TEXT_END: return right == RX_EDGE;
    case RX_LINE_START: return left == RX_EDGE || left == RX_LINE;
    case RX_LINE_END: return right == RX_EDGE || right == RX_LINE;
    case RX_WORD_START: return !before && after;
    case RX_WORD_END: return before && !after;
    case RX_WORD_EDGE: return before != after;
    case RX_NO_WORD_EDGE: return before == after && !inside;
    case RX_NO_WORD_BEFORE: return !before && !inside;
    case RX_NO_WORD_AFTER: return !after && !inside;
    case RX_TEXT_END_LINE: break; /* needs more than a side: the backtracker knows */
    }
    return right == RX_EDGE;
}
