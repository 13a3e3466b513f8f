/* arithmetic_words.c: what the files of pass_arithmetic ask of tokens, and whether they are what it looks for. */
#include "emit/gpu_arithmetic.h"

#include <stdlib.h>
#include <string.h>

unsigned name_key(const Token *k) { return name_hash(k->s, k->len) % NAME_KEYS; }

/* A number that is no 0, and as a count less than 32, with nothing behind it that belongs to the operand. */
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
    return b->names->bit_fields[name_key(&b->t->t[i])];
}
