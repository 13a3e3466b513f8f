/* copy_units.c: copies and memsets are done, piece by piece. */
#define _GNU_SOURCE
#include <string.h>

#include "memory/copy_units.h"
#include "stream/command.h"

void run_copy_units(command *c, unsigned long long first, unsigned long long end)
{
    if (c->height == 1 && c->depth == 1) {
        for (unsigned long long u = first; u < end; u++) {
            size_t from = (size_t)u * PIECE, n = c->width - from < PIECE ? c->width - from : PIECE;
            if (c->kind == C_SET)
                memset(c->dst + from, c->value, n);
            else if (c->dst + c->width <= c->src || c->src + c->width <= c->dst)
                memcpy(c->dst + from, c->src + from, n);
            else
                memmove(c->dst + from, c->src + from, n);
        }
        return;
    }
    for (size_t z = 0; z < c->depth; z++)
        for (size_t y = 0; y < c->height; y++)
            if (c->kind == C_SET)
                memset(c->dst + z * c->dslice + y * c->dpitch, c->value, c->width);
            else
                memmove(c->dst + z * c->dslice + y * c->dpitch, c->src + z * c->sslice + y * c->spitch, c->width);
}
