/* A parsed regular expression.
 *
 * Nodes lie in an arena.  Sequences and alternatives have their parts as a list; a node's depth is bounded by
 * RX_DEPTH_MAX, so walking a tree may recurse.
 */
#ifndef AMLA_REGEX_TREE_H
#define AMLA_REGEX_TREE_H

#include "charset.h"

enum { RX_DEPTH_MAX = 250, RX_DUP_MAX = 32767, RX_NO_LIMIT = -1 };

typedef enum {
    RX_EMPTY,   /* nothing at all: what glibc's parser has no node for; `()` is a group of it */
    RX_SET,     /* one character out of `set` */
    RX_CAT,     /* the parts, one after another */
    RX_ALT,     /* one of the parts */
    RX_REPEAT,  /* the part, min..max times */
    RX_GROUP,   /* the part, captured as group `index` */
    RX_ASSERT,  /* a condition on a place: `index` is an RxAssert */
    RX_BACKREF, /* what group `index` matched */
    RX_TRIE,    /* one of many strings */
    RX_LOOK,    /* Perl: the part matches from here on (or, begun by RX_BACK, up to here) */
    RX_ATOMIC,  /* Perl: the part, with its first way to match only */
    RX_KEEP,    /* Perl: \K, the match begins here */
    RX_CALL,    /* Perl: what group `index` stands for, or with 0 the whole expression, at this place */
    RX_BACK,    /* Perl: `index` characters back, at the start of a look behind */
} RxKind;

typedef enum {
    RX_TEXT_START, RX_TEXT_END, RX_LINE_START, RX_LINE_END, RX_WORD_START, RX_WORD_END, RX_WORD_EDGE,
    RX_NO_WORD_EDGE, RX_NO_WORD_BEFORE, RX_NO_WORD_AFTER,
    RX_TEXT_END_LINE /* Perl's $ and \Z: at the end, or before the newline that is last */
} RxAssert;

typedef enum { RX_GREEDY, RX_LAZY } RxGreed;

typedef struct RxTrie RxTrie;

typedef struct RxNode RxNode;
struct RxNode {
    RxKind kind;
    unsigned depth;    /* 1 + that of the deepest part */
    bool captures;     /* there is a group inside */
    bool fold;         /* BACKREF: case does not matter */
    bool negative;     /* LOOK: the part must not match */
    RxGreed greed;     /* REPEAT */
    int min, max;      /* REPEAT; max may be RX_NO_LIMIT */
    unsigned index;
    RxSet set;
    RxTrie *trie;
    RxNode *first, *last;     /* parts */
    RxNode *next, *previous;  /* among the parts of the same node */
};

/* All of these return NULL when memory runs out. */
RxNode *rx_node(RxArena *arena, RxKind kind);

/* `whole` with `part` added at its end. */
RxNode *rx_append(RxNode *whole, RxNode *part);

/* A node of that kind with one part. */
RxNode *rx_wrap(RxArena *arena, RxKind kind, RxNode *part);

/* Many strings sharing their beginnings.  Nodes are numbered so that parts come after the node they hang from. */
typedef struct {
    uint32_t key;             /* the character, as a capital when case does not matter */
    uint32_t child, sibling;  /* numbers of nodes; 0: none */
    bool ends;                /* a string ends here */
} RxTrieNode;

struct RxTrie {
    RxTrieNode *nodes; /* the root is number 0 */
    uint32_t count, capacity;
    bool fold, bytes;
};

/* Add the string that `keys` spell.  False when memory runs out. */
bool rx_trie_add(RxArena *arena, RxTrie *trie, const uint32_t *keys, size_t count);

#endif
