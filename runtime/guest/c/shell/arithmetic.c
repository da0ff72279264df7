#include "arithmetic.h"

/* Beyond this a double does not hold every integer. */
static const int64_t SAFE = ((int64_t)1 << 53) - 1;

static bool is_safe(int64_t value)
{
    return value >= -SAFE && value <= SAFE;
}

static int64_t wrapped(uint64_t value)
{
    return (int64_t)value;
}

static int64_t power(int64_t base, int64_t exponent)
{
    uint64_t result = 1, factor = (uint64_t)base;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result *= factor;
        factor *= factor;
    }
    return wrapped(result);
}

/* False where it is an error. */
static bool divided(AmlaOperation operation, int64_t left, int64_t right, int64_t *result)
{
    if (right == 0 || (right == -1 && left == INT64_MIN))
        return false;
    *result = operation == AMLA_DIVIDE ? left / right : left % right;
    return true;
}

static bool operate(AmlaOperation operation, int64_t left, int64_t right, int64_t *result)
{
    const uint64_t a = (uint64_t)left, b = (uint64_t)right;
    switch (operation) {
    case AMLA_ADD: *result = wrapped(a + b); return true;
    case AMLA_SUBTRACT: *result = wrapped(a - b); return true;
    case AMLA_MULTIPLY: *result = wrapped(a * b); return true;
    case AMLA_DIVIDE:
    case AMLA_REMAINDER: return divided(operation, left, right, result);
    case AMLA_POWER: *result = power(left, right); return right >= 0;
    case AMLA_SHIFT_LEFT: *result = wrapped(a << (b & 63)); return true;
    case AMLA_SHIFT_RIGHT: *result = left >> (b & 63); return true;
    case AMLA_AND: *result = left & right; return true;
    case AMLA_OR: *result = left | right; return true;
    case AMLA_XOR: *result = left ^ right; return true;
    case AMLA_LESS: *result = left < right; return true;
    case AMLA_GREATER: *result = left > right; return true;
    case AMLA_LESS_OR_EQUAL: *result = left <= right; return true;
    case AMLA_GREATER_OR_EQUAL: *result = left >= right; return true;
    case AMLA_EQUAL: *result = left == right; return true;
    case AMLA_UNEQUAL: *result = left != right; return true;
    default: return false;
    }
}

bool amla_arithmetic_run(const AmlaInstruction *code, size_t count, const int64_t *constants, int64_t *registers,
                         int64_t *result)
{
    int64_t stack[AMLA_INSTRUCTIONS_MOST + 1];
    int64_t *top = stack; /* the last pushed; stack[0] is below all */
    for (size_t at = 0; at < count; at++) {
        const uint8_t argument = code[at].argument;
        switch (code[at].operation) {
        case AMLA_PUSH: *++top = constants[argument]; break;
        case AMLA_LOAD: *++top = registers[argument]; break;
        case AMLA_STORE:
            if (!is_safe(*top))
                return false;
            registers[argument] = *top;
            break;
        case AMLA_DROP: top--; break;
        case AMLA_JUMP: at = argument - 1u; break;
        case AMLA_JUMP_IF_ZERO:
            if (*top-- == 0)
                at = argument - 1u;
            break;
        case AMLA_NEGATE: *top = wrapped(0 - (uint64_t)*top); break;
        case AMLA_COMPLEMENT: *top = ~*top; break;
        case AMLA_NOT: *top = *top == 0; break;
        default:
            top--;
            if (!operate(code[at].operation, top[0], top[1], top))
                return false;
        }
    }
    *result = *top;
    return top == stack + 1 && is_safe(*result);
}
