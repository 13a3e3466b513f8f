/* copy_units.c: copies and memsets are done, piece by piece. */
#define _GNU_SOURCE
#include <string.h>

#include "memory/copy_units.h"
#include "stream/command.h"

/* A row, or a piece of one: width and PIECE are multiples of an element's size, so a piece begins with an element. */
static void fill(const struct command_copy *k, char *dst, size_t bytes)
{
    if (!k->element) {
        memset(dst, k->value, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i += k->element)
        memcpy(dst + i, &k->value, k->element);
}

void run_copy_units(command *c, unsigned long long first, unsigned long long end)
{
    const struct command_copy *k = &c->copy;
    if (k->height == 1 && k->depth == 1) {
        for (unsigned long long u = first; u < end; u++) {
            size_t from = (size_t)u * PIECE, n = k->width - from < PIECE ? k->width - from : PIECE;
            if (c->kind == C_SET)
                fill(k, k->dst + from, n);
            else if (k->dst + k->width <= k->src || k->src + k->width <= k->dst)
                memcpy(k->dst + from, k->src + from, n);
            else
                memmove(k->dst + from, k->src + from, n);
        }
        return;
    }
    for (size_t z = 0; z < k->depth; z++)
        for (size_t y = 0; y < k->height; y++)
            if (c->kind == C_SET)
                fill(k, k->dst + z * k->dslice + y * k->dpitch, k->width);
            else
                memmove(k->dst + z * k->dslice + y * k->dpitch, k->src + z * k->sslice + y * k->spitch, k->width);
}
