/* runtime.h: the inside of the CPU device's runtime.
 *
 *   block.c    one block on one OS thread: fibers, barriers, warps, deadlock report
 *   sched.c    workers, streams, events, launches
 *   memory.c   the device's memory, copies, host access that faults
 *   api.c      device properties, limits, occupancy, errors, tools
 *   graph.c    stream capture and graphs
 *   nested.c   what kernels may call of the runtime: launches, streams, memory
 *   tell.c     what observers (observer.h) are told
 *
 * The profiler and the checker watch through observer.h; no file here knows them. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cpudev_core.h"
#include "observer.h"

enum {
    WARP = 32,
    MAX_THREADS = 1024,                 /* a block */
    MAX_WARPS = MAX_THREADS / WARP,
    MAX_SHARED = 48 * 1024,             /* a block, unless the kernel opts in */
    MAX_SHARED_OPTIN = 227 * 1024,
    MAX_RESIDENT_THREADS = 2048,        /* a multiprocessor */
    MAX_RESIDENT_BLOCKS = 32,
    SHARED_PER_SM = 228 * 1024,
    MAX_DEPTH = 24,                     /* of kernels launched by kernels */
    MAX_OS_THREADS = 512                /* workers, the extra ones for blocks that wait for other blocks included */
};

extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;

/* ---- block.c ------------------------------------------------------------------------------- */

enum { OP_GATHER, OP_SHUFFLE, OP_BALLOT, OP_SYNC, OP_ACTIVE, OP_CALL, OPS };

typedef struct cpudev_request {         /* a lane's part in a warp's rendezvous; lives on the lane's stack */
    unsigned mask;
    int op;
    const void *in;
    void *out;
    unsigned bytes, src;
    void (*call)(void *const *lanes);   /* OP_CALL: done once, with every lane's `out` */
    const void *site;
    int done;
} cpudev_request;

typedef struct cpudev_worker {          /* what an OS thread needs to run blocks */
    struct command *command;            /* the launch it works on */
    const cpudev_work *work;
    const void *closure;
    unsigned threads;                   /* of a block */
    unsigned long long block;           /* linear index */
    cpudev_fiber *fibers;               /* by linear thread index; thread t is alive iff fibers[t].live */
    cpudev_fiber *root;                 /* the fiber that has the worker's own stack */
    cpudev_fiber scratch;               /* where an ended fiber's state goes */
    char *stacks;                       /* threads x stack_bytes, the lowest page of each a guard */
    size_t stack_bytes;
    unsigned stack_count, stacks_ready;
    struct { unsigned live, arrived; } warps[MAX_WARPS];
    unsigned progress, seen_progress, idle;   /* deadlock detection */
    unsigned long long yields;
    struct { int sum, and_, or_; } reduce[2];
    char *dynamic_shared;               /* MAX_SHARED_OPTIN bytes */
    jmp_buf abort;                      /* where a failing kernel goes */
    jmp_buf kill;                       /* where a thread goes that an observer ends */
    int abort_status;                   /* cudaError_t */
    volatile int in_kernel;
    unsigned grid_epoch;
    bool waits_outside;
    bool nested;                        /* the block's threads have called the runtime: */
    struct launch *launches;            /* <<<...>>> of its threads that wait for their kernel's arguments */
    int nlaunches, launches_room;
    struct CUstream_st *own_streams[3]; /* the block's own: default, fire and forget, tail launch; NULL until used */
    cudaError_t *errors;                /* of each thread's last call that failed; NULL while none has */
    int index;                          /* 0 .. */
    pthread_t pthread;
    _Atomic unsigned long long heartbeat; /* changes at every block and switch that the watchdog should see */
    volatile int watchdog_fired;
    unsigned events;                    /* threads ended, warps met: progress that the watchdog believes */
    cpudev_block *tls;
    unsigned long long seen;            /* the watchdog's */
    double stuck_ms, cpu_ms;
} cpudev_worker;

cpudev_worker *worker_of_this_thread(void);
void run_blocks(cpudev_worker *w, struct command *c, unsigned long long first, unsigned long long end);
void fail_kernel(int status) __attribute__((noreturn));
void describe_place(char *text, size_t size);   /* "kernel k (f.cu:12), block (0,0,0), thread (1,0,0)" */
void install_fault_handler(void);
void arm_alternate_stack(void);
void start_watchdog(void);

