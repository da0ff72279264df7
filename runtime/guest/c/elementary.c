/* Functions of Math, digit for digit as V8 computes them.
 *
 * A last digit that differs is seen as soon as a script prints a number it did not
 * round. V8 uses the methods of Sun's fdlibm (see THIRD_PARTY_NOTICES); so does
 * this file where the C library computes otherwise.  Shell commands keep to the C
 * library, as those of GNU do.
 */
#include "elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* --- words of a number ----------------------------------------------------------------- */

typedef union {
    double value;
    uint64_t bits;
} Words;

static int32_t high_word(double value)
{
    return (int32_t)((Words){ .value = value }.bits >> 32);
}

static uint32_t low_word(double value)
{
    return (uint32_t)(Words){ .value = value }.bits;
}

static double with_high(double value, int32_t high)
{
    return (Words){ .bits = (uint64_t)(uint32_t)high << 32 | low_word(value) }.value;
}

/* The upper half of the digits, so that products of two such are exact. */
static double upper(double value)
{
    return (Words){ .bits = (Words){ .value = value }.bits & 0xffffffff00000000 }.value;
}

/* --- exponentials ------------------------------------------------------------------------ */

double amla_exp(double x)
{
    return x == 1 ? M_E : exp(x);
}

double amla_cosh(double x)
{
    double a = fabs(x);
    if (high_word(a) < 0x3fd62e43) { /* half of ln 2 */
        double t = expm1(a), w = 1 + t;
        return a < 0x1p-55 ? w : 1 + t * t / (w + w);
    }
    if (a >= 22)
        return cosh(x);
    double e = amla_exp(a);
    return 0.5 * e + 0.5 / e;
}

double amla_tanh(double x)
{
    double a = fabs(x), z = 1;
    if (isnan(x) || a < 0x1p-28)
        return x;
    if (a < 22) {
        double t = expm1(a >= 1 ? 2 * a : -2 * a);
        z = a >= 1 ? 1 - 2 / (t + 2) : -t / (t + 2);
    }
    return copysign(z, x);
}

/* --- logarithms ---------------------------------------------------------------------------- */

static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

static double log_near_one(double f, double k)
{
    if (f == 0)
        return k * ln2_high + k * ln2_low;
    double r = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - r : k * ln2_high - ((r - k * ln2_low) - f);
}

/* log(1 + f) + k log 2, where 1 + f lies between the roots of 1/2 and 2 and `mantissa` is its upper part. */
static double log_of_parts(double f, double k, int32_t mantissa)
{
    double s = f / (2 + f), z = s * s, w = z * z;
    double odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    double even = z * (6.666666666666735130e-01
                       + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    double r = even + odd;
    if (((mantissa - 0x6147a) | (0x6b851 - mantissa)) > 0) {
        double half = 0.5 * f * f;
        return k == 0 ? f - (half - s * (half + r)) : k * ln2_high - ((half - (s * (half + r) + k * ln2_low)) - f);
    }
    return k == 0 ? f - s * (f - r) : k * ln2_high - ((s * (f - r) - k * ln2_low) - f);
}

double amla_log(double x)
{
    int32_t k = 0;
    if (!(x > 0) || isinf(x))
        return log(x);
    if (x < 0x1p-1022) {
        k = -54;
        x *= 0x1p54;
    }
    int32_t high = high_word(x), mantissa = high & 0xfffff, carry = (mantissa + 0x95f64) & 0x100000;
    k += (high >> 20) - 1023 + (carry >> 20);
    double f = with_high(x, mantissa | (carry ^ 0x3ff00000)) - 1;
    return (0xfffff & (2 + mantissa)) < 3 ? log_near_one(f, k) : log_of_parts(f, k, mantissa);
}

double amla_log10(double x)
{
    int32_t k = 0;
    if (!(x > 0) || isinf(x) || x == 1)
        return log10(x);
    if (x < 0x1p-1022) {
        k = -54;
        x *= 0x1p54;
    }
    int32_t high = high_word(x), below;
    k += (high >> 20) - 1023;
    below = k < 0;
    double y = k + below;
    x = with_high(x, (high & 0xfffff) | (0x3ff - below) << 20);
    double z = y * 3.69423907715893078616e-13 + 4.34294481903251816668e-01 * amla_log(x);
    return z + y * 3.01029995663611771306e-01;
}

double amla_asinh(double x)
{
    double a = fabs(x), square = x * x;
    if (isnan(x) || isinf(x) || a < 0x1p-28)
        return x;
    if (a > 0x1p28)
        return copysign(amla_log(a) + 6.93147180559945286227e-01, x);
    double w = a > 2 ? amla_log(2 * a + 1 / (sqrt(square + 1) + a)) : log1p(a + square / (1 + sqrt(1 + square)));
    return copysign(w, x);
}

double amla_acosh(double x)
{
    if (!(x > 1) || isinf(x))
        return acosh(x);
    if (x >= 0x1p28)
        return amla_log(x) + 6.93147180559945286227e-01;
    if (x > 2)
        return amla_log(2 * x - 1 / (x + sqrt(x * x - 1)));
    double t = x - 1;
    return log1p(t + sqrt(2 * t + t * t));
}

/* --- sine and cosine ------------------------------------------------------------------------- */

/* What is left of an angle, as two numbers whose sum is exact, after so many quarters of a turn. */
typedef struct {
    double head, tail;
    int32_t quarters;
} Angle;

static Angle less(double rest, double low, double sign, int32_t quarters)
{
    double head = rest - low, tail = (rest - head) - low;
    return (Angle){ sign * head, sign * tail, sign < 0 ? -quarters : quarters };
}

static int32_t lost_digits(double before, double after)
{
    return (high_word(before) >> 20 & 0x7ff) - (high_word(after) >> 20 & 0x7ff);
}

/* `x` is above an eighth of a turn and below 2^19 quarters; pi/2 is taken off in up to three pieces. */
static Angle reduce(double x)
{
    static const double quarter[] = { 1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624871116645580e-21 };
    static const double beyond[] = { 6.07710050650619224932e-11, 2.02226624879595063154e-21, 8.47842766036889956997e-32 };
    double a = fabs(x), sign = x < 0 ? -1 : 1;
    int32_t high = high_word(a);
    if (high < 0x4002d97c) { /* three eighths of a turn */
        double z = a - quarter[0];
        return high == 0x3ff921fb ? less(z - quarter[1], beyond[1], sign, 1) : less(z, beyond[0], sign, 1);
    }
    int32_t n = (int32_t)(a * 6.36619772367581382433e-01 + 0.5);
    double rest = a - n * quarter[0], low = n * beyond[0];
    bool near = n >= 32 || high == high_word(n * 1.5707963267948966);
    if (near && lost_digits(a, rest - low) > 16) {
        for (int piece = 1; piece <= 2; piece++) {
            double before = rest, part = n * quarter[piece];
            rest = before - part;
            low = n * beyond[piece] - ((before - rest) - part);
            if (lost_digits(a, rest - low) <= 49)
                break;
        }
    }
    return less(rest, low, sign, n);
}

static double sine_of(double x, double tail, bool reduced)
{
    double z = x * x, v = z * x;
    double r = 8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
               + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    if (fabs(x) < 0x1p-27)
        return x;
    return reduced ? x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)
                   : x + v * (-1.66666666666666324348e-01 + z * r);
}

