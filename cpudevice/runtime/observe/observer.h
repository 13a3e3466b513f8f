/* observer.h: what the runtime reports to its observers, and the few questions that it asks them.
 *
 * An observer is one table of callbacks.  It subscribes once, before main or later; from then on each event calls its
 * member of the same name, and a member that is NULL is passed over.  Observers are called in the order in which they
 * subscribed.  Events of the host come on the thread that made the CUDA call, in the order of the calls; events of the
 * device come on the OS thread that runs the block.  The profiler, the checker and the counters subscribe; the runtime
 * knows nothing of them but this table, and an event that nobody watches costs one load and one branch.
 *
 * The members under "Questions" differ: the first observer that has such a member decides for all. */
#ifndef CPUDEVICE_OBSERVER_H
#define CPUDEVICE_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpudevice.h"

enum { CPUDEV_OBSERVERS = 4 }; /* at most so many subscribe */

/* Why a launch cannot be. */
typedef enum {
    CPUDEV_WHY_OTHER, /* as the words say, if there are any */
    CPUDEV_WHY_EMPTY,
    CPUDEV_WHY_LARGE_BLOCK,
    CPUDEV_WHY_LARGE_GRID,
    CPUDEV_WHY_LAUNCH_BOUNDS,
    CPUDEV_WHY_STATIC_SHARED,
    CPUDEV_WHY_DYNAMIC_SHARED,
    CPUDEV_WHY_LARGE_CLUSTER,
    CPUDEV_WHY_PART_OF_CLUSTER,
    CPUDEV_WHY_COOPERATIVE,
    CPUDEV_WHY_OTHER_DEVICE,
    CPUDEV_REASONS
} cpudev_reason;

/* The runtime call that this host thread is in: the outermost, since API functions call each other. */
typedef struct cpudev_call {
    const char *name; /* "cudaMemcpy"; NULL outside the runtime */
    void *caller;     /* the address that the API function returns to */
    const char *why;  /* set by the runtime where it fails: the reason in words */
    cpudev_reason reason;
} cpudev_call;
extern __thread cpudev_call cpudev_api; /* kept up while there is an observer */

enum {
    CPUDEV_MEM_DEVICE,
    CPUDEV_MEM_MANAGED,
    CPUDEV_MEM_PINNED,
    CPUDEV_MEM_HEAP /* malloc or new in a kernel */,
    CPUDEV_MEM_GRAPH /* device memory that is there from an operation CPUDEV_OP_ALLOC of its own to a free */
};

enum {
    CPUDEV_OP_KERNEL,
    CPUDEV_OP_COPY,
    CPUDEV_OP_SET,
    CPUDEV_OP_HOSTFN,
    CPUDEV_OP_ALLOC,
    CPUDEV_OP_FREE,
    CPUDEV_OP_CONDITIONAL /* it does nothing but have other operations follow as its own */
};

/* A piece of work on a stream, as observers know it: each keeps what it likes in its own place. */
typedef struct cpudev_op {
    void *of[CPUDEV_OBSERVERS]; /* [i] is the observer's whose number (observer_add) is i */
} cpudev_op;

/* A stream's id has its device from this bit on; the bits below are 0 in a device's legacy default stream. */
enum { STREAM_DEVICE_SHIFT = 24 };

/* What is put on a stream. */
typedef struct cpudev_op_desc {
    int kind;        /* CPUDEV_OP_... */
    uint64_t stream; /* its id */
    /* a kernel */
    const char *name;
    const char *file; /* where it is written */
    int line;
    uint32_t grid[3], block[3];
    size_t dynamic_smem, static_smem; /* bytes */
    int cooperative;
    /* a copy or set: `slices` times `rows` rows of `bytes` */
    void *dst;
    const void *src;
    size_t bytes, rows, dpitch, spitch, slices, dslice, sslice;
    int copy_kind; /* cudaMemcpyKind as the caller gave it */
    int async;     /* the call may return before the work is done */
    /* launched by a kernel, or of a conditional node */
    const cpudev_op *parent;   /* that kernel's launch, or that node; NULL: by the host */
    const void *nested_stream; /* work with the same one comes in order; NULL: in no order */
    int tail;                  /* after the parent and all else that it launched */
} cpudev_op_desc;

typedef struct cpudev_span {
    void *p;
    size_t bytes;
} cpudev_span;

typedef struct cpudev_block_info {
    cpudev_op *op;
    uint32_t block[3];     /* blockIdx */
    uint64_t linear_block; /* x fastest */
    uint32_t threads;
    uint8_t *shared;                    /* dynamic shared memory, and how much of it may ever be touched */
    size_t shared_bytes, dynamic_bytes; /* dynamic_bytes is what the launch asked for */
    const void *args;                   /* the launch's arguments, which each thread copies */
    size_t args_bytes;
    const void *stack; /* of the OS thread, below the frame that runs the block */
    size_t stack_bytes;
    const cpudev_span *own; /* thread-local variables of the runtime that kernels' headers read */
    int owns;
} cpudev_block_info;

