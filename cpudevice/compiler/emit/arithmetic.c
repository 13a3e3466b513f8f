/* arithmetic.c: operations that C++ leaves open and PTX defines.
 *
 * Contract of pass_arithmetic: in device code, sets Token.as of operators and round operands, so that what is printed
 * names the functions of include/cpudev_arithmetic.h; no other pass sees a difference. Shifts, divisions and remainders
 * are found in the tokens, whatever the tree has understood; explicit conversions too (arithmetic_loose.c); implicit ones
 * where the tree knows what is set, returned or given to a function (arithmetic_tree.c). What is a constant is left
 * alone. Under --check, arithmetic in double is counted (arithmetic_doubles.c); under --model, what nvcc would make of
 * each statement too (arithmetic_instructions.c). */
#include "emit/gpu_arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* Is the `>>` at i two ends of template arguments? */
static bool closes_templates(const Tokens *t, int i)
{
    int depth = 0;
    for (int j = i + 1; j >= 0; j = prev(t, j)) {
        if (t->t[j].kind != T_PUNCT || t->t[j].len != 1)
            continue;
        char c = *t->t[j].s;
        if (c == ')' || c == ']' || c == '}') {
            j = mate_back(t, j);
            if (j < 0)
                return false;
        } else if (c == '>') {
            depth++;
        } else if (c == '<') {
            if (j > 0 && adjacent(t, j - 1) && is(t, j - 1, W_LESS))
                j--; /* a shift */
            else if (!ident(t, prev(t, j)))
                return false;
            else if (--depth == 0)
                return true;
        } else if (strchr(";{([", c)) {
            return false;
        }
    }
    return false;
}

static void operator_at(Arithmetic *b, int i)
{
    Tokens *t = b->t;
    const bool angle = is(t, i, W_LESS) || is(t, i, W_GREATER);
    int length = 1;
    bool change = false;
    if (angle) {
        if (!adjacent(t, i) || !same(t, i, i + 1) || (adjacent(t, i + 1) && same(t, i, i + 2)) ||
            (i > 0 && adjacent(t, i - 1) && same(t, i, i - 1)))
            return;
        change = adjacent(t, i + 1) && is(t, i + 2, W_ASSIGN);
        length = change ? 3 : 2;
        if (!change && is(t, i, W_GREATER) && !b->done[i] && closes_templates(t, i))
            return;
    } else if (is(t, i, W_DIV_ASSIGN) || is(t, i, W_MOD_ASSIGN)) {
        change = true;
    } else if (!is(t, i, W_SLASH) && !is(t, i, W_PERCENT)) {
        return;
    }
    int before = prev(t, i), after = next(t, i + length - 1);
    if (is(t, before, W_OPERATOR) || harmless_literal(t, after, angle))
        return;
    if (t->t[before].kind == T_PUNCT && !is(t, before, W_PAREN_END) && !is(t, before, W_SQUARE_END) &&
        !is(t, before, W_BRACE_END))
        return; /* of a macro's rest, or of an operator's name */
    if (change && may_be_bit_field(b, before))
        return;
    Token *k = &t->t[i + length - 1];
    if (k->as)
        return;
    char *own = format("%.*s", k->len, k->s);
    const int index = operator_index(t, i);
    const bool keep = index >= 0 && b->names->kept[index] && !may_be_bit_field(b, before) && !is_constant(b, before);
    const char *between = change ? "Gpu{}" : keep ? "kept" : "gpu";
    if (length == 3)
        show_as(k, format("= " ARITHMETIC "Gpu{} %.2s=", t->t[i].s));
    else
        show_as(k, format("%s " ARITHMETIC "%s %.*s", own, between, angle ? 2 : k->len, t->t[i].s));
    free(own);
}

static bool looked_at(const Token *k) { return !k->sys && !k->ours && !k->library && k->kind < T_LINE; }

static void body(Arithmetic *b, int first, int last)
{
    Tokens *t = b->t;
    for (int i = first; i <= last; i++) {
        if (is(t, i, W_STATIC_ASSERT) && is(t, next(t, i), W_PAREN))
            i = mate(t, next(t, i));
        if (!looked_at(&t->t[i]) || t->t[i].drop)
            continue;
        if (t->t[i].kind == T_PUNCT)
            operator_at(b, i);
        if (t->t[i].kind == T_PUNCT || t->t[i].kind == T_ID)
            loose_cast(b, i);
    }
}

static void functions(Arithmetic *b, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (b->t->t[i].kind == T_ID && looked_at(&b->t->t[i]) && !b->t->t[i].drop)
            printf_at(b, i), function_at(b, i);
}

/* What counts is the innermost, whose types are those of the program. */
static void tree(Arithmetic *b, const struct Split *split)
{
    if (b->u->check)
        count_doubles(b, b->f->tree);
    convert_tree(b, b->f->tree);
    if (b->u->model)
        count_instructions(b, split);
}

void pass_arithmetic(Unit *u)
{
    static Names names;
    find_names(&u->tok, &names);
    Arithmetic b = {.u = u, .t = &u->tok, .names = &names};
    b.done = must(calloc((size_t)u->tok.n, 1));
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0 || !looked_at(&u->tok.t[b.f->body]))
            continue;
        functions(&b, b.f->body, b.f->end);
        if (b.f->tree && b.f->tok == &u->tok)
            tree(&b, NULL);
    }
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0 || u->tok.t[b.f->body].sys)
            continue;
        int first = b.f->close;
        while (first < b.f->body && !is(&u->tok, first, W_COLON))
            first = next(&u->tok, first);
        body(&b, first, b.f->end);
    }
    free(b.done);
    for (int i = 0; i < u->nkernel; i++) {
        if (u->kernel[i].run == RUN_FIBERS)
            continue;
        b.f = &u->kernel[i].canonical;
        b.t = b.f->tok;
        b.done = must(calloc((size_t)b.t->n, 1));
        functions(&b, b.f->body, b.f->end);
        tree(&b, u->kernel[i].run == RUN_REGIONS ? u->kernel[i].split : NULL);
        body(&b, b.f->body, b.f->end);
        free(b.done);
    }
}
