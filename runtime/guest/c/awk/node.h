/* The syntax tree.  Nodes live until the program is compiled. */
#ifndef AWK_NODE_H
#define AWK_NODE_H

#include "program.h"

typedef enum {
    /* expressions: what a, b, c are */
    NODE_NUMBER,      /* number */
    NODE_STRING,      /* text */
    NODE_REGEX,       /* text; alone it matches $0 */
    NODE_TYPED_REGEX, /* text */
    NODE_NAME,        /* text */
    NODE_FIELD,       /* a: index */
    NODE_ELEMENT,     /* a: array (a name or another element), b: keys */
    NODE_GROUP,       /* a: one expression in parentheses, or several */
    NODE_ASSIGN,      /* a: place, b: value */
    NODE_MODIFY,      /* a: place, b: value, detail: AwkArithmetic */
    NODE_STEP,        /* a: place, detail: 1 or -1, flag: post */
    NODE_CONDITION,   /* a ? b : c */
    NODE_AND,         /* a, b */
    NODE_OR,          /* a, b */
    NODE_NOT,         /* a */
    NODE_UNARY,       /* a, detail: the AwkOp */
    NODE_BINARY,      /* a, b, detail: the AwkOp */
    NODE_CONCATENATE, /* a: list */
    NODE_MATCH,       /* a ~ b, flag: not */
    NODE_IN,          /* a: keys, b: array */
    NODE_CALL,        /* text, a: arguments */
    NODE_CALL_NAMED,  /* a: name, b: arguments */
    NODE_BUILTIN,     /* detail: which, a: arguments */
    NODE_GETLINE,     /* a: source or NULL, b: place or NULL, detail: AwkSourceKind */
    /* statements */
    NODE_EXPRESSION,  /* a */
    NODE_PRINT,       /* a: values, b: target, detail: AwkRedirection */
    NODE_PRINTF,      /* likewise */
    NODE_BLOCK,       /* a: statements */
    NODE_IF,          /* a: condition, b: then, c: else */
    NODE_WHILE,       /* a: condition, b: body */
    NODE_DO,          /* likewise */
    NODE_FOR,         /* a: start, b: condition, c: next, d: body */
    NODE_EACH,        /* a: name, b: array, d: body */
    NODE_SWITCH,      /* a: value, b: cases */
    NODE_CASE,        /* a: label, NULL for default; b: statements */
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_NEXT,
    NODE_NEXT_FILE,
    NODE_EXIT,        /* a: status or NULL */
    NODE_RETURN,      /* a: value or NULL */
    NODE_DELETE,      /* a: array, b: keys or NULL */
    /* items */
    NODE_RULE,        /* a: pattern or NULL, b: end of the range or NULL, c: action or NULL, detail: AwkRuleKind */
} AwkNodeKind;

typedef enum { AWK_RULE_PATTERN, AWK_RULE_BEGIN, AWK_RULE_END, AWK_RULE_BEGINFILE, AWK_RULE_ENDFILE } AwkRuleKind;

typedef struct AwkNode AwkNode;

struct AwkNode {
    AwkNodeKind kind;
    int16_t detail;
    bool flag;
    uint16_t source;
    uint16_t depth; /* of the tree below */
    uint32_t line;
    AwkNode *a, *b, *c, *d;
    AwkNode *next; /* in a list */
    AwkText *text;
    double number;
};

/* What the parser makes of a function. */
typedef struct AwkFunctionNode AwkFunctionNode;

struct AwkFunctionNode {
    AwkFunctionNode *next;
    uint32_t function; /* of the program's */
    AwkNode *body;
};

typedef struct {
    AwkNode *rules;
    AwkFunctionNode *functions;
} AwkTree;

enum { AWK_NESTING_MAX = 500, AWK_DEPTH_MAX = 2000 };

/* A parse or compile error was told of if this is false. */
bool awk_parse(AwkVm *vm, AwkTree *tree);

bool awk_compile(AwkVm *vm, const AwkTree *tree);

#endif
