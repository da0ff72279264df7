/* Numbers below 2^53 in other bases than ten, digit for digit as V8 writes them: as many digits behind the point as tell
 * a number from the next one.  Included by engine.c alone. */
#define RADIX_BEFORE 64 /* digits in base two */
#define RADIX_BEHIND 1100

static void radix_round_up(char *digits, int *count, double *whole, int radix)
{
    static const char names[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    while (*count) {
        char *last = &digits[--*count];
        int digit = (int)(strchr(names, *last) - names);
        if (digit + 1 < radix) {
            *last = names[digit + 1];
            ++*count;
            return;
        }
    }
    *whole += 1;
}

/* The digits behind the point; `whole` becomes the next number where they round up to it. */
static int radix_fraction(char *digits, double value, double *whole, int radix)
{
    double fraction = value - *whole, error = fmax(0.5 * (nextafter(value, INFINITY) - value), nextafter(0, 1));
    int count = 0;
    while (fraction >= error) {
        fraction *= radix;
        error *= radix;
        int digit = (int)fraction;
        digits[count++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        fraction -= digit;
        bool upper = fraction > 0.5 || (fraction == 0.5 && digit % 2);
        if (upper && fraction + error > 1) {
            radix_round_up(digits, &count, whole, radix);
            break;
        }
    }
    return count;
}

/* Writes before `end`; returns where the digits begin. */
static char *radix_whole(char *end, double whole, int radix)
{
    do {
        double digit = fmod(whole, radix);
        *--end = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        whole = (whole - digit) / radix;
    } while (whole > 0);
    return end;
}

static JSValue amla_radix_text(JSContext *ctx, double value, int radix)
{
    char text[RADIX_BEFORE + 1 + RADIX_BEHIND], *point = text + RADIX_BEFORE;
    double size = fabs(value), whole = floor(size);
    int count = radix_fraction(point + 1, size, &whole, radix);
    *point = '.';
    char *start = radix_whole(point, whole, radix);
    if (value < 0)
        *--start = '-';
    return js_new_string8_len(ctx, start, (int)(point - start) + (count ? count + 1 : 0));
}
