/* What the parts of the parser of Perl's syntax share.  Errors are in PCRE2's words, which grep -P shows. */
#ifndef AMLA_REGEX_PERL_H
#define AMLA_REGEX_PERL_H

#include "parser.h"

/* Options that (?…) sets; they are kept in parser->syntax.  Case is AMLA_REGEX_IGNORE_CASE in parser->flags. */
enum { RX_P_LINES = 1 << 0, RX_P_DOT_ALL = 1 << 1, RX_P_SPACED = 1 << 2, RX_P_QUOTED = 1 << 3 };

typedef struct RxName RxName;
struct RxName {
    const uint8_t *text;
    size_t length;
    unsigned index;
    RxName *older;
};

/* Whether those characters come next; if so, moves behind them. */
bool rx_perl_take(RxParser *parser, const char *expected);

/* The byte at parser->at + ahead, or -1. */
int rx_perl_peek(const RxParser *parser, size_t ahead);

/* Digits of that base, up to `most` of them; -1 if there are none. */
long rx_perl_number(RxParser *parser, unsigned base, unsigned most);

/* A backslash was read.  Adds what \d, \w, \p{…} and so on stand for, and is true, if it is one of these. */
bool rx_perl_class_escape(RxParser *parser, RxSet *set);

/* A backslash was read: the one character that \n, \x41 and so on stand for. */
uint32_t rx_perl_char_escape(RxParser *parser);

/* A node without parts. */
RxNode *rx_perl_leaf(RxParser *parser, RxKind kind, unsigned index);

/* All up to a closing parenthesis or the end. */
RxNode *rx_perl_alternatives(RxParser *parser);

/* All up to a |, a closing parenthesis or the end. */
RxNode *rx_perl_branch(RxParser *parser);

/* Behind (, up to and with ). */
RxNode *rx_perl_group(RxParser *parser);

/* A reference to a group by its number. */
RxNode *rx_perl_backref(RxParser *parser, long number);

/* A name up to `end`, which is passed; NULL with the error noted. */
const uint8_t *rx_perl_name(RxParser *parser, char end, size_t *length);

/* A reference by a name that ends so. */
RxNode *rx_perl_named_backref(RxParser *parser, char end);

/* Behind \g: n, -n, {n}, {-n} or {name}. */
RxNode *rx_perl_g(RxParser *parser);

/* Digits behind a backslash: \1 to \9, and \10 and up if there are so many groups.  False for an octal escape. */
bool rx_perl_is_backref(RxParser *parser, long *number);

/* Behind (: whether a number or R asks for a group; it, up to the parenthesis. */
bool rx_perl_is_call(const RxParser *parser);
RxNode *rx_perl_call(RxParser *parser);

/* A call by name, which ends so; the group may be still to come. */
RxNode *rx_perl_named_call(RxParser *parser, char end);

/* Behind \g< or \g': a number or a name. */
RxNode *rx_perl_g_call(RxParser *parser, char end);

/* All groups are known: give calls by name their numbers.  False with the error noted where there is no such group. */
bool rx_perl_resolve(RxParser *parser);

/* Behind (?|: alternatives that each count their groups from the same number. */
RxNode *rx_perl_branch_reset(RxParser *parser);

/* Behind (?(DEFINE): groups to be called, which match nothing here. */
RxNode *rx_perl_define(RxParser *parser);

/* Behind [. */
RxNode *rx_perl_bracket(RxParser *parser);

/* A look behind at `part`: each of its alternatives begins with RX_BACK by its width, which must be fixed. */
RxNode *rx_perl_behind(RxParser *parser, RxNode *part);

#endif