/* Mistakes of a kernel that the runtime itself sees. */
enum {
    CPUDEV_SYNC_DIFFERENT_BARRIERS, /* threads of one block stand at different barriers */
    CPUDEV_SYNC_EXITED,             /* a barrier was released while other threads had left the kernel */
    CPUDEV_SYNC_MASK_SELF,          /* the caller is not in its own mask */
    CPUDEV_SYNC_MASK_EXITED,        /* a mask names a lane that has left the kernel, or never was */
    CPUDEV_SYNC_SHFL_INACTIVE,      /* a shuffle reads a lane outside the mask */
    CPUDEV_SYNC_MASK_MISMATCH,      /* lanes that meet gave different masks */
    CPUDEV_SYNC_DEADLOCK,           /* every live thread of the block waits */
    CPUDEV_SYNC_LONG,       /* for a long time barriers were passed, and no thread has ended; the kernel goes on */
    CPUDEV_SYNC_ENDLESS,    /* the watchdog saw no progress */
    CPUDEV_SYNC_ASSERT,     /* assert() or __trap() */
    CPUDEV_SYNC_FAULT,      /* the CPU refused an access */
    CPUDEV_SYNC_GRID,       /* grid.sync() without a cooperative launch */
    CPUDEV_SYNC_GRID_STUCK, /* blocks have left the kernel while others wait at a grid barrier */
    CPUDEV_SYNC_STACK       /* a thread ran into the guard page of its stack */
};

enum { /* where a thread of a block stands */
       CPUDEV_RUNS,
       CPUDEV_AT_BARRIER,
       CPUDEV_AT_WARP, /* at a shuffle, a vote, __syncwarp() */
       CPUDEV_LEFT,
       CPUDEV_AT_GRID,
       CPUDEV_WAITS /* at a barrier of its own kind: cuda::barrier, a tile, a pipeline */
};

typedef struct cpudev_waiter {
    uint32_t thread;
    int state;
    void *pc;       /* the address that the barrier or primitive returns to; NULL if it left */
    uint32_t mask;  /* at a warp primitive */
    uint32_t place; /* of __syncthreads(): line and column in one; 0 if unknown */
} cpudev_waiter;

typedef struct cpudev_mistake {
    int what;                     /* CPUDEV_SYNC_... */
    void *pc;                     /* of the primitive at fault */
    uint32_t thread;              /* the thread at fault, by its linear index in the block */
    uint32_t mask;                /* of a warp primitive; CPUDEV_SYNC_GRID_STUCK: how many blocks have left;
                                   * CPUDEV_SYNC_LONG: how many barriers the block has passed */
    const cpudev_waiter *waiters; /* every thread of the block, where that says more */
    int count;
    const char *note;      /* of a deadlock: what threads wait for at mbarriers; or NULL */
    const void *announced; /* of a deadlock: where bytes were announced that have not come, or the mbarrier was made */
} cpudev_mistake;

enum { CPUDEV_MEET_SYNC, CPUDEV_MEET_SHUFFLE, CPUDEV_MEET_VOTE, CPUDEV_MEET_OTHER };

typedef struct cpudev_meeting { /* lanes of a warp at a shuffle, a vote, __syncwarp() */
    uint32_t warp, lanes;
    int what;           /* CPUDEV_MEET_... */
    const void *site;   /* the address that the primitive returns to */
    uint8_t source[32]; /* of a shuffle: the lane that each lane reads */
    uint32_t yes;       /* of a vote: the lanes whose predicate holds */
} cpudev_meeting;

/* An asynchronous operation of a block (async.h), from its beginning on. */
typedef struct cpudev_async {
    uint32_t number;    /* the checker's */
    const char *name;   /* of the instruction */
    const void *site;   /* the address that it returns to */
    uint32_t thread;    /* the issuer */
    int kind;           /* ASYNC_... */
    const void *object; /* what it completes */
    int stages;
    uint32_t group;   /* of a bulk group or a wgmma group: its number */
    uint32_t swizzle; /* of shared memory that it touches next, the rows' bytes: 128, 64, 32, 16 without; 0: unknown */
    bool reduces;     /* what it writes to memory next is added to what is there, each element atomically */
} cpudev_async;

/* What threads meet at that is no barrier of the whole block: mbarriers, PTX's named barriers. */
enum {
    CPUDEV_POINT_INIT,
    CPUDEV_POINT_ARRIVE, /* the running thread has arrived; */
    CPUDEV_POINT_PHASE,  /* with that a phase has ended; */
    CPUDEV_POINT_PASSED  /* the running thread has seen that it has */
};

