/* declarator.h: what a declaration declares, read from its tokens alone. */
#ifndef CUCC_DECLARATOR_H
#define CUCC_DECLARATOR_H

#include "front/unit.h"

/* One declarator: `*const x[3] = {1}`, `(*f)(int)`, `&&... xs`, `[a, b]`; or without a name: `*`, `(*)(int)`. */
typedef struct Declarator {
    int first, last; /* its tokens, with the initialiser; first > last: there are none */
    int name;        /* -1: it has none, or several: `auto [a, b]` */
    int place;       /* the token behind which a name is, or would be */
    int stars;       /* in front of the name, but for those in parentheses */
    bool is_ref;
    bool odd;                        /* a pointer to a reference, which does not exist */
    bool pack;                       /* ... */
    bool attributes;                 /* behind the name */
    bool grouped;                    /* parentheses round the name */
    bool binding;                    /* [a, b] */
    int dims, dims_first, dims_last; /* [..][..] behind the name; -1 without */
    bool open_dims;                  /* one of them is [] */
    int init;                        /* of `= v`, `(v)`, `{v}` and of parameters: its first token; -1 without */
    int end;                         /* the comma or the end behind it */
} Declarator;

/* The first token behind the type of a declaration at i: where its declarators begin. An identifier that nothing of a
 * declarator but its name can be counts as one, if the type stands in front of i. */
int scan_specifiers(const Tokens *t, int i, int end);
/* The declarator at i of a declaration that ends before `end`; false, with what has been read, if it is none. */
bool scan_declarator(const Tokens *t, int i, int end, Declarator *d);
/* The semicolon of the declaration at i; the last token if there is none. */
int declaration_end(const Tokens *t, int i);

#endif
