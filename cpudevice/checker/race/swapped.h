/* swapped.h: two sections of one lock, judged in the order in which they did not come. */
#ifndef CHECKER_SWAPPED_H
#define CHECKER_SWAPPED_H

#include <stdint.h>

#include "core/worker.h"

enum { USES = 2048, BUCKETS = 256 };

typedef struct check_use {
    uintptr_t a;
    void *pc;
    uint64_t before; /* of a write: the value that it found */
    uint32_t thread, epoch;
    int earlier[2]; /* in its bucket: the use before it, and the write before it; -1: there is none */
    uint8_t bytes;
    uint8_t writes, differs;    /* differs: a write of a word that has another value after the section than before */
    uint8_t hidden;             /* a later write of the section to the same word is on record in its place */
    uint8_t acquired, released; /* it comes after an acquisition, before a release that reaches other blocks */
} check_use;

/* What a block did while one of its threads held a lock, in the order in which its threads ran. */
typedef struct check_section {
    uint32_t op, block, thread, grid; /* thread: that one */
    uint32_t barrier, epoch;          /* the last */
    uint64_t began, looked; /* by the clock of held.c: when; when its block last saw what others may have changed */
    int known;              /* it is all here */
    int met, acquired;      /* so far: the block has come to a barrier; the thread has acquired */
    void *take, *give;
    int count, room;
    int last[2][BUCKETS]; /* by address, see check_bucket(): the last use, and the last write; -1: there is none */
    check_use *of;
} check_section;

/* Where uses of the same 16 bytes are: no use is of two such places. */
static inline unsigned check_bucket(uintptr_t a) { return (unsigned)((a >> 4) * 0x9e3779b97f4a7c15u >> 40) % BUCKETS; }

static inline int check_uses_overlap(const check_use *x, const check_use *y)
{
    return x->a < y->a + y->bytes && y->a < x->a + x->bytes;
}

/* Could y's section have come before x's, which it followed? */
int check_may_swap(const check_section *x, const check_section *y);
/* Reports what nothing would order then. y is the running thread's. */
void check_swapped(worker *w, const check_section *x, const check_section *y);

#endif
