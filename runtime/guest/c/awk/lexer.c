#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "builtins.h"
#include "error.h"
#include "escape.h"
#include "number.h"
#include "token.h"
#include "vm.h"

typedef struct {
    const char *spelling;
    AwkTokenKind kind;
} Spelling;

/* The longer first. */
static const Spelling operators[] = {
    { "**=", TOKEN_POWER_ASSIGN }, { "&&", TOKEN_AND },           { "||", TOKEN_OR },
    { "++", TOKEN_INCREMENT },     { "--", TOKEN_DECREMENT },     { "==", TOKEN_EQUAL },
    { "!=", TOKEN_NOT_EQUAL },     { "<=", TOKEN_LESS_EQUAL },    { ">=", TOKEN_GREATER_EQUAL },
    { ">>", TOKEN_APPEND },        { "!~", TOKEN_NO_MATCH },      { "+=", TOKEN_PLUS_ASSIGN },
    { "-=", TOKEN_MINUS_ASSIGN },  { "*=", TOKEN_TIMES_ASSIGN },  { "/=", TOKEN_SLASH_ASSIGN },
    { "%=", TOKEN_PERCENT_ASSIGN },{ "^=", TOKEN_POWER_ASSIGN },  { "**", TOKEN_POWER },
    { "|&", TOKEN_PIPE_BOTH },     { "{", TOKEN_BEGIN_BRACE },    { "}", TOKEN_END_BRACE },
    { "(", TOKEN_BEGIN_PAREN },    { ")", TOKEN_END_PAREN },      { "[", TOKEN_BEGIN_BRACKET },
    { "]", TOKEN_END_BRACKET },    { ";", TOKEN_SEMICOLON },      { ",", TOKEN_COMMA },
    { "?", TOKEN_QUESTION },       { ":", TOKEN_COLON },          { "$", TOKEN_DOLLAR },
    { "@", TOKEN_AT },             { "+", TOKEN_PLUS },           { "-", TOKEN_MINUS },
    { "*", TOKEN_TIMES },          { "/", TOKEN_SLASH },          { "%", TOKEN_PERCENT },
    { "^", TOKEN_POWER },          { "!", TOKEN_NOT },            { "~", TOKEN_MATCH },
    { "<", TOKEN_LESS },           { ">", TOKEN_GREATER },        { "=", TOKEN_ASSIGN },
    { "|", TOKEN_PIPE },           { "\n", TOKEN_NEWLINE },
};

