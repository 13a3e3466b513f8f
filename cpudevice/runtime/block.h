/* block.h: a block on its OS thread: worker, fibers, barriers, warps, and the watchdog over it. */
#ifndef BLOCK_H
#define BLOCK_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cpudev_core.h"

extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;

enum { OP_GATHER, OP_SHUFFLE, OP_BALLOT, OP_SYNC, OP_ACTIVE, OP_CALL, OPS };

typedef struct cpudev_request { /* a lane's part in a warp's rendezvous; lives on the lane's stack */
    unsigned mask;
    int op;
    const void *in;
    void *out;
    unsigned bytes, src;
    void (*call)(void *const *lanes); /* OP_CALL: done once, with every lane's `out` */
    const void *site;
    int done;
} cpudev_request;

typedef struct cpudev_worker { /* what an OS thread needs to run blocks */
    struct command *command;   /* the launch it works on */
    const cpudev_work *work;
    const void *closure;
    unsigned threads;             /* of a block */
    unsigned long long block;     /* linear index */
    unsigned long long block_end; /* of those that it has taken */
    cpudev_fiber *fibers;         /* by linear thread index; thread t is alive iff fibers[t].live */
    cpudev_fiber *root;           /* the fiber that has the worker's own stack */
    cpudev_fiber scratch;         /* where an ended fiber's state goes */
    char *stacks;                 /* threads x stack_bytes, the lowest page of each a guard */
    size_t stack_bytes;
    unsigned stack_count, stacks_ready;
    struct {
        unsigned live, arrived;
    } warps[MAX_WARPS];
    unsigned progress, seen_progress, idle; /* deadlock detection */
    unsigned long long yields;
    struct {
        int sum, and_, or_;
    } reduce[2];
    char *dynamic_shared; /* MAX_SHARED_OPTIN bytes */
    jmp_buf abort;        /* where a failing kernel goes */
    jmp_buf kill;         /* where a thread goes that an observer ends */
    int abort_status;     /* cudaError_t */
    volatile int in_kernel;
    unsigned grid_epoch;
    bool waits_outside;
    bool nested;             /* the block's threads have called the runtime: */
    struct launch *launches; /* <<<...>>> of its threads that wait for their kernel's arguments */
    int nlaunches, launches_room;
    struct CUstream_st *own_streams[3]; /* the block's own: default, fire and forget, tail launch; NULL until used */
    cudaError_t *errors;                /* of each thread's last call that failed; NULL while none has */
    int index;                          /* 0 .. */
    pthread_t pthread;
    _Atomic unsigned long long heartbeat; /* changes at every block and switch that the watchdog should see */
    volatile int watchdog_fired;
    unsigned ended;  /* threads: progress that the watchdog believes */
    unsigned events; /* warps met: also progress, but an endless loop may go on meeting */
    cpudev_block *tls;
    unsigned long long seen; /* the watchdog's */
    unsigned long long seen_ends;
    double stuck_ms, endless_ms, cpu_ms;
} cpudev_worker;

extern __thread cpudev_worker *this_worker; /* of this OS thread; NULL until it has one */
cpudev_worker *worker_of_this_thread(void);

/* ---- block.c ---- */

/* Returns how many blocks it has run, from the first on: those behind one that waits for others may be given back. */
unsigned long long run_blocks(cpudev_worker *w, struct command *c, unsigned long long first, unsigned long long end);
void fail_kernel(int status) __attribute__((noreturn));
void describe_place(char *text, size_t size); /* "kernel k (f.cu:12), block (0,0,0), thread (1,0,0)" */

/* ---- wait.c, meet.c, warp.c ---- */

bool blocked(const cpudev_fiber *f);
void wait_turn(cpudev_worker *w); /* one turn of waiting, once the thread has looked and must go on waiting */
bool try_meet(cpudev_worker *w, unsigned warp, unsigned lane);
void retry_warp(cpudev_worker *w, unsigned warp); /* a lane has ended: those that named it wait no longer */
void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site);

/* ---- fault.c, watchdog.c ---- */

void install_fault_handler(void);
void arm_alternate_stack(void);
void start_watchdog(void);
void watch_worker(cpudev_worker *w);
void unwatch_worker(cpudev_worker *w);

#endif
