/* scheduler.h: commands, the streams that they stand on, and the workers that run them. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "block.h"
#include "observer.h"

typedef enum { C_KERNEL, C_COPY, C_SET, C_HOST, C_EVENT, C_MARKER, C_FREE, C_CALLBACK } command_kind;

typedef struct command {
    command_kind kind;
    struct CUstream_st *stream;
    unsigned long long seq; /* in its stream, from 1 */
    int deps;
    struct command **dependents;
    int ndependents, cap;
    bool ready, finished;
    struct command *next_ready;
    unsigned long long units, next_unit, done_units;
    unsigned long long back, back_end; /* units that a worker had taken and has given back */
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
    cpudev_op op;                     /* what observers keep of it */
    struct command *parent;           /* the launch whose kernel launched it */
    int generation;                   /* how many such there are above it */
    int children;                     /* launched by its kernel and not over: it is not over before them */
    struct command *tail, *tail_last; /* launched by its kernel to come after all of that */
    struct CUstream_st *streams;      /* made by its kernel */
    bool ended;                       /* its own blocks are done */
    unsigned grid_arrived, grid_left;
    _Atomic unsigned grid_generation;
    /* copy, set */
    char *dst;
    const char *src;
    size_t dpitch, spitch, width, height, dslice, sslice, depth;
    int value;
    enum cudaMemcpyKind copy_kind;
    void *staging; /* freed at the end */
    /* host function, event */
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    cudaStream_t user_stream;
    void *user;
    struct CUevent_st *event;
    /* tools */
    uint32_t correlation;
    uint64_t start, end; /* now_ticks() */
    _Alignas(16) char inline_closure[192];
} command;

struct CUstream_st {
    unsigned magic;
    uint32_t id;
    unsigned flags;
    int priority;
    bool legacy; /* the default stream, which waits for and holds up the others */
    unsigned long long issued, completed;
    command *last; /* last unfinished command, or NULL */
    struct CUstream_st *next;
    struct CUgraph_st *capture; /* being captured into */
    int *capture_deps;          /* indexes of the graph's nodes that the next one follows */
    int ncapture_deps;
    bool capture_origin;
    int capture_invalid;
    int capture_mode; /* cudaStreamCaptureMode */
    pthread_t capture_thread;
    command *grid; /* of a kernel's stream: the launch that it belongs to */
    enum { IN_ORDER, FIRE_AND_FORGET, TAIL_LAUNCH } order;
};

struct CUevent_st {
    unsigned magic;
    unsigned flags;
    bool recorded, pending;
    command *command; /* the unfinished record, or NULL */
    unsigned long long version;
    uint64_t time_ns;
    struct CUstream_st *stream;
    struct CUgraph_st *capture; /* recorded in a capture: the nodes it stands for */
    int *capture_deps;
    int ncapture_deps;
};
#define STREAM_MAGIC 0x53745265u
#define EVENT_MAGIC 0x45764e74u

typedef struct launch { /* what stands between <<< and >>> */
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;
    bool cooperative, told;
    cudaError_t *result;
    const void *caller;
    unsigned thread; /* in a kernel: whose launch it is */
} launch;

/* All of it under the lock. */
extern struct scheduler {
    pthread_mutex_t lock;
    pthread_cond_t work_to_do, something_done;
    command *ready_first, *ready_last; /* commands whose units may be taken */
    command *free_commands;
    int workers, idle_workers, host_waiters, base_workers, processors;
    bool started, start_failed, exiting;
    unsigned long long unfinished; /* commands */
    bool device_open;              /* host access to device memory does not fault */
    int protect_budget;            /* how often it is still made to fault again after a synchronize */
} scheduler;

/* ---- command.c ---- */

command *command_new(command_kind kind);
command *command_clone(const command *from); /* a copy that can be queued, with its own closure */
void command_free(command *c);
void command_recycle(command *c); /* with the lock */
void *closure_room(const cpudev_work *work);

/* ---- scheduler.c ---- */

void scheduler_lock(void);
void scheduler_unlock(void);
void depend(command *later, command *earlier);
void make_ready(command *c); /* with the lock: all that c waited for has happened */
void ready_workers(void);
void need_more_threads(void);
void wait_for_work(void); /* the watchdog sleeps while there is none */
cudaError_t stream_wait_all(struct CUstream_st *s);
cudaError_t wait_for_all_work(void);   /* and tells nobody */
cudaError_t wait_for_everything(void); /* as cudaDeviceSynchronize */
void wait_for_event(struct CUevent_st *event);
void help_until_completed(struct CUstream_st *s, unsigned long long seq);
bool in_host_function(void); /* of a stream, on this thread: it may not wait for the device */

/* ---- grid.c ---- */

unsigned grid_barrier(command *c); /* 0, or how many blocks have ended and so will never come */
void grid_left(command *c);        /* a block has ended */

/* ---- process.c ---- */

cudaError_t device_ready(void); /* starts the runtime; the sticky error if there is one */
cudaError_t sticky_error(void);
void set_sticky(cudaError_t e);
int processor_count(void);      /* multiprocessors of the device = cores used */
void start_for_injection(void); /* where CUDA_CPU_INJECTION names a library */

/* ---- queue.c ---- */

/* Queues c on s, or captures it; c belongs to the scheduler from here on, also where this fails. */
cudaError_t command_queue(command *c, struct CUstream_st *s);
/* A graph's commands: all after what is in the stream, and what comes next in the stream after all of them. */
cudaError_t graph_queue(command **nodes, int *const *deps, const int *ndeps, int count, struct CUstream_st *s);

/* ---- stream.c ---- */

extern struct CUstream_st default_stream;
struct CUstream_st *stream_of(cudaStream_t s);                /* NULL if it is no stream */
struct CUstream_st *stream_new(unsigned flags, int priority); /* in no list yet; NULL without memory */
/* The record of a destroyed stream or event is kept for a while, so that a handle used after its end is found out by
 * its magic number.  With the lock. */
void retire(void *record);
void streams_leave_capture(struct CUgraph_st *g);
/* An error if a capture is under way that forbids work on the legacy stream, or else a call that may wait for the
 * device; that capture is invalid from then on. */
cudaError_t capture_forbids(bool legacy);
extern _Atomic int captures; /* under way */
extern __thread enum cudaStreamCaptureMode thread_capture_mode;

/* ---- nested.c: for threads of kernels; one that calls what no kernel may call is ended with its kernel ---- */

void nested_enter(const char *name, const void *caller);
void nested_leave(int status);
void nested_push(const launch *l);
bool nested_pending(void);
launch nested_pop(void);
struct CUstream_st *nested_stream_of(cudaStream_t s);
cudaError_t nested_stream_create(cudaStream_t *stream, unsigned flags);
cudaError_t *nested_error(void); /* the thread's last error */
cudaError_t nested_malloc(void **p, size_t bytes);
cudaError_t nested_free(void *p);
void nested_block_begin(cpudev_worker *w);
void nested_streams_free(struct CUstream_st *s);

/* ---- graph.c ---- */

cudaError_t capture_command(struct CUstream_st *s, command *c);
cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e);
cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e);

#endif