/* ---- sched.c ------------------------------------------------------------------------------- */

typedef enum { C_KERNEL, C_COPY, C_SET, C_HOST, C_EVENT, C_MARKER, C_FREE, C_CALLBACK } command_kind;

typedef struct command {
    command_kind kind;
    struct CUstream_st *stream;
    unsigned long long seq;             /* in its stream, from 1 */
    int deps;
    struct command **dependents;
    int ndependents, cap;
    bool ready, finished;
    struct command *next_ready;
    unsigned long long units, next_unit, done_units;
    int running;
    cudaError_t status;
    /* kernel */
    cpudev_kernel *kernel;
    const cpudev_work *work;
    void *closure;
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    const char *file;
    int line;
    cpudev_op op;                       /* what observers keep of it */
    struct command *parent;             /* the launch whose kernel launched it */
    int generation;                     /* how many such there are above it */
    int children;                       /* launched by its kernel and not over: it is not over before them */
    struct command *tail, *tail_last;   /* launched by its kernel to come after all of that */
    struct CUstream_st *streams;        /* made by its kernel */
    bool ended;                         /* its own blocks are done */
    unsigned grid_arrived, grid_left;
    _Atomic unsigned grid_generation;
    /* copy, set */
    char *dst;
    const char *src;
    size_t dpitch, spitch, width, height, dslice, sslice, depth;
    int value;
    enum cudaMemcpyKind copy_kind;
    void *staging;                      /* freed at the end */
    /* host function, event */
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    cudaStream_t user_stream;
    void *user;
    struct CUevent_st *event;
    /* tools */
    uint32_t correlation;
    uint64_t start, end;                /* now_ticks() */
    _Alignas(16) char inline_closure[192];
} command;

struct CUstream_st {
    unsigned magic;
    uint32_t id;
    unsigned flags;
    int priority;
    bool legacy;                        /* the default stream, which waits for and holds up the others */
    unsigned long long issued, completed;
    command *last;                      /* last unfinished command, or NULL */
    struct CUstream_st *next;
    struct CUgraph_st *capture;         /* being captured into */
    int *capture_deps;                  /* indexes of the graph's nodes that the next one follows */
    int ncapture_deps;
    bool capture_origin;
    int capture_invalid;
    int capture_mode;                   /* cudaStreamCaptureMode */
    pthread_t capture_thread;
    command *grid;                      /* of a kernel's stream: the launch that it belongs to */
    enum { IN_ORDER, FIRE_AND_FORGET, TAIL_LAUNCH } order;
};

struct CUevent_st {
    unsigned magic;
    unsigned flags;
    bool recorded, pending;
    command *command;                   /* the unfinished record, or NULL */
    unsigned long long version;
    uint64_t time_ns;
    struct CUstream_st *stream;
    struct CUgraph_st *capture;         /* recorded in a capture: the nodes it stands for */
    int *capture_deps;
    int ncapture_deps;
};
#define STREAM_MAGIC 0x53745265u
#define EVENT_MAGIC 0x45764e74u

typedef struct launch {                 /* what stands between <<< and >>> */
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;
    bool cooperative, told;
    cudaError_t *result;
    const void *caller;
    unsigned thread;                    /* in a kernel: whose launch it is */
} launch;

struct CUstream_st *stream_of(cudaStream_t s);  /* NULL if it is no stream */
struct CUstream_st *stream_new(unsigned flags, int priority);
command *command_new(command_kind kind);
command *command_clone(const command *from);
cudaError_t graph_queue(command **nodes, int *const *deps, const int *ndeps, int count, struct CUstream_st *s);
void streams_leave_capture(struct CUgraph_st *g);
/* Is a capture under way that forbids work on the legacy stream, or else a call that may wait for the device?  It is spoilt. */
cudaError_t capture_forbids(bool legacy);
extern _Atomic int captures;            /* under way */
extern __thread enum cudaStreamCaptureMode thread_capture_mode;
/* Queues c on s (or captures it).  Takes c over. */
cudaError_t command_queue(command *c, struct CUstream_st *s);
cudaError_t stream_wait_all(struct CUstream_st *s);
cudaError_t wait_for_everything(void);
void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site);
void need_more_threads(void);
void wait_for_work(void);               /* sleeps while there is none */
unsigned grid_barrier(command *c); /* 0, or how many blocks have ended and so will never come */
void grid_left(command *c);        /* a block has ended */
cudaError_t device_ready(void);         /* starts the runtime; the sticky error if there is one */
cudaError_t sticky_error(void);
void set_sticky(cudaError_t e);
int processor_count(void);              /* multiprocessors of the device = cores used */
void scheduler_lock(void);
void scheduler_unlock(void);
void run_copy_units(command *c, unsigned long long first, unsigned long long end);

