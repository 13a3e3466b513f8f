/* held.h: locks: fences that one holder of a lock lacks are missing whichever holder comes first.
 *
 * order.c judges two accesses in the order in which they came. A lock's holder that lacks its acquire fence is in no
 * danger when it comes first, nor is one that lacks its release fence when it comes last; a holder may be one thread, or
 * a block of which one thread holds the lock for all. But the lock lets the two come in the other order too, unless
 * something else keeps the second behind the first. held.c looks for what could, and where nothing does, judges the two
 * in that other order. */
#ifndef CHECKER_HELD_H
#define CHECKER_HELD_H

#include <stdint.h>

#include "core/worker.h"
#include "race/release.h"

/* A strong access of the running thread to a word of global memory. */
typedef struct check_word_access {
    const check_strong *sync;
    unsigned bytes;
    int reads, writes;
    int replaces; /* a compare-and-swap, or an exchange: it may take a lock */
    int adds;     /* a read-modify-write whose new value depends on the old one: no lock is made of it */
    int later;    /* a volatile write: it is made after this call, so `after` is unknown */
    uint64_t before, after;
    void *pc;
} check_word_access;

/* Between check_strong_begin() and check_strong_end(). */
void check_held_word(worker *w, const check_word_access *s);
/* After check_strong_end(), if w->held.before_it: judges the section that has ended and the one before it. */
void check_held_judge(worker *w);

/* The five below: only while w->held.open. */
void check_held_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc);
void check_held_fence(worker *w, int scope); /* FENCE_..., once it is passed */
void check_held_barrier(worker *w);          /* of the block, once it is passed */
void check_held_thread(worker *w);           /* another thread runs */
void check_held_exit(worker *w);             /* the running thread ends */

void check_held_block_begin(worker *w);

#endif