/* What works for a block beside its threads' own arithmetic, loads and stores. */
enum {
    CPUDEV_TMA_LOAD,  /* bulk and tensor copies out of global memory, in bytes; */
    CPUDEV_TMA_STORE, /* into it; */
    CPUDEV_TENSOR,    /* products of matrices, in multiply-adds */
    CPUDEV_UNITS
};

typedef struct cpudev_observer {
    /* ---- What the observer needs of the runtime ---- */
    bool timed;              /* call_end and op_end come with times */
    bool sees_host_access;   /* the host's access to device memory need not fault */
    bool reports_deadlock;   /* the runtime does not describe deadlocks itself */
    bool waits_at_exit;      /* what was launched runs before the process ends */
    bool ends_threads;       /* it calls cpudev_thread_kill() */
    bool turns;              /* it calls cpudev_turn() */
    size_t stack_bytes;      /* what its callbacks need of a thread's stack */
    double watchdog_seconds; /* without CUDA_CPU_WATCHDOG; 0: as ever */

    /* ---- Runtime calls ---- */
    void (*call_end)(int status, const cpudev_event *e);   /* e is NULL where nothing was timed */
    void (*error_seen)(int status);                        /* the error state was looked at and held `status` */
    void (*launch_failed)(const char *kernel, int status); /* a launch set the error state */
    void (*launch_args)(const void *args, size_t bytes);   /* before a kernel is queued */
    void (*symbol_address)(const void *p);                 /* cudaGetSymbolAddress has given p out */
    void (*result_at)(void *p, size_t bytes);              /* a call is about to write a result there for the host */
    void (*set_value)(int value);                          /* of a memset */
    void (*handle_made)(const char *what, const void *handle, void *place); /* about to be put into *place */
    void (*handle_gone)(const void *handle);

    /* ---- Order ---- */
    void (*op_enqueue)(cpudev_op *op, const cpudev_op_desc *d);
    void (*op_begin)(cpudev_op *op);                      /* before its first unit runs; the scheduler is locked */
    void (*op_end)(cpudev_op *op, const cpudev_event *e); /* by the thread that ran the last unit */
    void (*stream_create)(uint64_t stream, bool nonblocking);
    void (*stream_destroy)(uint64_t stream);
    void (*stream_sync)(uint64_t stream); /* it returned; also a query that said success */
    void (*device_sync)(void);
    void (*event_record)(const void *event, uint64_t stream);
    void (*event_sync)(const void *event);
    void (*event_elapsed)(const void *event); /* its time is asked for */
    void (*event_destroy)(const void *event);
    void (*stream_wait)(uint64_t stream, const void *event);
    void (*nested_wait)(cpudev_op *parent); /* a kernel makes a stream of its own wait for an event */

    /* ---- Memory ---- */
    /* cudaHostRegister, cudaHostUnregister; `device`: device memory that the runtime did not allocate, mapped and unmapped */
    void (*register_memory)(void *p, size_t bytes, bool on, bool device);
    void (*reset)(void); /* cudaDeviceReset: all memory is about to go */

    /* ---- Blocks and threads ---- */
    void (*block_begin)(const cpudev_block_info *b);
    void (*block_end)(void);
    void (*cluster_left)(void); /* before that: all threads of a block of a cluster have ended */
    void (*thread_now)(uint32_t thread, void *lo, size_t bytes); /* from here on, on this stack */
    void (*thread_exit)(uint32_t thread);
    void (*loop_begin)(void *lo, size_t bytes);     /* the block's threads run in loops, which say whose turn it is */
    void (*barrier)(const void *site);              /* the block's barrier has released; once a barrier */
    void (*syncwarp)(uint32_t warp, uint32_t mask); /* these lanes have met; once, not per lane */
    void (*meet)(const cpudev_meeting *m);          /* lanes have met at any warp primitive; once, not per lane */
    void (*grid_sync)(void);                        /* this block has come to a grid barrier; once a block */
    void (*fence)(int scope);                       /* 0 block, 1 device, 2 system; by the running thread */
    void (*mistake)(const cpudev_mistake *m);       /* the observer reports; the runtime then decides what happens */
    void (*no_texture)(const void *site);           /* a texture object that is none is used */
    /* A texture is made of this memory, and a surface accessed at an x that is no multiple of the element's size. */
    void (*texture_memory)(const void *p, size_t row_bytes, size_t rows, size_t pitch);
    void (*surface_misaligned)(const void *site);
    /* A surface is accessed outside, which ends the kernel: at `at` of `size` in dimension 0, 1 or 2; in bytes in the first. */
    void (*surface_outside)(int dimension, long at, long size, const void *site);
    void (*texel)(const void *p, unsigned bytes, const void *site);  /* a texture is read */
    void (*tile)(const void *p, size_t row_bytes, const void *site); /* wmma loads or stores a tile */
    /* Warps have given a unit so much to do, with so many instructions in sum; once, not per thread. A sparse product
     * counts as the dense one, a copy to several blocks of a cluster once. */
    void (*unit)(int unit, const void *site, unsigned instructions, uint64_t amount);

    /* ---- Asynchronous operations; by the running thread, but for async_lands ---- */
    void (*async_new)(cpudev_async *a); /* one is about to begin */
    /* It will read or write these bytes. Those of one call are ordered together with respect to other accesses. */
    void (*async_touches)(cpudev_async *a, const void *p, size_t bytes, bool write);
    /* Its results will be written to these registers of the running thread. */
    void (*async_holds)(cpudev_async *a, const void *registers, size_t bytes);
    void (*registers_fence)(void); /* wgmma.fence: later operations see what the thread did to its registers */
    /* It reads shared memory in another layout than the one that it was written in. The kernel goes on. */
    void (*async_layout)(cpudev_async *a, const void *p, const char *what);
    void (*async_lands)(cpudev_async *a, int stage);   /* this stage is about to, on whatever thread */
    void (*async_waited)(cpudev_async *a, int stages); /* a wait for its group orders so many stages */
    void (*async_mistake)(const void *site, const char *name, const char *what); /* the kernel is about to be ended */
    void (*async_end)(void);       /* the block ends: what has not landed does now */
    void (*proxy_fence)(int what); /* CPUDEV_FENCE_... */
    void (*point)(int what, const void *object, const void *site);
    void (*point_mistake)(const void *object, const void *site, const char *what); /* the kernel is about to be ended */

    /* ---- Questions ---- */
    void *(*alloc)(int kind, size_t bytes);                  /* NULL: out of memory; 256-aligned */
    int (*free)(int kind, void *p);                          /* 0, or the cudaError_t to return */
    bool (*find)(const void *p, void **base, size_t *bytes); /* the live allocation that p lies in */
    int (*kind_of)(const void *p);                           /* CPUDEV_MEM_... at or near p, freed or not; -1: none */
    int (*copy_args)(const cpudev_op_desc *d); /* before a copy or set is queued: 0, or the error to return */
    bool (*readable)(const void *p);           /* may a handle be looked at? One that was never set may be anything */
    uint32_t (*loop_thread)(void);             /* which thread a loop over threads is at */
} cpudev_observer;

