/* race.h: two accesses that nothing orders: which of them are races, and their report. */
#ifndef CHECKER_RACE_H
#define CHECKER_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

enum { READ_AFTER, AFTER_READ, WRITE_WRITE }; /* a read after a write, a write after a read, a write after a write */

/* An access of the running OS thread, and one on record that nothing orders before it. */
/* Of distributed shared memory: whose it is, and the block of the other access. */
typedef struct check_others {
    worker *owner;
    uint32_t block;
} check_others;

typedef struct check_race {
    int how;
    uintptr_t a;
    unsigned bytes;
    int flags; /* A_... of the access */
    void *pc;
    uint32_t thread;
    int shared;
    uint32_t segment; /* of the other one */
    uint32_t other_thread;
    void *other_pc;
    int other_atomic;
    void *look;          /* the plain read of a word that is changed atomically, if it is one: looks.h */
    check_others others; /* owner NULL: not distributed shared memory */
} check_race;

extern check_finding *check_host_looks[16];
extern int check_host_look_count;
void check_report_race(worker *w, const check_race *r);
extern __thread uint64_t check_exchanged;
int check_replaces(uintptr_t a, unsigned bytes, int flags);
void check_look_then_atomic(void *look, uintptr_t a, unsigned bytes, int flags);
void check_resolve(worker *w, uintptr_t a, int flags); // the access that follows, or 0
extern int check_host_flags;                           // the host has written something that kernels may wait for
void check_acquire_from_host(worker *w, record r);
void check_acquire_late(worker *w);
void check_conflict(worker *w, record r, int how, uintptr_t a, unsigned bytes, int flags, void *pc, int shared);
/* The same in distributed shared memory. */
void check_conflict_remote(worker *w, const check_others *o, record r, int how, uintptr_t a, unsigned bytes, int flags,
                           void *pc);

#endif
