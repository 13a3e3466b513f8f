/* thread.h: an OS thread that runs blocks (a worker), and the kernel's thread that it is running.
 *
 * cpudev_tls, threadIdx and the like are what compiled kernels see of it (cpudev_core.h). */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cpudev_core.h"
#include "device/sizes.h"

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
    const void *site;                 /* the address that the primitive returns to */
    int done;
} cpudev_request;

typedef struct cpudev_worker { /* what an OS thread needs to run blocks */
    struct command *command;   /* the launch it works on */
    const cpudev_work *work;
    const void *closure;
    unsigned threads;             /* of a block */
    unsigned long long block;     /* linear index */
    unsigned long long unit;      /* of the launch: the block, or its cluster */
    unsigned long long begun;     /* blocks since the OS thread began: this one's number */
    unsigned long long block_end; /* of the units that it has taken */
    cpudev_fiber *fibers;         /* by linear thread index; thread t is alive iff fibers[t].live */
    cpudev_fiber *root;           /* the fiber that has the worker's own stack */
    cpudev_fiber scratch;         /* where an ended fiber's state goes */
    char *stacks;                 /* threads x stack_bytes, the lowest page of each a guard */
    size_t stack_bytes;
    unsigned stack_count, stacks_ready;
    struct {
        unsigned live, arrived; /* lanes, as bits */
    } warps[MAX_WARPS];
    unsigned progress, seen_progress, idle; /* deadlock detection */
    unsigned tries, fruitless;              /* threads in wait_try(), and how often in a row it gave up */
    struct cpudev_async_engine *async;      /* work beside the block's threads (async.c); NULL until there was some */
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
    struct cluster *cluster, *own_cluster; /* of the running block, with its rank there; that which this worker leads */
    unsigned rank;
    void (*free_cluster)(struct cpudev_worker *w); /* own_cluster, if there is one */
    struct shared_window *window;                  /* where its shared memory lies (shared_window.c) */
    bool turn, turn_changed; /* turn.c: the block has the turn, and has changed memory since it came */
    unsigned char shown;     /* turn.c: whether the block has published data, and others have begun since */
    const void *round_first; /* the thread that polled first in the round that is under way */
    unsigned round_stamp, round_polls;
    volatile int waits_for_turn; /* or has the turns' lock: it must not be torn out of it */
    /* Threads of the block wait, perhaps for another block, which needs an OS thread to run on. */
    void (*blocks_wait)(struct cpudev_worker *w);
    /* Set where something was kept for the block's threads; to be called before the next block begins. */
    void (*forget)(struct cpudev_worker *w);
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
    volatile bool told_long; /* since a block or thread last ended */
} cpudev_worker;

extern __thread cpudev_worker *this_worker; /* of this OS thread; NULL until it has one */

/* The running thread's linear index in its block.  Where the block's threads run in a loop, an observer knows it. */
unsigned running_thread(void);
void describe_place(char *text, size_t size); /* "kernel k (f.cu:12), block (0,0,0), thread (1,0,0)" */
/* Ends the kernel of the running thread with this cudaError_t, which stays the device's. */
void fail_kernel(int status) __attribute__((noreturn));

#endif
