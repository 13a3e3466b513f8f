/* command.h: a command: a kernel, copy, host function or mark that stands on a stream, or is a node of a graph.
 *
 * Commands that are over are kept, to be used again: making one costs no allocation once some have run. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>

#include "cpudev_abi.h"
#include "observe/observer.h"

typedef enum {
    C_KERNEL,
    C_COPY,
    C_SET,
    C_HOST,
    C_EVENT,
    C_MARKER,
    C_FREE,
    C_ALLOC,   /* of a graph's memory */
    C_RELEASE, /* the same, freed */
    C_CONDITIONAL,
    C_ASSIGN, /* of the handles' values that a launch sets */
    C_CALLBACK,
    C_WRITE_VALUE,
    C_WAIT_VALUE
} command_kind;

/* What only some commands have, in parts. */
struct
    command_copy { /* copy.c: a copy or set of `depth` slices of `height` rows of `width` bytes; memory_ops.c: a value */
    char *dst;
    const char *src;
    size_t dpitch, spitch, width, height, dslice, sslice, depth;
    int value;
    size_t element;                      /* C_SET: `value` fills elements of 2 or 4 bytes; 0: bytes */
    unsigned asked_element, asked_value; /* what a node of a graph was made with; 0: bytes */
    enum cudaMemcpyKind kind;
    uint64_t wide_value; /* C_WRITE_VALUE, C_WAIT_VALUE: of `width` bytes at dst; `value` says how it is compared */
    void *staging;       /* freed at the end */
};
struct command_family {          /* queue.c, scheduler.c: kernels that launch kernels, nodes below a node */
    struct command *parent;      /* the launch whose kernel launched it */
    int generation;              /* how many such there are above it */
    int children;                /* launched by its kernel and not over: it is not over before them */
    struct command *tail, *last; /* launched by its kernel to come after all of that: the first, the last */
    struct CUstream_st *streams; /* made by its kernel */
    bool ended;                  /* its own blocks are done */
    bool again;                  /* C_CONDITIONAL: it will look at its value once more */
};
struct command_grid {            /* grid.c: the grid's barrier */
    unsigned arrived, left;      /* blocks at it; blocks that have ended */
    _Atomic unsigned generation; /* how often it was passed */
};

/* A captured kernel's function and arguments: one block of memory, with pointers to the arguments first. */
typedef struct kept_arguments {
    int holders;
    const void *function;
    size_t count;
    void *arguments[];
} kept_arguments;

typedef struct command {
    command_kind kind;
    struct CUstream_st *stream;
    unsigned long long seq; /* in its stream, from 1 */
    int deps;               /* commands that it still waits for */
    struct command **dependents;
    int ndependents, cap;
    bool ready, finished;
    struct command *next_ready;
    unsigned long long units, next_unit, done_units; /* a kernel's blocks or clusters, a copy's pieces */
    unsigned long long back, back_end;               /* units that a worker had taken and has given back */
    int running;
    cudaError_t status;
    struct command_family family;
    /* kernel */
    cpudev_kernel *kernel;
    const cpudev_work *work;
    void *closure;
    kept_arguments *kept; /* of a node of a graph, if its program asks for them; or NULL */
    dim3 grid, block;
    size_t shared; /* dynamic, in bytes */
    bool cooperative;
    bool flush;       /* its threads take and give subnormal numbers as 0 */
    dim3 cluster;     /* blocks of a cluster; 0: launched without. A unit is a cluster, else a block */
    const char *file; /* where it was launched */
    int line;
    struct turns *turns; /* of its blocks (turn.c); NULL: they take none */
    struct command_grid at_grid;
    struct command_copy copy;
    /* host function, event */
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    cudaStream_t user_stream;
    void *user;
    struct CUevent_st *event;
    struct shared_event *record_of; /* a record of an event that other processes know: */
    uint64_t record;                /* its number there */
    /* tools */
    cpudev_op op; /* what observers keep of it */
    uint32_t correlation;
    uint64_t start, end; /* now_ticks() */
    _Alignas(16) char inline_closure[192];
} command;

/* One unit, or none for events and marks; it carries the number of the runtime call that is under way. */
command *command_new(command_kind kind);
command *command_clone(const command *from);  /* a copy that can be queued, with its own closure */
void command_free(command *c);                /* of one that is over, or was never queued */
kept_arguments *kept_hold(kept_arguments *k); /* NULL stays NULL */
void *closure_room(const cpudev_work *work);  /* for free(); never NULL */

#endif
