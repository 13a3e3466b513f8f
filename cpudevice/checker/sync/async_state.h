/* async_state.h: a block's asynchronous operations, as the files async*.c share them. */
#ifndef CHECKER_ASYNC_STATE_H
#define CHECKER_ASYNC_STATE_H

#include "report/findings.h"
#include "observe/observer.h"
#include "race/order.h"
#include "race/race.h"
#include "race/record.h"
#include "race/release.h"
#include "core/worker.h"

enum { OF_BULK, OF_WGMMA, OF_MBARRIER }; /* ASYNC_... of the runtime */
enum { READ_DONE, ALL_DONE, STAGES };
enum { GRAIN = 16, WORDS = 4, READERS = 4, GROUP_OWNERS = 1024 }; /* a grain has so many words of 4 bytes */

/* An operation that writes to another block's shared memory is one of that block's, too: its copy there says when it is
 * over. */
typedef struct async_operation {
    cpudev_async a;
    uint32_t epoch; /* of the issuer when it began */
    worker *issuer; /* the block whose thread began it */
    worker *to;     /* the block that has the copy; NULL: none has */
    uint32_t copy;  /* its number there */
    bool reads_own; /* it reads its own block's shared memory */
    struct {
        uint32_t chain, number; /* who knows this release knows that the stage is over; chain 0: nobody can yet */
    } over[STAGES];
} async_operation;

typedef struct async_grain {
    uint32_t writer[WORDS], reader[READERS]; /* operations of this block, by number; 0: none */
    uint8_t rewritten;                       /* a bit per word: by threads, since the writer */
    uint8_t first;                           /* a bit per word: nothing had been written there before the writer */
} async_grain;

/* The words of the grain at p that the bytes at a have, from `from` to before `to`. */
typedef struct grain_words {
    unsigned from, to;
} grain_words;

struct check_async {
    async_operation *of; /* [0] is none */
    uint32_t count, room;
    async_grain *grains[2]; /* of the areas */
    size_t grain_bytes[2];
    uint32_t chain[2][GROUP_OWNERS][STAGES]; /* of bulk and wgmma groups, by owner */
    uint32_t issued[2][GROUP_OWNERS];        /* operations of it */
};

/* By thread: its accesses before this epoch are behind a proxy fence; and those of all threads before `all`. */
struct check_fences {
    uint32_t of[1024], all;
};

struct check_async *check_async_state(worker *w); /* of any block; made with the block's first operation */
struct check_fences *check_fences(void);          /* of the OS thread: fences come before the first operation, too */
async_operation *check_async_add(worker *t);      /* an empty one, of which a.number is set */
/* Does the running thread know that the stage is over? */
int check_async_is_over(worker *w, const async_operation *o, int stage);
const char *check_async_wait_of(const async_operation *o, int write); /* what one waits for, in words */
/* The running thread reads or writes what an operation still writes, or writes what it still reads. */
void check_async_too_early(worker *w, worker *t, const async_operation *o, uintptr_t a, int flags, void *pc,
                           int o_writes);

/* A finding about an address of the shared memory of t; NULL if the place is known already. Then the other party. */
check_finding *check_async_finding(worker *w, worker *t, check_finding *f, const char *kind, uintptr_t a, void *pc,
                                   const char *verb);
void check_async_other(const worker *w, check_finding *f, uint32_t block, uint32_t thread, void *pc);

static inline async_grain *async_grain_at(struct check_async *s, const worker *w, const struct check_area *ar,
                                          uintptr_t a)
{
    return &s->grains[ar == &w->area[1]][(a - ar->lo) / GRAIN];
}

static inline grain_words words_of(uintptr_t p, uintptr_t a, size_t bytes)
{
    return (grain_words){a > p ? (unsigned)(a - p) / 4 : 0,
                         a + bytes < p + GRAIN ? (unsigned)(a + bytes - p + 3) / 4 : WORDS};
}

static inline uint8_t bits_of(grain_words of) { return (uint8_t)((1u << of.to) - (1u << of.from)); }

/* Something that waits for the thread's next access must not wait for one of the hardware's. */
static inline void async_resolve(worker *w)
{
    if (w->strong.late)
        check_acquire_late(w);
    check_look_was_last(w);
    if (w->busy)
        check_resolve(w, 0, 0);
}

#endif
