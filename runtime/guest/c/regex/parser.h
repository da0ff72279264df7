/* What the parsers of the several syntaxes share. */
#ifndef AMLA_REGEX_PARSER_H
#define AMLA_REGEX_PARSER_H

#include "regex.h"
#include "program.h"
#include "tree.h"

/* Where the POSIX syntaxes of the GNU tools differ. */
enum {
    RX_BARE = 1 << 0,            /* ERE: ( ) { } | + ? are operators without a backslash, ^ and $ anywhere */
    RX_SKIP_STRAY = 1 << 1,      /* a repetition of nothing is passed over */
    RX_REFUSE_STRAY = 1 << 2,    /* a repetition of nothing is an error; neither: it is ordinary */
    RX_REFUSE_DOUBLE = 1 << 3,   /* BRE outside grep: a** and a\{ at the start are errors */
    RX_BRACE_ORDINARY = 1 << 4,  /* { is ordinary where no valid interval follows */
    RX_PAREN_ORDINARY = 1 << 5,  /* ) is ordinary where no ( is open */
    RX_LIST_ESCAPES = 1 << 6,    /* backslashes quote inside brackets */
};

typedef enum {
    RX_T_END, RX_T_CHAR, RX_T_OPEN, RX_T_CLOSE, RX_T_ALT, RX_T_STAR, RX_T_PLUS, RX_T_QUESTION, RX_T_OPEN_BRACE,
    RX_T_CLOSE_BRACE, RX_T_BRACKET, RX_T_DOT, RX_T_ANCHOR, RX_T_BACKREF, RX_T_CLASS, RX_T_NOT_CLASS, RX_T_BACKSLASH
} RxTokenType;

typedef struct {
    RxTokenType type;
    uint32_t c;    /* the character, also of an operator; the number of a back-reference, RxAssert or RxClass */
    size_t length; /* bytes */
} RxToken;

typedef struct RxNamedCall RxNamedCall;

typedef struct {
    RxArena *arena;
    const uint8_t *text;
    size_t length, at;   /* `at` is behind the current token */
    unsigned flags, syntax;
    unsigned groups;     /* opened so far */
    unsigned base;       /* those of earlier alternatives of a newline list, which \1 does not count */
    uint32_t closed;     /* bit n: group base + 1 + n is complete, so that \n+1 may refer to it */
    unsigned nesting;
    bool backrefs;       /* there was one */
    unsigned highest_backref; /* Perl's may come before their group */
    struct RxName *names;     /* Perl: of groups */
    RxNamedCall *named_calls; /* Perl: which are to be resolved */
    RxToken token;
    const char *error;   /* the first one, a static text */
} RxParser;

/* Note the error; NULL. */
RxNode *rx_fail(RxParser *parser, const char *error);

/* A node, or NULL with the error noted. */
RxNode *rx_checked(RxParser *parser, RxNode *node);

/* The character at `at` of the pattern, without moving; its length. */
size_t rx_pattern_char(const RxParser *parser, size_t at, uint32_t *c);

/* Read the next token.  `anchored`: here a ^ is an anchor in BRE as well. */
void rx_next_token(RxParser *parser, bool anchored);

/* A set as a node: tidied, without line ends if lines are matched. */
RxNode *rx_set_node(RxParser *parser, RxSet *set);

/* One character, with what differs from it in case. */
RxNode *rx_char_node(RxParser *parser, uint32_t c);

/* Every character but line ends, and without `not` unless that is RX_NOTHING. */
RxNode *rx_any_node(RxParser *parser, uint32_t not);

RxNode *rx_class_node(RxParser *parser, RxClass class, bool negated);

RxNode *rx_assert_node(RxParser *parser, RxAssert kind);

/* The byte that ends lines, or RX_NOTHING if the text has no lines. */
uint32_t rx_line_end(unsigned flags);

typedef enum { RX_INTERVAL_READ, RX_INTERVAL_ORDINARY, RX_INTERVAL_FAILED } RxInterval;

/* Behind { up to }, which is the token then.  ORDINARY: { means itself here, and is the token again. */
RxInterval rx_parse_interval(RxParser *parser, int *min, int *max);

/* A bracket expression; parser->at is behind its [, afterwards behind its ]. */
RxNode *rx_parse_bracket(RxParser *parser);

/* The whole text: BRE and ERE; Perl; fixed strings, one a line. */
RxNode *rx_parse_posix(RxParser *parser);
RxNode *rx_parse_perl(RxParser *parser);
RxNode *rx_parse_literals(RxParser *parser);

/* awk's escapes replaced, in the parser's arena: parser->text and length become those of a plain ERE. */
bool rx_replace_awk_escapes(RxParser *parser);

/* Parse with the syntax that parser->flags name. */
RxNode *rx_parse(RxParser *parser);

#endif
