#include "base_codec.h"

static const char hex_digits[] = "0123456789abcdef";
static const char standard_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void amla_hex_encode(const uint8_t *bytes, size_t length, char *out)
{
    for (size_t at = 0; at < length; at++) {
        *out++ = hex_digits[bytes[at] >> 4];
        *out++ = hex_digits[bytes[at] & 15];
    }
}

static int hex_value(uint8_t digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    digit |= 0x20;
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

size_t amla_hex_decode(const char *text, size_t length, uint8_t *out)
{
    size_t written = 0;
    for (size_t at = 0; at + 1 < length; at += 2) {
        int high = hex_value((uint8_t)text[at]);
        int low = hex_value((uint8_t)text[at + 1]);
        if (high < 0 || low < 0)
            break;
        out[written++] = (uint8_t)(high << 4 | low);
    }
    return written;
}

size_t amla_base64_encoded_size(size_t length, bool url)
{
    return url ? length / 3 * 4 + (length % 3 ? length % 3 + 1 : 0) : (length + 2) / 3 * 4;
}

size_t amla_base64_encode(const uint8_t *bytes, size_t length, bool url, char *out)
{
    const char *alphabet = url ? url_alphabet : standard_alphabet;
    char *start = out;
    size_t at = 0;
    for (; at + 2 < length; at += 3) {
        uint32_t group = (uint32_t)bytes[at] << 16 | (uint32_t)bytes[at + 1] << 8 | bytes[at + 2];
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        *out++ = alphabet[group >> 6 & 63];
        *out++ = alphabet[group & 63];
    }
    size_t left = length - at;
    if (left > 0) {
        uint32_t group = (uint32_t)bytes[at] << 16 | (left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0);
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        if (left > 1)
            *out++ = alphabet[group >> 6 & 63];
        for (size_t pad = left; pad < 3 && !url; pad++)
            *out++ = '=';
    }
    return (size_t)(out - start);
}

static int base64_value(uint8_t digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    if (digit == '+' || digit == '-')
        return 62;
    return digit == '/' || digit == '_' ? 63 : -1;
}

size_t amla_base64_decode(const char *text, size_t length, uint8_t *out)
{
    uint32_t group = 0;
    unsigned bits = 0;
    size_t written = 0;
    for (size_t at = 0; at < length && text[at] != '='; at++) {
        int value = base64_value((uint8_t)text[at]);
        if (value < 0)
            continue;
        group = group << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[written++] = (uint8_t)(group >> bits);
        }
    }
    return written;
}