static const Spelling keywords[] = {
    { "BEGIN", TOKEN_KEYWORD_BEGIN }, { "END", TOKEN_KEYWORD_END },   { "BEGINFILE", TOKEN_BEGINFILE },
    { "ENDFILE", TOKEN_ENDFILE },     { "function", TOKEN_FUNCTION }, { "func", TOKEN_FUNCTION },
    { "if", TOKEN_IF },               { "else", TOKEN_ELSE },         { "while", TOKEN_WHILE },
    { "for", TOKEN_FOR },             { "do", TOKEN_DO },             { "break", TOKEN_BREAK },
    { "continue", TOKEN_CONTINUE },   { "next", TOKEN_NEXT },         { "nextfile", TOKEN_NEXTFILE },
    { "exit", TOKEN_EXIT },           { "return", TOKEN_RETURN },     { "delete", TOKEN_DELETE },
    { "in", TOKEN_IN },               { "getline", TOKEN_GETLINE },   { "print", TOKEN_PRINT },
    { "printf", TOKEN_PRINTF },       { "switch", TOKEN_SWITCH },     { "case", TOKEN_CASE },
    { "default", TOKEN_DEFAULT },
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_part(char c)
{
    return c == '_' || is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

enum { MESSAGE_MAX = 512 };

static const char *source_name(const AwkLexer *lexer)
{
    const AwkText *name = lexer->vm->program.sources[lexer->source].name;
    return name ? name->bytes : "cmd. line";
}

void awk_lex_fault(AwkLexer *lexer, const char *place, uint32_t line, const char *message)
{
    if (lexer->failed)
        return;
    lexer->failed = true;
    const AwkSource *source = &lexer->vm->program.sources[lexer->source];
    const char *name = source_name(lexer), *start = place;
    while (start > source->text && start[-1] != '\n')
        start--;
    const size_t length = strcspn(start, "\n");
    awk_error_print(lexer->vm, "awk: %s:%u: %.*s\n", name, line, (int)(length < 3000 ? length : 3000), start);
    awk_error_print(lexer->vm, "awk: %s:%u: %*s^ %s\n", name, line, (int)(place - start < 500 ? place - start : 500), "",
                    message);
}

void awk_lex_error(AwkLexer *lexer, uint32_t line, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    if (lexer->failed)
        return;
    lexer->failed = true;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    awk_error_print(lexer->vm, "awk: %s:%u: error: %s\n", source_name(lexer), line, message);
}

/* How long the newline is that a backslash joins the next line by; 0 if the backslash is before anything else. */
static size_t joined_newline(const char *slash)
{
    if (slash[0] != '\\')
        return 0;
    return slash[1] == '\n' ? 1 : slash[1] == '\r' && slash[2] == '\n' ? 2 : 0;
}

/* Blanks, comments, and newlines behind a backslash. */
static void skip_blanks(AwkLexer *lexer)
{
    for (; lexer->at < lexer->end; lexer->at++) {
        const char *at = lexer->at;
        const size_t joined = joined_newline(at);
        if (joined) {
            lexer->at += joined;
            lexer->line++;
        } else if (*at == '#') {
            while (lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
                lexer->at++;
        } else if (*at != ' ' && *at != '\t' && *at != '\r') {
            return;
        }
    }
}

static AwkToken token(const AwkLexer *lexer, AwkTokenKind kind, size_t length)
{
    return (AwkToken){ .kind = kind, .start = lexer->at, .length = length, .line = lexer->line };
}

static AwkToken take(AwkLexer *lexer, AwkToken token)
{
    lexer->at += token.length;
    return token;
}

static AwkToken fault(AwkLexer *lexer, const char *place, const char *message)
{
    awk_lex_fault(lexer, place, lexer->line, message);
    return (AwkToken){ .kind = TOKEN_FAULT, .start = place, .line = lexer->line };
}

static AwkToken lex_word(AwkLexer *lexer)
{
    size_t length = 1;
    while (lexer->at + length < lexer->end && is_name_part(lexer->at[length]))
        length++;
    AwkToken word = token(lexer, TOKEN_NAME, length);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].spelling) == length && !memcmp(keywords[i].spelling, word.start, length))
            word.kind = keywords[i].kind;
    if (word.kind == TOKEN_NAME && awk_builtin_find(word.start, length, &word.builtin))
        word.kind = TOKEN_BUILTIN;
    if (word.kind == TOKEN_NAME && word.start + length < lexer->end && word.start[length] == '(')
        word.kind = TOKEN_FUNCTION_NAME;
    return take(lexer, word);
}

/* Hexadecimal and octal numbers are numbers in a program, though not in data. */
static bool lex_integer(AwkLexer *lexer, AwkToken *number)
{
    const char *at = lexer->at;
    const bool hexadecimal = at[0] == '0' && (at[1] | 0x20) == 'x';
    char *end;
    size_t digits = 1;
    while (is_digit(at[digits]) && at[digits] < '8')
        digits++;
    const bool octal = at[0] == '0' && digits > 1 && !is_digit(at[digits]) && at[digits] != '.' && (at[digits] | 0x20) != 'e';
    if (!hexadecimal && !octal)
        return false;
    number->number = (double)strtoull(at, &end, hexadecimal ? 16 : 8);
    number->length = (size_t)(end - at);
    return number->length > (hexadecimal ? 2 : 0);
}

static AwkToken lex_number(AwkLexer *lexer)
{
    AwkToken number = token(lexer, TOKEN_NUMBER, 0);
    if (!lex_integer(lexer, &number))
        number.number = awk_parse_number(lexer->at, (size_t)(lexer->end - lexer->at), &number.length);
    return take(lexer, number);
}

