/* Tokens of a program's text. */
#ifndef AWK_TOKEN_H
#define AWK_TOKEN_H

#include "program.h"

typedef enum {
    TOKEN_END, TOKEN_NEWLINE, TOKEN_SEMICOLON, TOKEN_BEGIN_BRACE, TOKEN_END_BRACE, TOKEN_BEGIN_PAREN, TOKEN_END_PAREN,
    TOKEN_BEGIN_BRACKET, TOKEN_END_BRACKET, TOKEN_COMMA, TOKEN_QUESTION, TOKEN_COLON, TOKEN_DOLLAR, TOKEN_AT,
    TOKEN_PLUS, TOKEN_MINUS, TOKEN_TIMES, TOKEN_SLASH, TOKEN_PERCENT, TOKEN_POWER, TOKEN_NOT,
    TOKEN_INCREMENT, TOKEN_DECREMENT, TOKEN_AND, TOKEN_OR, TOKEN_MATCH, TOKEN_NO_MATCH,
    TOKEN_LESS, TOKEN_LESS_EQUAL, TOKEN_EQUAL, TOKEN_NOT_EQUAL, TOKEN_GREATER, TOKEN_GREATER_EQUAL,
    TOKEN_ASSIGN, TOKEN_PLUS_ASSIGN, TOKEN_MINUS_ASSIGN, TOKEN_TIMES_ASSIGN, TOKEN_SLASH_ASSIGN, TOKEN_PERCENT_ASSIGN,
    TOKEN_POWER_ASSIGN, TOKEN_PIPE, TOKEN_PIPE_BOTH, TOKEN_APPEND,
    TOKEN_NUMBER, TOKEN_STRING, TOKEN_NAME, TOKEN_FUNCTION_NAME /* with ( right behind it */, TOKEN_BUILTIN,
    TOKEN_KEYWORD_BEGIN, TOKEN_KEYWORD_END, TOKEN_BEGINFILE, TOKEN_ENDFILE, TOKEN_FUNCTION, TOKEN_IF, TOKEN_ELSE,
    TOKEN_WHILE, TOKEN_FOR, TOKEN_DO, TOKEN_BREAK, TOKEN_CONTINUE, TOKEN_NEXT, TOKEN_NEXTFILE, TOKEN_EXIT, TOKEN_RETURN,
    TOKEN_DELETE, TOKEN_IN, TOKEN_GETLINE, TOKEN_PRINT, TOKEN_PRINTF, TOKEN_SWITCH, TOKEN_CASE, TOKEN_DEFAULT,
    TOKEN_FAULT, /* the lexer told of it */
} AwkTokenKind;

typedef struct {
    AwkTokenKind kind;
    const char *start; /* in the source's text */
    size_t length;
    uint32_t line;
    double number;
    AwkText *text;    /* of a string; a reference */
    uint32_t builtin; /* which */
} AwkToken;

typedef struct {
    AwkVm *vm;
    uint16_t source; /* which of the program's */
    const char *at, *end;
    uint32_t line;
    bool failed;
} AwkLexer;

AwkToken awk_lex(AwkLexer *lexer);

/* Read a regular expression whose first `/` is at `start`; its text is a reference. */
AwkToken awk_lex_regex(AwkLexer *lexer, const char *start);

/* "awk: cmd. line:1: error: message", once. */
__attribute__((format(printf, 3, 4))) void awk_lex_error(AwkLexer *lexer, uint32_t line, const char *format, ...);

/* "awk: cmd. line:1: <the line>\nawk: cmd. line:1:   ^ message", once. */
void awk_lex_fault(AwkLexer *lexer, const char *place, uint32_t line, const char *message);

#endif
