/* arithmetic_words.c: what the files of pass_arithmetic ask of tokens, and whether they are what it looks for. */
#include "emit/gpu_arithmetic.h"

#include <stdlib.h>
#include <string.h>

static bool same_name(const Token *a, const Token *b)
{
    return a->len == b->len && memcmp(a->s, b->s, (size_t)a->len) == 0;
}

static const Token **slot_of(const NameSet *set, const Token *name)
{
    unsigned i = name_hash(name->s, name->len);
    while (set->slot[i % set->room] && !same_name(set->slot[i % set->room], name))
        i++;
    return &set->slot[i % set->room];
}

bool is_in(const NameSet *set, const Token *name) { return set->room && *slot_of(set, name); }

void add_to(NameSet *set, const Token *name)
{
    if (is_in(set, name))
        return;
    if (2 * set->count >= set->room) {
        const NameSet old = *set;
        set->room = old.room ? 2 * old.room : 256;
        set->slot = must(calloc(set->room, sizeof *set->slot));
        for (unsigned i = 0; i < old.room; i++)
            if (old.slot[i])
                *slot_of(set, old.slot[i]) = old.slot[i];
        free(old.slot);
    }
    *slot_of(set, name) = name;
    set->count++;
}

/* A number that is no 0, and as a count less than 32, with nothing after it that belongs to the operand. */
bool harmless_literal(const Tokens *t, int i, bool shift)
{
    static const Word tighter[] = {W_PLUS, W_MINUS, W_STAR, W_SLASH, W_PERCENT, W_NONE};
    const Token *k = &t->t[i];
    if (k->kind != T_NUM)
        return is(t, i, W_SIZEOF) || is(t, i, W_WARP_SIZE) || is(t, i, W_BLOCK_DIM) || is(t, i, W_GRID_DIM);
    char text[40];
    if (k->len >= (int)sizeof text)
        return false;
    memcpy(text, k->s, (size_t)k->len);
    text[k->len] = 0;
    char *end;
    unsigned long value = strtoul(text, &end, 0);
    if (*end == '.' || (*end && strchr("eEfF", *end)))
        return !shift;
    return shift ? value < 32 && !in(t, tighter, next(t, i)) : value != 0;
}

/* Does the operand that ends at i end in the name of a member that may be a bit field, to which no reference binds? */
bool may_be_bit_field(const Arithmetic *b, int i)
{
    while (is(b->t, i, W_PAREN_END))
        i = prev(b->t, i);
    if (!ident(b->t, i) ||
        (local_name(b->f, i) && !is(b->t, prev(b->t, i), W_DOT) && !is(b->t, prev(b->t, i), W_ARROW)))
        return false;
    return is_in(&b->names->bit_fields, &b->t->t[i]);
}

/* Is the name at i a constant's, which no operator changes and which has no address in a lambda that captures nothing? */
bool is_constant(const Arithmetic *b, int i)
{
    const Function *f = b->f;
    if (!ident(b->t, i) || !local_name(f, i))
        return ident(b->t, i) && is_in(&b->names->constants, &b->t->t[i]);
    for (int k = 0; k < f->ndecl; k++)
        if (same_as(b->t, i, f->decl[k]->name, f->decl[k]->len) &&
            ((!f->decl[k]->is_const && !f->decl[k]->is_constexpr) || f->decl[k]->is_ref))
            return false;
    return true;
}
