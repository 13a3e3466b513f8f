/* ptx_printer.h: what ptx_print.c and ptx_operands.c share. */
#ifndef CUCC_PTX_PRINTER_H
#define CUCC_PTX_PRINTER_H

#include <stdio.h>

#include "ptx/ptx.h"

typedef struct PtxPrinter {
    PtxProgram *program;
    const PtxBinding *binding;
    int bindings;
    FILE *out;
    int line;            /* of the statement that is printed */
    const PtxWord *type; /* of the instruction that is printed: for decimal literals */
    bool *late;          /* of each operand: is it a result that lands later? */
} PtxPrinter;

/* The text is not understood: the first reason stays, in program->error, with the line of the statement in print. */
void ptx_fail(PtxPrinter *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool ptx_is_word(const char *s, int len, const char *word);
/* A name with what C++ does not allow in one replaced: L2::cache_hint -> L2__cache_hint. */
void ptx_print_name(PtxPrinter *p, const char *prefix, const char *s, int len);

/* The labels and registers of the block that begins with this statement. */
void ptx_print_block_start(PtxPrinter *p, const PtxStatement *first);
const PtxStatement *ptx_register(const PtxPrinter *p, const char *s, int len);
void ptx_print_value(PtxPrinter *p, const PtxArg *a);
void ptx_print_list(PtxPrinter *p, const PtxArg *a);                     /* of a vector: x, y, z */
void ptx_print_target(PtxPrinter *p, const PtxArg *a);                   /* where a result goes */
void ptx_check(PtxPrinter *p, const PtxStatement *s, const PtxMatch *m); /* for what ptxas refuses (ptx_check.c) */
void ptx_print_addresses(PtxPrinter *p, const PtxArg *a);                /* of results that land later: {&a, &b} */

#endif
