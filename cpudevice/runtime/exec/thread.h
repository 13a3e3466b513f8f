/* thread.h: an OS thread that runs blocks (a worker), and the kernel's thread that it is running.
 *
 * cpudev_tls, threadIdx and the like are what compiled kernels see of it (cpudev_core.h). */
#ifndef THREAD_H
#define THREAD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cpudev_abi.h"
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

/* What files keep of the block or the OS thread that a worker is, each in a part of its own. */
struct worker_stacks {     /* fiber.c */
    char *memory;          /* count x bytes, the lowest page of each a guard */
    size_t bytes;          /* of one */
    unsigned count, ready; /* ready: those whose guard is set */
};
struct worker_turn {       /* turn.c */
    bool held, changed;    /* the block has the turn, and has changed memory since it came */
    unsigned char shown;   /* whether the block has published data, and others have begun since */
    const void *first;     /* the thread that polled first in the round that is under way */
    unsigned stamp, polls; /* of that round */
    volatile int waits;    /* or has the turns' lock: the watchdog must not tear it out of it */
};
struct worker_calls {               /* nested.c, pending.c, nested_stream.c: runtime calls by the block's threads */
    bool kept;                      /* something here is to be forgotten before the next block */
    struct launch *launches;        /* <<<...>>> whose arguments are being computed */
    int count, room;                /* of launches */
    struct CUstream_st *streams[3]; /* the block's own: default, fire and forget, tail launch; NULL until used */
    cudaError_t *errors;            /* of each thread's last call that failed; NULL while none has */
};
struct worker_watch {                     /* watchdog.c */
    _Atomic unsigned long long heartbeat; /* changes at every block and switch that the watchdog should see */
    unsigned ended;                       /* threads: progress that the watchdog believes */
    unsigned events;                      /* warps met: also progress, but an endless loop may go on meeting */
    volatile int fired;                   /* what it asks for */
    unsigned long long steps, ends;       /* at its last look */
    double stuck_ms, endless_ms, cpu_ms;
    volatile bool told_long; /* since a block or thread last ended */
};

typedef struct cpudev_worker { /* what an OS thread needs to run blocks */
    /* the launch and the block */
    struct command *command;
    const cpudev_work *work;
    const void *closure;
    unsigned threads;             /* of a block */
    unsigned long long block;     /* linear index */
    unsigned long long unit;      /* the place of the block, or of its cluster, in the launch's order (order.h) */
    unsigned long long begun;     /* blocks since the OS thread began: this one's number */
    unsigned long long block_end; /* of the units that it has taken */
    char *dynamic_shared;         /* MAX_SHARED_OPTIN bytes */
    unsigned grid_epoch;
    uintptr_t float_control; /* what the OS thread had before a launch without subnormal numbers */
    /* its threads */
    cpudev_fiber *fibers; /* by linear thread index; thread t is alive iff fibers[t].live */
    cpudev_fiber *root;   /* the fiber that has the worker's own stack */
    unsigned place;       /* in another order than forward (order.h): of the thread that began, or went on, last */
    cpudev_fiber scratch; /* where an ended fiber's state goes */
    struct worker_stacks stacks;
    struct {
        unsigned live, arrived; /* lanes, as bits */
    } warps[MAX_WARPS];
    struct {
        int sum, and_, or_;
    } reduce[2];
    /* its progress, by which a deadlock is found */
    unsigned progress, seen_progress, idle;
    unsigned tries, fruitless; /* threads in wait_try(), and how often in a row it gave up */
    unsigned long long yields;
    /* how it ends */
    jmp_buf abort;    /* where a failing kernel goes */
    jmp_buf kill;     /* where a thread goes that an observer ends */
    int abort_status; /* cudaError_t */
    volatile int in_kernel;
    /* its cluster */
    struct cluster *cluster, *own_cluster; /* of the running block, with its rank there; that which this worker leads */
    unsigned rank;
    struct shared_window *window;      /* where its shared memory lies (shared_window.c) */
    struct cpudev_async_engine *async; /* work beside the block's threads (async.c); NULL until there was some */
    struct worker_turn turn;
    struct worker_calls calls;
    struct worker_watch watch;
    /* the OS thread */
    int index; /* 0 .. */
    pthread_t pthread;
    cpudev_block *tls;
} cpudev_worker;

extern __thread cpudev_worker *this_worker; /* of this OS thread; NULL until it has one */

/* The running thread's linear index in its block.  Where the block's threads run in a loop, an observer knows it. */
unsigned running_thread(void);
void describe_place(char *text, size_t size); /* "kernel k (f.cu:12), block (0,0,0), thread (1,0,0)" */
/* Ends the kernel of the running thread with this cudaError_t, which stays the device's. */
void fail_kernel(int status) __attribute__((noreturn));

#endif