static double cosine_of(double x, double tail)
{
    int32_t high = high_word(fabs(x));
    double z = x * x;
    double r = z
        * (4.16666666666666019037e-02
           + z * (-1.38888888888741095749e-03
                  + z * (2.48015872894767294178e-05
                         + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
    if (fabs(x) < 0x1p-27)
        return 1;
    if (high < 0x3fd33333) /* 0.3 */
        return 1 - (0.5 * z - (z * r - x * tail));
    double q = high > 0x3fe90000 ? 0.28125 : with_high(0, high - 0x00200000);
    return (1 - q) - ((0.5 * z - q) - (z * r - x * tail));
}

static const double eighth = 0.7853981633974484, most = 0x1p19 * 1.5707963267948966;

/* sin(x + quarters pi/2); beyond `most` the C library, where rounding errors of the angle are all there is. */
static double wave(double x, int32_t shift)
{
    if (fabs(x) < eighth)
        return shift ? cosine_of(x, 0) : sine_of(x, 0, false);
    if (!(fabs(x) < most))
        return shift ? cos(x) : sin(x);
    Angle angle = reduce(x);
    int32_t turn = (angle.quarters + shift) & 3;
    double value = turn & 1 ? cosine_of(angle.head, angle.tail) : sine_of(angle.head, angle.tail, true);
    return turn & 2 ? -value : value;
}

double amla_sin(double x)
{
    return wave(x, 0);
}

double amla_cos(double x)
{
    return wave(x, 1);
}

/* --- powers ----------------------------------------------------------------------------------- */

/* A number as a sum whose first part has few digits. */
typedef struct {
    double head, tail;
} Pair;

static const double ln2 = 6.93147180559945286227e-01;

/* log2 of a number so near to 1 that a few terms do. */
static Pair log2_near_one(double x)
{
    static const double inverse = 1.44269504088896338700e+00;
    static const double inverse_high = 1.44269502162933349609e+00, inverse_low = 1.92596299112661746887e-08;
    double t = x - 1, w = t * t * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
    double u = inverse_high * t, v = t * inverse_low - w * inverse, head = upper(u + v);
    return (Pair){ head, v - (head - u) };
}

/* log2 of the mantissa around 1 or 1.5 (`near`), divided by 2 / (3 ln 2). */
static Pair log2_of_mantissa(double x, int near)
{
    double base = near ? 1.5 : 1;
    double u = x - base, v = 1 / (x + base), s = u * v, s_head = upper(s);
    double t_head = with_high(0, ((high_word(x) >> 1) | 0x20000000) + 0x00080000 + (near << 18));
    double s_tail = v * ((u - s_head * t_head) - s_head * (x - (t_head - base)));
    double square = s * s;
    double r = square * square
        * (5.99999999999994648725e-01
           + square * (4.28571428578550184252e-01
                       + square * (3.33333329818377432918e-01
                                   + square * (2.72728123808534006489e-01
                                               + square * (2.30660745775561754067e-01 + square * 2.06975017800338417784e-01)))));
    r += s_tail * (s_head + s);
    square = s_head * s_head;
    t_head = upper(3 + square + r);
    double t_tail = r - ((t_head - 3) - square);
    u = s_head * t_head;
    v = s_tail * t_head + t_tail * s;
    double head = upper(u + v);
    return (Pair){ head, v - (head - u) };
}

static Pair log2_of(double x)
{
    static const double cp = 9.61796693925975554329e-01, cp_high = 9.61796700954437255859e-01, cp_low = -7.02846165095275826516e-09;
    static const double base_high[] = { 0, 5.84962487220764160156e-01 }, base_low[] = { 0, 1.35003920212974897128e-08 };
    int32_t n = 0, near = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p53;
        n = -53;
    }
    int32_t high = high_word(x), mantissa = high & 0xfffff;
    n += (high >> 20) - 0x3ff;
    high = mantissa | 0x3ff00000;
    if (mantissa > 0x3988e && mantissa < 0xbb67a)
        near = 1;
    else if (mantissa >= 0xbb67a) {
        n += 1;
        high -= 0x00100000;
    }
    Pair part = log2_of_mantissa(with_high(x, high), near);
    double z_head = cp_high * part.head, z_tail = cp_low * part.head + part.tail * cp + base_low[near];
    double head = upper(((z_head + z_tail) + base_high[near]) + n);
    return (Pair){ head, z_tail - (((head - n) - base_high[near]) - z_head) };
}

/* 2 to the power of `head + tail`, which is within what a double holds. */
static double exp2_of(double head, double tail)
{
    double z = head + tail;
    int32_t high = high_word(z), exponent = ((high & 0x7fffffff) >> 20) - 0x3ff, n = 0;
    if ((high & 0x7fffffff) > 0x3fe00000) {
        n = high + (0x00100000 >> (exponent + 1));
        exponent = ((n & 0x7fffffff) >> 20) - 0x3ff;
        double whole = with_high(0, n & ~(0x000fffff >> exponent));
        n = ((n & 0x000fffff) | 0x00100000) >> (20 - exponent);
        n = high < 0 ? -n : n;
        head -= whole;
    }
    double t = upper(tail + head), u = t * 6.93147182464599609375e-01;
    double v = (tail - (t - head)) * ln2 + t * -1.90465429995776804525e-09;
    z = u + v;
    double w = v - (z - u);
    t = z * z;
    double near = z
        - t * (1.66666666666666019037e-01
               + t * (-2.77777777770155933842e-03
                      + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    z = 1 - (z * near / ((near - 2) - (w + z * w)) - z); /* fdlibm subtracts w + zw from the quotient; V8 does not */
    return scalbn(z, n);
}

/* Neither number is zero, infinite or NaN, and `x` is no power that the C library gets exactly. */
static double power_of(double x, double y)
{
    double a = fabs(x), sign = x < 0 && fmod(y, 2) != 0 ? -1 : 1;
    if (fabs(y) > 0x1p31 && (a < 0x1.fffffp-1 || a >= 0x1.00001p0))
        return sign * pow(a, y);
    Pair log2 = fabs(y) > 0x1p31 ? log2_near_one(a) : log2_of(a);
    double y_head = upper(y);
    double tail = (y - y_head) * log2.head + y * log2.tail, head = y_head * log2.head, z = head + tail;
    bool over = z > 1024 || (z == 1024 && tail + 8.0085662595372944372e-17 > z - head);
    bool under = z < -1075 || (z == -1075 && tail <= z - head);
    if (over || under)
        return sign * (over ? HUGE_VAL : 0);
    return sign * exp2_of(head, tail);
}

double amla_pow(double x, double y)
{
    if (y == 2)
        return x * x;
    if (y == 1)
        return x;
    if (y == -1)
        return 1 / x;
    if (y == 0.5 && x >= 0)
        return sqrt(x);
    bool plain = isfinite(x) && isfinite(y) && x != 0 && y != 0 && fabs(x) != 1 && (x > 0 || y == trunc(y));
    return plain ? power_of(x, y) : pow(x, y);
}

/* --- hypotenuse ---------------------------------------------------------------------------------- */

/* Kahan's sum of squares, each a fraction of the greatest; `values` are finite and not all zero. */
double amla_hypot(const double *values, size_t count, double greatest)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < count; i++) {
        double fraction = fabs(values[i]) / greatest;
        double term = fraction * fraction - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sqrt(sum) * greatest;
}
