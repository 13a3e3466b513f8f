/* parser.h: what the parser's files share. */
#ifndef CUCC_PARSER_H
#define CUCC_PARSER_H

#include "front/unit.h"

typedef struct Parser {
    Unit *u;
    Function *f;
    const Tokens *t;
    int i;      /* the next token to read */
    int end;    /* the token after the last that may be read */
    bool fail;  /* what is read is not understood */
    Node *list; /* the statement list, or for, that is being read */
} Parser;

/* A type: first..last without declarators. */
typedef struct Type {
    int first, last;
    bool is_const, is_constexpr, is_static, is_volatile, is_shared, is_extern, is_auto, is_aligned;
    bool known; /* keywords alone */
    bool named; /* its name is known to be a type's, not only by its place */
} Type;

bool type_name(const Unit *u, const Function *f, int i);
bool value_name(const Unit *u, const Function *f, int i);
bool read_type(const Unit *u, const Function *f, int i, int end, Type *type);
bool read_type_id(const Unit *u, const Function *f, int i, int end);       /* a type with * and & that fills i..end-1 */
int binary_operator(const Parser *p, int i, int *length, Operator *which); /* parse_operator.c */
int assignment_operator(const Parser *p, int i, Operator *which);
int template_arguments(Parser *p, int i);
Node *read_expression(Parser *p, int first, int end);             /* first..end-1; E_OPAQUE if it is not understood */
Node *read_initialiser(Parser *p, int first, int end, bool list); /* the same, or {a, b}; list: (a, b) */
Node *read_declaration(Parser *p, int i, int semi);

#endif