/* Returns the observer's number, or -1 if there is no room.  The table must live until observer_remove. */
int observer_add(const cpudev_observer *o);
void observer_remove(const cpudev_observer *o);

/* For observers with `turns`, which let the blocks of a launch that communicate run in the order of their numbers, on any
 * machine (turn.c).  Before an access that other blocks may wait for, the observer calls cpudev_turn(), and the running
 * block waits for its turn; afterwards it tells whether the access has changed memory, and whether it publishes others. */
void cpudev_turn(void);
bool cpudev_has_turn(void); /* cpudev_turn() would return at once */
void cpudev_turn_changed(void);
void cpudev_turn_publishes(void);
void cpudev_turn_shown(void); /* the running block has published, or does so before its next cpudev_turn() */

/* Of the running kernel's device: may it access the memory of every device that has any? If not, the device that the
 * memory at p belongs to and that it may not access; -1: it may. */
bool cpudev_reaches_all(void);
int cpudev_out_of_reach(const void *p);

/* Twice the number of locks that the OS thread holds or waits for, plus one if the watchdog wants to end its kernel: that
 * happens when it holds none, as a lock that an ended thread held would stay locked for ever. */
extern __thread volatile int cpudev_holds;
/* It holds none any more: the kernel ends if the watchdog still wants that. */
void cpudev_holds_none(void);

static inline void cpudev_hold(void) /* before the thread takes a lock */
{
    cpudev_holds += 2;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void cpudev_let_go(void) /* after it has unlocked it */
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    int holds = cpudev_holds - 2;
    cpudev_holds = holds;
    if (__builtin_expect(holds == 1, 0))
        cpudev_holds_none();
}

static inline void cpudev_let_go_for_now(void) /* the same; the watchdog's next signal ends the kernel, not this call */
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    int holds = cpudev_holds - 2;
    cpudev_holds = holds == 1 ? 0 : holds;
}

/* For observers with `ends_threads`: the running thread leaves its kernel at once, as after a fault. */
void cpudev_thread_kill(void) __attribute__((noreturn));

#endif
