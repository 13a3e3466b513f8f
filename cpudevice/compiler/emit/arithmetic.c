/* arithmetic.c: operations that C++ leaves open and PTX defines.
 *
 * Contract of pass_arithmetic: in device code, sets Token.as of operators and round operands, so that what is printed
 * names the functions of include/cpudev_arithmetic.h; no other pass sees a difference. Shifts, divisions and remainders
 * are found in the tokens, whatever the tree has understood; explicit conversions too (arithmetic_loose.c); implicit ones
 * where the tree knows what is set, returned or given to a function (arithmetic_tree.c). What is a constant is left
 * alone. */
#include "emit/gpu_arithmetic.h"
#include "analysis/numbers.h"

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

enum { KEPT = 4 };
/* Of `<<`, `>>`, `/` and `%`, which begins at i; or -1. */
static int operator_index(const Tokens *t, int i)
{
    return is(t, i, W_LESS) ? 0 : is(t, i, W_GREATER) ? 1 : is(t, i, W_SLASH) ? 2 : is(t, i, W_PERCENT) ? 3 : -1;
}

/* `operator<<(T &a, ...)` of the program, which takes an operand that is no value alone. */
static void find_kept(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 3; i++) {
        if (!is(t, i, W_OPERATOR) || t->t[i].sys || t->t[i].ours)
            continue;
        const int at = next(t, i), index = operator_index(t, at);
        int open = at;
        while (open < t->n - 1 && t->t[open].kind == T_PUNCT && !is(t, open, W_PAREN))
            open = next(t, open);
        if (index < 0 || !is(t, open, W_PAREN))
            continue;
        for (int k = next(t, open), end = mate(t, open); k < end && !is(t, k, W_COMMA) && !is(t, k, W_CONST);
             k = next(t, k))
            if (is(t, k, W_PAREN))
                k = mate(t, k);
            else if (is(t, k, W_AND))
                found[index] = true;
    }
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
    const char *between = change                                                         ? "Gpu{}"
                          : index >= 0 && b->kept[index] && !may_be_bit_field(b, before) ? "kept"
                                                                                         : "gpu";
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
            function_at(b, i), printf_at(b, i);
}

/* To members of a packed struct no reference binds either. */
static void find_packed(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 2; i++) {
        if (!(same_as(t, i, "packed", 6) || same_as(t, i, "__packed__", 10)) || t->t[i].sys || t->t[i].ours)
            continue;
        int open = i;
        for (int most = 0; most < 8 && open < t->n - 1 && !is(t, open, W_BRACE) && !is(t, open, W_SEMICOLON); most++)
            open = next(t, open);
        for (int back = 0; back < 6 && open > 0 && !is(t, open, W_BRACE); back++)
            open = is(t, open, W_BRACE_END) ? mate_back(t, open) : prev(t, open);
        if (!is(t, open, W_BRACE))
            continue;
        for (int k = next(t, open), end = mate(t, open); k < end; k = next(t, k)) {
            const int after = next(t, k);
            if (ident(t, k) && (is(t, after, W_SEMICOLON) || is(t, after, W_COMMA) || is(t, after, W_SQUARE)))
                found[name_key(&t->t[k])] = true;
        }
    }
}

/* `name : 3` followed by `;` or `,`, wherever it stands. */
static void find_bit_fields(const Tokens *t, bool *found)
{
    for (int i = 1; i < t->n - 3; i++) {
        if (t->t[i].kind != T_PUNCT || t->t[i].len != 1 || *t->t[i].s != ':' || t->t[i].sys || t->t[i].ours)
            continue;
        int name = prev(t, i), end = next(t, i);
        for (int most = 0; most < 8 && !is(t, end, W_SEMICOLON) && !is(t, end, W_COMMA); most++)
            end = is(t, end, W_PAREN) ? next(t, mate(t, end)) : next(t, end);
        if (ident(t, name) && (is(t, end, W_SEMICOLON) || is(t, end, W_COMMA)))
            found[name_key(&t->t[name])] = true;
    }
}

/* `typedef unsigned char name;` and `using name = unsigned char;` */
static void find_typedefs(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 3; i++) {
        if (t->t[i].kind != T_ID || t->t[i].sys || (!is(t, i, W_TYPEDEF) && !is(t, i, W_USING)))
            continue;
        const bool alias = is(t, i, W_USING);
        int semi = i;
        for (int most = 0; most < 9 && !is(t, semi, W_SEMICOLON); most++)
            semi = next(t, semi);
        const int name = alias ? next(t, i) : prev(t, semi), first = alias ? next(t, next(t, name)) : next(t, i);
        if (is(t, semi, W_SEMICOLON) && ident(t, name) && (!alias || is(t, next(t, name), W_ASSIGN)) &&
            is_integer_type(t, first, alias ? prev(t, semi) : prev(t, name)))
            found[name_key(&t->t[name])] = true;
    }
}

/* `typename T` and `class T` in a template's parameters. */
static void find_parameters(const Tokens *t, bool *found)
{
    for (int i = 0; i < t->n - 2; i++) {
        if (t->t[i].kind != T_ID || t->t[i].sys || t->t[i].ours || (!is(t, i, W_TYPENAME) && !is(t, i, W_CLASS)))
            continue;
        const int name = next(t, i), after = next(t, name);
        if (ident(t, name) && (is(t, after, W_COMMA) || is(t, after, W_GREATER) || is(t, after, W_ASSIGN)))
            found[name_key(&t->t[name])] = true;
    }
}

void pass_arithmetic(Unit *u)
{
    static bool kept[KEPT], bit_fields[NAME_KEYS], parameters[NAME_KEYS], typedefs[NAME_KEYS];
    find_typedefs(&u->tok, typedefs);
    find_bit_fields(&u->tok, bit_fields);
    find_packed(&u->tok, bit_fields);
    find_parameters(&u->tok, parameters);
    find_kept(&u->tok, kept);
    Arithmetic b = {
        .u = u, .t = &u->tok, .kept = kept, .bit_fields = bit_fields, .parameters = parameters, .typedefs = typedefs};
    b.done = must(calloc((size_t)u->tok.n, 1));
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0 || !looked_at(&u->tok.t[b.f->body]))
            continue;
        functions(&b, b.f->body, b.f->end);
        if (b.f->tree && b.f->tok == &u->tok)
            convert_tree(&b, b.f->tree);
    }
    for (int i = 0; i < u->nfunction; i++) {
        b.f = &u->function[i];
        if (b.f->body < 0)
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
        convert_tree(&b, b.f->tree);
        body(&b, b.f->body, b.f->end);
        free(b.done);
    }
}
