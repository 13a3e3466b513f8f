/* release.h: what the threads of an operation have released, and seen of others' releases. */
#ifndef CHECKER_RELEASE_H
#define CHECKER_RELEASE_H

#include <stdint.h>

#include "race/clock.h"
#include "observe/observer.h"
#include "core/operation.h"
#include "core/worker.h"

/* A strong access of the running thread. */
typedef struct check_strong {
    uintptr_t a;
    int narrow; /* of block scope */
    int is_volatile;
    int acquires, orders; /* by the order that it names: reads acquire; a write releases */
    const void *load;     /* where, of an access that does nothing but read; else NULL */
} check_strong;

/* Between these two the access itself is made: what it reads and writes is what is on record. */
void check_strong_begin(worker *w);
void check_strong_end(worker *w, check_strong *s, int read, int written);
/* A thread that polls acquires by the last of its loads alone: what it saw in vain it might as well not have seen. So what
 * a load acquires waits in w->strong.looked, and w->busy is set, until the thread goes on. */
void check_look_was_last(worker *w);
void check_fence_passed(worker *w, int scope); /* FENCE_... */
/* The running thread's last volatile read, of global memory, came after its callback: it may have seen what another
 * operation has released meanwhile. (The blocks of its own take turns.) */
void check_seen_late(worker *w, uintptr_t a);
/* Was the last strong write of the word of block scope, or a read by another block whose word the running thread
 * writes? */
int check_narrow_elsewhere(worker *w, uintptr_t a, int write);
int check_has_fenced(const worker *w); /* the running thread, or its block before the last barrier */

/* ---- the rest is for order.c and passed.c, and under the lock ---- */

/* Who sees a release: the releasing block, other blocks of its device, those of other devices. */
enum { NARROW, WIDE, FAR, LEVELS };

/* A fence of the thread, or the whole of its past for a write of release order: what a release publishes. */
typedef struct past {
    uint32_t own, barrier, warp; /* accesses below these epochs: its own, the block's, its warp's */
    int scope;                   /* FENCE_...; 0: no fence yet */
    check_clock *known;
} past;

/* A strong write: by whom, and the how manieth of the operation's. */
typedef struct check_written {
    uint32_t op, block, thread;
    uint64_t at; /* 0: none */
    int is_volatile;
} check_written;

enum { WRITES_SEEN = 2 };

/* What one thread of the block knows beyond what the whole block does. */
struct check_thread_sync {
    check_clock *known;              /* by acquire patterns */
    check_clock *observed[LEVELS];   /* read, but behind no fence yet, by whose release it is */
    past fence[LEVELS];              /* its last fence that reaches so far */
    check_written seen[WRITES_SEEN]; /* the last flags of other blocks that it has read: passed.c */
    uint32_t next_seen;
};

/* Threads that had passed a fence when they came to a barrier: what they did before it is published by whoever releases
 * behind the barrier. */
struct check_fenced {
    struct check_fenced *next;
    uint32_t barrier; /* epoch */
    int scope;
    uint8_t thread[128];
};

/* A release: which accesses of its block it publishes, to whom, and its place in a chain. */
struct check_release {
    past by[LEVELS];
    uint32_t thread;
    int narrow; /* the write was of block scope */
    const struct check_fenced *fenced;
    uint32_t chain, number;
    uint32_t until;         /* all accesses that it publishes are of epochs below; ascending in the block's list */
    uint32_t before, after; /* places in the list, from 1, of the block's neighbours of the chain; 0: none */
};

/* A word that some thread has released. */
struct check_flag {
    uintptr_t key;
    uint32_t chain, number;     /* chain 0: nothing to be seen, its last write released nothing */
    check_clock *clock[LEVELS]; /* what a read that acquires comes to know, by whose block it is */
    uint32_t op, block;         /* of the last release */
    int narrow;                 /* its last write was of block scope */
    uint64_t narrow_reader;     /* the block that last read it by an access of block scope, see who() */
    check_written last;         /* kept from the operation's first volatile write on */
};
struct check_words {
    struct check_flag *of;
    uint32_t count, room; /* room is a power of two; 0: none yet */
};
/* Of an operation: words in the shared memory of its blocks. Those in global memory are all operations' (release.c). */
struct check_flags {
    struct check_words shared;
    uint64_t writes; /* strong ones, from the first volatile one on */
    struct check_fenced *fenced;
};

/* One lock for the flags and clocks of all operations. */
extern int check_order_locked;
static inline void check_order_lock(void)
{
    cpudev_hold();
    while (__atomic_exchange_n(&check_order_locked, 1, __ATOMIC_ACQUIRE))
        ;
}
static inline void check_order_unlock(void)
{
    __atomic_store_n(&check_order_locked, 0, __ATOMIC_RELEASE);
    cpudev_let_go();
}

/* The running thread releases all that it has done and knows: who knows this number of the chain has seen it. The clock
 * that comes with the release; the caller drops it. */
check_clock *check_release_all(worker *w, uint32_t chain, uint32_t number);
/* What a strong write of the running thread would release now: only for check_publishes(). */
struct check_release check_release_now(const worker *w, const check_strong *s);
/* Does the release publish the access of thread t of its block in that epoch to that level? */
int check_publishes(const struct check_release *r, int to, uint32_t epoch, uint32_t t);
void check_flags_make(check_op *op);
int check_level(const worker *w, const check_op *op, uint32_t block); /* who the running thread is to that block */
void check_words_free(struct check_words *words);
void check_words_forget(void); /* no operation is left */
/* The flag at an address as the running block sees it; NULL if there is none and `make` is not set. */
struct check_flag *check_flag_at(worker *w, uintptr_t a, int make);
struct check_thread_sync *check_my_sync(worker *w);

#endif
