"""Our corrections to QuickJS's Date: what they are for is in ``fixes``."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_DATE"]

_ZONE = "the local time of Date is that of the run's zone"

_DATE_TEXT = "Date takes the texts for dates that V8 takes, and no others"

QUICKJS_DATE: list[Fix | Swap] = [
    Fix(
        "quickjs.c",
        "static JSValue JS_ThrowTypeErrorRevokedProxy(JSContext *ctx);\n",
        "double amla_zone_offset(double time, bool local);\nconst char *amla_zone_name(double time);\n",
        _ZONE,
    ),
    Swap(
        "quickjs.c",
        "            tz = -getTimezoneOffset(d);\n            d += tz * 60000;\n",
        "            double offset = amla_zone_offset(d, false);\n"
        "            tz = (int)(offset / 60000);\n"
        "            d += offset;\n",
        1,
        _ZONE,
    ),
    Swap("quickjs.c", "tv += getTimezoneOffset(ti) * 60000;", "tv -= amla_zone_offset(ti, true);", 1, _ZONE),
    Swap(
        "quickjs.c",
        "return js_int64(getTimezoneOffset((int64_t)trunc(v)));",
        "return js_number(0 - trunc(amla_zone_offset(trunc(v), false) / 60000));",
        1,
        _ZONE,
    ),
    Swap(
        "quickjs.c",
        "    char buf[64];\n    double fields[9];\n    int res, fmt, part, pos;\n",
        "    char buf[160];\n    double fields[9];\n    int res, fmt, part, pos;\n",
        1,
        _ZONE,
    ),
    Fix(
        "quickjs.c",
        "            /* XXX: tack the time zone code? */\n",
        """
            double moment;
            if (JS_ThisTimeValue(ctx, &moment, this_val))
                return JS_EXCEPTION;
            const char *zone = amla_zone_name(moment);
            if (*zone)
                pos += snprintf(buf + pos, sizeof(buf) - pos, " (%s)", zone);
            else
                pos += snprintf(buf + pos, sizeof(buf) - pos, " (GMT%c%02d:%02d)",
                                fields[8] < 0 ? '-' : '+', tz / 60, tz % 60);
""",
        "Date.prototype.toString names the zone",
    ),
    Swap(
        "quickjs.c",
        "    if (!res)\n        return JS_NAN;\n\n    if (argc > 0)\n        d = set_date_fields(fields, is_local);",
        "    if (res && argc > 0)\n        d = set_date_fields(fields, is_local);",
        1,
        "a field that is set to NaN makes the date invalid",
    ),
    Swap("quickjs.c", "string_skip_char(sp, &p, 'T')", "to_upper_ascii(sp[p]) == 'T' && ++p", 1, _DATE_TEXT),
    Swap("quickjs.c", "sgn != 'Z'", "to_upper_ascii(sgn) != 'Z'", 1, _DATE_TEXT),
    Swap(
        "quickjs.c",
        "            if (string_skip_char(sp, &p, ':')  /* optional separator */\n",
        "            if (strict && sp[p] != ':')\n                return false;\n"
        "            if (string_skip_char(sp, &p, ':')  /* optional separator */\n",
        1,
        _DATE_TEXT,
    ),
    Swap(
        "quickjs.c",
        "if (c == '.' || c == ',') {\n        p++;\n        p_start",
        "if (c == '.') {\n        p++;\n        p_start",
        1,
        _DATE_TEXT,
    ),
    Swap(
        "quickjs.c",
        "                    string_get_milliseconds(sp, &p, &fields[6]);\n                } else\n"
        "                if (sp[p] != '\\0' && sp[p] != ' ')\n                    return false;\n",
        "                    string_get_milliseconds(sp, &p, &fields[6]);\n                }\n"
        '                if (sp[p] && !strchr(" +-Zz", sp[p]))\n                    return false;\n'
        "                has_time = true;\n                continue;\n",
        1,
        _DATE_TEXT,
    ),
    Swap(
        "quickjs.c",
        "                if (val < 1 || val > 31) {\n                    fields[0]",
        "                if (val < 1 || val > 31) {\n"
        "                    if (has_year)\n                        return false;\n"
        "                    fields[0]",
        1,
        _DATE_TEXT,
    ),
    Swap(
        "quickjs.c",
        "                if (p - p_start > 2) {\n                    fields[0]",
        "                if (p - p_start > 2) {\n"
        "                    if (has_year)\n                        return false;\n"
        "                    fields[0]",
        1,
        _DATE_TEXT,
    ),
]
