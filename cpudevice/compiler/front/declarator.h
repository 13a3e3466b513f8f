/* declarator.h: what a declaration declares, read from its tokens alone. */
#ifndef CUCC_DECLARATOR_H
#define CUCC_DECLARATOR_H

#include "front/unit.h"

/* One declarator: `*const x[3] = {1}`, `(*f)(int)`, `&&... xs`, `[a, b]`; or without a name: `*`, `(*)(int)`. */
typedef struct Declarator {
    int first, last; /* its tokens, with the initialiser; first > last: there are none */
    int name;        /* -1: it has none, or several: `auto [a, b]` */
    int place;       /* the token after which a name is, or would be */
    int stars;       /* in front of the name, but for those in parentheses */
    bool is_ref;
    bool odd;                        /* a pointer to a reference, which does not exist */
    bool pack;                       /* ... */
    bool attributes;                 /* after the name */
    bool grouped;                    /* parentheses round the name */
    bool binding;                    /* [a, b] */
    int dims, dims_first, dims_last; /* [..][..] after the name; -1 without */
    bool open_dims;                  /* one of them is [] */
    int init;                        /* of `= v`, `(v)`, `{v}` and of parameters: its first token; -1 without */
    int end;                         /* the comma or the end after it */
} Declarator;

/* The first token after the type of a declaration at i: where its declarators begin. typed: the type is not in front
 * of i; otherwise a word is a declarator's name if nothing but a declarator can follow it. */
int scan_specifiers(const Tokens *t, int i, int end, bool typed);
/* The declarator at i of a declaration that ends before `end`; false, with what has been read, if it is none. */
bool scan_declarator(const Tokens *t, int i, int end, Declarator *d);
/* What follows the initialiser that begins at i: a comma, or end. A comma between template arguments is none. */
int comma_or_end(const Tokens *t, int i, int end);
/* The semicolon of the declaration at i; the last token if there is none. */
int declaration_end(const Tokens *t, int i);

#endif
