/* token.h: tokens, and what every pass asks about them. */
#ifndef CUCC_TOKEN_H
#define CUCC_TOKEN_H

#include <stdbool.h>

/* ---- tokens (tokens.c, walk.c) ---- */

typedef enum {
    T_ID,
    T_NUM,
    T_STR,
    T_PUNCT,
    /* what next() and prev() pass over */
    T_LINE,   /* a line marker */
    T_PRAGMA, /* another directive */
    T_CODE,   /* code that pass_merge has put in, and that no other pass reads */
    T_SPACE,  /* white space in front of a token that is no longer here */
    T_END
} TokenKind;

/* What a token says, where that is a punctuator or a word that the compiler knows; W_NONE for every other name. */
typedef enum {
    W_NONE,
#define WORD(name, text) name,
#include "front/word_list.h"
#undef WORD
    WORDS
} Word;

/* A file has 200,000 of them, and every pass reads them all: small members share words. */
typedef struct Token {
    const char *s;        /* text of the token */
    const char *lead;     /* where the white space before it begins */
    const char *file;     /* interned: names are compared by their addresses */
    char *before, *after; /* text to print around it */
    char *as;             /* text to print in place of it, or NULL; this and what follows: by text_of() too */
    char *open, *shut;    /* text to print round it, inside of before and after: of a conversion, say */
    int len;
    int line;  /* line in the user's file */
    int mate;  /* of a bracket: the other one; -1 if there is none */
    int outer; /* the bracket that it is in, or -1; of a closing bracket, its own opening one */
    Word word : 16;
    TokenKind kind : 8;
    bool sys;     /* inside a header of the C or C++ library, or of the compiler */
    bool library; /* inside a library's that g++ calls a system header, not cucc's: CCCL, PyTorch */
    bool header;  /* inside one of cucc's headers */
    bool ours;    /* ... that gives CUDA's words (tokens.c) */
    bool drop;    /* print the white space, not the token, nor what is put round it */
} Token;

typedef struct Tokens {
    Token *t;
    int n, cap; /* the last one is T_END */
} Tokens;

/* ---- tokens.c ---- */
void reserve(Tokens *t, int n); /* room for so many */
void tokenize(Tokens *out, const char *p, const char *end);
void push(Tokens *t, Token one);
void find_mates(Tokens *t);

/* ---- walk.c: reading tokens ---- */
static inline bool is(const Tokens *t, int i, Word word) { return i >= 0 && i < t->n && t->t[i].word == word; }
bool in(const Tokens *t, const Word *list, int i);              /* the list ends with W_NONE */
bool named_in(const Tokens *t, const char *const *list, int i); /* a name of this list, which ends with NULL */
bool ident(const Tokens *t, int i);
bool passed_over(const Tokens *t, int i); /* by next() and prev(): a directive, inserted code, white space */
bool adjacent(const Tokens *t, int i);    /* no white space between i and i + 1 */
bool same(const Tokens *t, int i, int k);
bool same_as(const Tokens *t, int i, const char *s, int len);
bool text_starts(const Token *k, const char *with);
bool text_has(const Token *k, const char *what);
bool is_floating(const Token *k); /* a literal of float, double or long double: its last character tells which */
int prev(const Tokens *t, int i);
int next(const Tokens *t, int i);
int mate(const Tokens *t, int i);          /* of an opening bracket; the last token if there is none */
int mate_back(const Tokens *t, int i);     /* of a closing bracket, or -1 */
int angle_back(const Tokens *t, int i);    /* `<` of the `>` at i, or -1 */
int angle_forward(const Tokens *t, int i); /* `>` of the `<` at i, or -1 if that is a comparison */
int enclosing(const Tokens *t, int i);     /* the bracket that i is in, or -1 */
bool at_namespace_scope(const Tokens *t, int i);
bool contains(const Tokens *t, int a, int b, Word word);
char *text_of(const Tokens *t, int a, int b);
char *text_within(const Tokens *t, int a, int b); /* without what is put round the whole by put_round() */
char *name_of(const Tokens *t, int i);
void drop_range(Tokens *t, int a, int b);
void put_before(Tokens *t, int i, char *text);
void put_first(Tokens *t, int i, char *text);
void put_after(Tokens *t, int i, char *text);
void put_round(Tokens *t, int first, int last, char *open, char *shut);
void show_as(Token *k, char *text);

#endif