/* ---- nested.c ------------------------------------------------------------------------------ */

/* All for a thread of a kernel; one that calls what no kernel may call is ended with its kernel. */
void nested_enter(const char *name, const void *caller);
void nested_leave(int status);
void nested_push(const launch *l);
bool nested_pending(void);
launch nested_pop(void);
struct CUstream_st *nested_stream_of(cudaStream_t s);
cudaError_t nested_stream_create(cudaStream_t *stream, unsigned flags);
cudaError_t *nested_error(void);        /* the thread's last error */
cudaError_t nested_malloc(void **p, size_t bytes);
cudaError_t nested_free(void *p);
void nested_block_begin(cpudev_worker *w);
void nested_streams_free(struct CUstream_st *s);

/* ---- graph.c ------------------------------------------------------------------------------- */
cudaError_t capture_command(struct CUstream_st *s, command *c);
cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e);
cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e);
void command_free(command *c);

/* ---- memory.c ------------------------------------------------------------------------------ */

typedef enum { R_NONE, R_DEVICE, R_MANAGED, R_PINNED, R_REGISTERED } region_kind;
typedef struct {
    uintptr_t start;
    size_t size;                        /* as asked for */
    size_t reserved;                    /* with padding */
    region_kind kind;
    bool used;
    unsigned flags;
} allocation;

void memory_init(void);
region_kind region_of(const void *p);
/* The live allocation that holds p; false if there is none. */
bool allocation_of(const void *p, allocation *a);
void device_memory_open(void);          /* a kernel or copy is about to use it */
void device_memory_close(void);         /* all work is done: host access faults again */
void report_host_fault(uintptr_t address);
cudaError_t memory_free(void *p, region_kind kind);
void memory_reset(void);

/* Device memory, and copies as cudaMemcpy3D's, for those who are within an API call. */
cudaError_t memory_device(char **p, size_t bytes);
cudaError_t memory_copy(void *dst, size_t dpitch, size_t dslice, const void *src, size_t spitch, size_t sslice, size_t width,
                        size_t height, size_t depth, enum cudaMemcpyKind kind, cudaStream_t stream, bool async);

/* ---- texture.c ----------------------------------------------------------------------------- */

struct cudaArray {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent;           /* in texels; height and depth may be 0 */
    unsigned flags;
    char *data;
};
void array_place(struct cudaArray *a, struct cudaPos at, char **place, size_t *pitch, size_t *slice, size_t *texel);

/* ---- api.c --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    uint64_t start;                     /* now_ticks(); 0 if nobody listened */
    cudaError_t status;
    bool nested;                        /* by a kernel */
} api_call;
void api_leave(api_call *call);
cudaError_t record_error(cudaError_t e);          /* as cudaGetLastError will return it */
#define API api_call call_ __attribute__((cleanup(api_leave))) = api_enter_from(__func__, __builtin_return_address(0))
api_call api_enter_from(const char *name, const void *caller);
#define RETURN(e) return call_.status = record_error(e)

extern __thread uint32_t current_correlation;
uint64_t now_ns(void);            /* CLOCK_MONOTONIC */
uint64_t now_ticks(void);         /* the clock of the events */
void find_clock(void);
void start_for_injection(void);   /* where CUDA_CPU_INJECTION names a library */
uint32_t os_thread_id(void);
const char *kernel_symbol(cpudev_kernel *k);      /* mangled, for tools that demangle it */
const char *kernel_display(cpudev_kernel *k);
cpudev_kernel *kernel_of_function(const void *function);
extern size_t device_limits[8];
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