static AwkToken lex_string(AwkLexer *lexer)
{
    AwkToken string = token(lexer, TOKEN_STRING, 0);
    const char *at = lexer->at + 1;
    char place[256];
    uint32_t lines = 0;
    for (; at < lexer->end && *at != '"'; at++) {
        if (*at == '\n')
            return fault(lexer, string.start, "unterminated string");
        lines += joined_newline(at) > 0;
        if (*at == '\\' && at + 1 < lexer->end)
            at += joined_newline(at) ? joined_newline(at) : 1;
    }
    if (at >= lexer->end)
        return fault(lexer, string.start, "unterminated string");
    snprintf(place, sizeof place, "%s:%u: ", source_name(lexer), lexer->line);
    string.text = awk_unescape(lexer->vm, string.start + 1, (size_t)(at - string.start - 1), place);
    string.length = (size_t)(at - string.start + 1);
    lexer->line += lines;
    return take(lexer, string);
}

/* Past a bracket expression; the same place if it is none. */
static const char *skip_bracket(const char *at, const char *end)
{
    const char *start = at++;
    if (at < end && *at == '^')
        at++;
    if (at < end && *at == ']')
        at++;
    for (; at < end && *at != '\n'; at++) {
        if (*at == ']')
            return at;
        if (*at == '\\' && at + 1 < end)
            at++;
        else if (*at == '[' && at + 1 < end && (at[1] == ':' || at[1] == '.' || at[1] == '=')) {
            const char close = *++at;
            while (at + 2 < end && at[1] != '\n' && !(at[1] == close && at[2] == ']'))
                at++;
            at += at + 2 < end && at[1] == close ? 2 : 0;
        }
    }
    return start;
}

/* The text of a regular expression, in which lines may be joined. */
static AwkText *regex_text(AwkLexer *lexer, const char *start, const char *end)
{
    AwkText *text = awk_text_empty();
    for (const char *at = start; at < end; at++) {
        const size_t joined = joined_newline(at);
        if (*at != '\\' || at + 1 == end)
            continue;
        if (joined) {
            text = awk_text_append(&lexer->vm->pool, text, start, (size_t)(at - start));
            start = at + joined + 1;
            lexer->line++;
        }
        at += joined ? joined : 1;
    }
    return awk_text_append(&lexer->vm->pool, text, start, (size_t)(end - start));
}

AwkToken awk_lex_regex(AwkLexer *lexer, const char *start)
{
    lexer->at = start;
    AwkToken regex = token(lexer, TOKEN_STRING, 0);
    const char *at = start + 1;
    for (; at < lexer->end && *at != '/' && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < lexer->end)
            at += joined_newline(at) ? joined_newline(at) : 1;
        else if (*at == '[')
            at = skip_bracket(at, lexer->end);
    }
    if (at >= lexer->end || *at != '/')
        return fault(lexer, start + 1, "unterminated regexp");
    regex.text = regex_text(lexer, start + 1, at);
    regex.length = (size_t)(at - start + 1);
    return take(lexer, regex);
}

AwkToken awk_lex(AwkLexer *lexer)
{
    skip_blanks(lexer);
    if (lexer->at >= lexer->end)
        return token(lexer, TOKEN_END, 0);
    const char c = *lexer->at;
    if (is_digit(c) || (c == '.' && is_digit(lexer->at[1])))
        return lex_number(lexer);
    if (c == '_' && lexer->at[1] == '"') { /* a text to be translated */
        lexer->at++;
        return lex_string(lexer);
    }
    if (is_name_part(c))
        return lex_word(lexer);
    if (c == '"')
        return lex_string(lexer);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const size_t length = strlen(operators[i].spelling);
        if (!strncmp(lexer->at, operators[i].spelling, length)) {
            AwkToken found = token(lexer, operators[i].kind, length);
            lexer->line += c == '\n';
            return take(lexer, found);
        }
    }
    char message[] = "invalid char '?' in expression";
    *strchr(message, '?') = c;
    return fault(lexer, lexer->at, message);
}
