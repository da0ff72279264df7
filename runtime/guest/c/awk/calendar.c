#include "calendar.h"

#include <stdbool.h>
#include <stdio.h>

enum { DAY = 86400, LENGTH_MAX = 4096 };

typedef struct {
    int64_t year;
    int month, day, hour, minute, second, weekday, yearday; /* month, yearday from 0 */
} Moment;

/* Days since 1970 of a date; `month` from 1, `year` any. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 1 - 719468;
}

double awk_seconds_of(long year, long month, long day, long hour, long minute, long second)
{
    int64_t months = (int64_t)year * 12 + month - 1;
    const int64_t whole = (months >= 0 ? months : months - 11) / 12;
    months -= whole * 12;
    return (double)days_of(whole, months + 1, 1) * DAY + ((double)day - 1) * DAY + (double)hour * 3600 +
           (double)minute * 60 + (double)second;
}

static Moment moment_of(int64_t seconds)
{
    const int64_t days = (seconds >= 0 ? seconds : seconds - (DAY - 1)) / DAY, rest = seconds - days * DAY;
    const int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100), part = (5 * of_year + 2) / 153;
    Moment m = { .hour = (int)(rest / 3600), .minute = (int)(rest / 60 % 60), .second = (int)(rest % 60) };
    m.day = (int)(of_year - (153 * part + 2) / 5 + 1);
    m.month = (int)(part < 10 ? part + 2 : part - 10);
    m.year = year + era * 400 + (m.month < 2);
    m.weekday = (int)(((days + 4) % 7 + 7) % 7);
    m.yearday = (int)(days - days_of(m.year, 1, 1));
    return m;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The week of ISO 8601, and the year that it belongs to. */
static int iso_week(const Moment *m, int64_t *year)
{
    const int weekday = (m->weekday + 6) % 7;
    int week = (m->yearday - weekday + 10) / 7;
    *year = m->year;
    if (week < 1) {
        --*year;
        const int last = (weekday - m->yearday % 7 + 7 + 7) % 7; /* weekday of January 1st */
        week = last == 4 || (last == 5 && is_leap(*year)) ? 53 : 52;
        if (last == 5 && !is_leap(*year))
            week = 52;
        if (last == 4)
            week = 53;
    } else if (week == 53) {
        const int next = (weekday + (is_leap(m->year) ? 366 : 365) - m->yearday) % 7; /* weekday of next January 1st */
        if (next <= 3) {
            week = 1;
            ++*year;
        }
    }
    return week;
}

