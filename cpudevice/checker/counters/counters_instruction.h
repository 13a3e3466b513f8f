/* counters_instruction.h: what one instruction of a warp costs: sectors of global memory, passes of the shared banks.
 *
 * Functions in a header, so that counters.c has them inlined: it calls them for each departure from a pattern. */
#ifndef CHECKER_COUNTERS_INSTRUCTION_H
#define CHECKER_COUNTERS_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "counters/counters_sums.h"

typedef struct pattern {
    int32_t off[32];
} pattern; // address of each lane, less the base

typedef struct group { // one instruction of one warp
    uintptr_t base;
    uint32_t active;       // lanes
    uint32_t own;          // index + 1 of a pattern of its own; 0: the site's
    uint32_t next;         // index + 1 of the next instruction of the same round of its loops
    uint32_t first : 1;    // in its round
    uint32_t ordered : 31; // of a copy by cp.async: 1 + the phase in which it was ordered; else 0
    uint64_t round;
} group;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static unsigned distinct_sectors(const group *g, const int32_t *off, unsigned bytes)
{
    uint64_t s[64];
    unsigned n = 0, sorted = 1;
    for (uint32_t m = g->active; m; m &= m - 1) {
        uintptr_t a = g->base + (uintptr_t)(intptr_t)off[__builtin_ctz(m)];
        uint64_t first = a >> 5, last = (a + bytes - 1) >> 5;
        for (uint64_t k = first; k <= last; k++) {
            if (n && s[n - 1] == k)
                continue;
            if (n && s[n - 1] > k)
                sorted = 0;
            s[n++] = k;
        }
    }
    if (sorted)
        return n;
    qsort(s, n, sizeof *s, by_value);
    unsigned d = 1;
    for (unsigned i = 1; i < n; i++)
        d += s[i] != s[i - 1];
    return d;
}

// Passes that the 32 banks need. Wide accesses go in halves or quarters of the
// warp; within one pass a bank gives one word to any number of lanes.
static unsigned wavefronts(const group *g, const int32_t *off, unsigned bytes, int atomic, unsigned *parts_used)
{
    unsigned parts = bytes == 16 ? 4 : bytes == 8 ? 2 : 1, lanes = 32 / parts, total = 0;
    *parts_used = 0;
    for (unsigned p = 0; p < parts; p++) {
        uint32_t m = g->active & (parts == 1 ? ~0u : ((1u << lanes) - 1) << (p * lanes));
        if (!m)
            continue;
        ++*parts_used;
        uint32_t words[32][32]; // by bank
        uint8_t n[32] = {0}, most = 1;
        for (; m; m &= m - 1) {
            uintptr_t a = g->base + (uintptr_t)(intptr_t)off[__builtin_ctz(m)];
            for (unsigned w = 0; w < (bytes + 3) / 4; w++) {
                uint32_t word = (uint32_t)((a >> 2) + w), bank = word & 31;
                unsigned k = 0;
                if (!atomic)
                    while (k < n[bank] && words[bank][k] != word)
                        k++;
                else
                    k = n[bank]; // equal addresses wait for each other
                if (k == n[bank] && n[bank] < 32) {
                    words[bank][n[bank]++] = word;
                    if (n[bank] > most)
                        most = n[bank];
                }
            }
        }
        total += most;
    }
    return total;
}

// What the instruction costs. Of each lane's access `bytes`; `atomic` matters in shared memory only.
static inline void count_instruction(const group *g, const int32_t *off, unsigned bytes, int shared, int atomic,
                                     sums *one)
{
    memset(one, 0, sizeof *one);
    one->lanes = (unsigned)__builtin_popcount(g->active);
    if (shared) {
        unsigned parts;
        one->instructions = 1;
        one->wavefronts = wavefronts(g, off, bytes, atomic, &parts);
        one->conflicts = one->wavefronts - parts;
    } else {
        one->requests = 1;
        one->sectors = distinct_sectors(g, off, bytes);
        one->ideal = (one->lanes * bytes + 31) / 32;
        if (one->ideal > one->sectors)
            one->ideal = one->sectors; // several lanes share a word
    }
}

#endif