static const char *const weekdays[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const months[] = { "January", "February", "March",     "April",   "May",      "June",
                                      "July",    "August",   "September", "October", "November", "December" };

/* One conversion: `%`, a flag (- _ 0 ^), a width, a letter. */
typedef struct {
    const Moment *m;
    int64_t seconds;
    int offset; /* of local time, in seconds */
    const char *zone;
    AmlaBuffer *out;
    char flag;
    int width;
} Formatter;

static void put_text(Formatter *f, const char *text, size_t length)
{
    for (int i = (int)length; i < f->width; i++)
        amla_buffer_put(f->out, f->flag == '0' ? '0' : ' ');
    for (size_t i = 0; i < length; i++) {
        const bool lower = text[i] >= 'a' && text[i] <= 'z';
        amla_buffer_put(f->out, (uint8_t)(f->flag == '^' && lower ? text[i] - 32 : text[i]));
    }
}

static void put_number(Formatter *f, int64_t number, int width, char fill)
{
    char text[32];
    width = f->width ? f->width : f->flag == '-' ? 0 : width;
    fill = f->flag == '_' ? ' ' : f->flag == '0' ? '0' : fill;
    if (width > 30)
        width = 30;
    const int length = fill == '0' ? snprintf(text, sizeof text, "%0*lld", width, (long long)number)
                                   : snprintf(text, sizeof text, "%*lld", width, (long long)number);
    amla_buffer_append(f->out, text, (size_t)length);
}

static void put_format(const Formatter *f, const char *format)
{
    awk_format_time(format, strlen(format), f->seconds, f->offset, f->zone, f->out);
}

static void put_name(Formatter *f, const char *name, bool whole)
{
    put_text(f, name, whole ? strlen(name) : 3);
}

/* False for a letter that is no conversion. */
static bool put_date(Formatter *f, char letter)
{
    const Moment *m = f->m;
    int64_t year;
    const int week = iso_week(m, &year);
    switch (letter) {
    case 'a': put_name(f, weekdays[m->weekday], false); break;
    case 'A': put_name(f, weekdays[m->weekday], true); break;
    case 'b': case 'h': put_name(f, months[m->month], false); break;
    case 'B': put_name(f, months[m->month], true); break;
    case 'C': put_number(f, m->year / 100, 2, '0'); break;
    case 'd': put_number(f, m->day, 2, '0'); break;
    case 'e': put_number(f, m->day, 2, ' '); break;
    case 'g': put_number(f, year % 100, 2, '0'); break;
    case 'G': put_number(f, year, 4, '0'); break;
    case 'j': put_number(f, m->yearday + 1, 3, '0'); break;
    case 'm': put_number(f, m->month + 1, 2, '0'); break;
    case 'u': put_number(f, m->weekday ? m->weekday : 7, 1, '0'); break;
    case 'U': put_number(f, (m->yearday + 7 - m->weekday) / 7, 2, '0'); break;
    case 'V': put_number(f, week, 2, '0'); break;
    case 'w': put_number(f, m->weekday, 1, '0'); break;
    case 'W': put_number(f, (m->yearday + 7 - (m->weekday + 6) % 7) / 7, 2, '0'); break;
    case 'y': put_number(f, (m->year % 100 + 100) % 100, 2, '0'); break;
    case 'Y': put_number(f, m->year, 1, '0'); break;
    case 'c': put_format(f, "%a %b %e %H:%M:%S %Y"); break;
    case 'D': case 'x': put_format(f, "%m/%d/%y"); break;
    case 'F': put_format(f, "%Y-%m-%d"); break;
    default: return false;
    }
    return true;
}

static void put_offset(Formatter *f)
{
    char text[16];
    const int minutes = (f->offset < 0 ? -f->offset : f->offset) / 60 % 6000;
    const int length = snprintf(text, sizeof text, "%c%02d%02d", f->offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
    amla_buffer_append(f->out, text, (size_t)length);
}

static bool put_time(Formatter *f, char letter)
{
    const Moment *m = f->m;
    const int hour = m->hour % 12 ? m->hour % 12 : 12;
    switch (letter) {
    case 'H': put_number(f, m->hour, 2, '0'); break;
    case 'I': put_number(f, hour, 2, '0'); break;
    case 'k': put_number(f, m->hour, 2, ' '); break;
    case 'l': put_number(f, hour, 2, ' '); break;
    case 'M': put_number(f, m->minute, 2, '0'); break;
    case 'p': put_text(f, m->hour < 12 ? "AM" : "PM", 2); break;
    case 'P': put_text(f, m->hour < 12 ? "am" : "pm", 2); break;
    case 'r': put_format(f, "%I:%M:%S %p"); break;
    case 'R': put_format(f, "%H:%M"); break;
    case 's': put_number(f, f->seconds, 1, '0'); break;
    case 'S': put_number(f, m->second, 2, '0'); break;
    case 'T': case 'X': put_format(f, "%H:%M:%S"); break;
    case 'z': put_offset(f); break;
    case 'Z': put_text(f, f->zone, strlen(f->zone)); break;
    case 'n': amla_buffer_put(f->out, '\n'); break;
    case 't': amla_buffer_put(f->out, '\t'); break;
    case '%': amla_buffer_put(f->out, '%'); break;
    default: return false;
    }
    return true;
}

/* Reads flag, width and letter behind a `%`; returns the place behind them. */
static size_t convert(Formatter *f, const char *format, size_t length, size_t at)
{
    const size_t start = at++;
    f->flag = 0;
    f->width = 0;
    while (at < length && strchr("-_0^#", format[at]) && format[at])
        f->flag = format[at++];
    for (; at < length && format[at] >= '0' && format[at] <= '9'; at++)
        f->width = f->width < LENGTH_MAX / 10 ? f->width * 10 + (format[at] - '0') : f->width;
    while (at < length && (format[at] == 'E' || format[at] == 'O'))
        at++;
    if (at < length && (put_date(f, format[at]) || put_time(f, format[at])))
        return at + 1;
    const size_t end = at < length ? at + 1 : length;
    amla_buffer_append(f->out, format + start, end - start);
    return end;
}

void awk_format_time(const char *format, size_t length, int64_t seconds, int offset, const char *zone, AmlaBuffer *out)
{
    const Moment moment = moment_of(seconds + offset);
    Formatter f = { .m = &moment, .seconds = seconds, .offset = offset, .zone = zone, .out = out };
    for (size_t at = 0; at < length;) {
        if (format[at] == '%')
            at = convert(&f, format, length, at);
        else
            amla_buffer_put(out, (uint8_t)format[at++]);
    }
}
