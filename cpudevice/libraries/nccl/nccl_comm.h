/* nccl_comm.h: what the parts of NCCL share: communicators, the ranks that belong together, and how an error is reported.
 *
 * A rank of several puts a kernel of one thread on its stream for each operation, and the kernels wait for each other: first
 * until all ranks have come, and in the end until all have finished. Each rank computes its part of the result and writes it
 * where it belongs. So there is no order between host threads, and each rank's stream can be captured into a graph of its
 * own. To the checker each rank reports what lies in its own buffers. */
#ifndef NCCL_COMM_H
#define NCCL_COMM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "nccl.h"

/* An operator that multiplies first. Its number says whose it is: no other communicator has the same. */
typedef struct scaled_sum {
    struct scaled_sum *next;
    int number;
    ncclDataType_t type;
    const void *on_device;               /* NULL: it is `scalar` */
    _Alignas(8) unsigned char scalar[8]; /* of the type */
} scaled_sum;

enum { NCCL_RANKS_MAX = 16 }; /* as many devices as there can be */

enum nccl_kind {
    NCCL_ALL_REDUCE,
    NCCL_REDUCE,
    NCCL_REDUCE_SCATTER,
    NCCL_BROADCAST,
    NCCL_ALL_GATHER,
    NCCL_ALL_TO_ALL,
    NCCL_GATHER,
    NCCL_SCATTER
};

/* What a rank asks of the others. */
typedef struct nccl_request {
    enum nccl_kind kind;
    const void *from;
    void *to;
    size_t count; /* as the function takes it */
    ncclDataType_t type;
    int root;
    scaled_sum op;
} nccl_request;

/* From one rank to another: sends and receives are counted, and the nth belong together. */
typedef struct nccl_channel {
    atomic_ulong sent, received;
    const void *buffer; /* of the last that was sent */
    size_t bytes;
} nccl_channel;

/* The ranks of several that belong together. */
typedef struct nccl_ranks {
    int count;
    atomic_int references;                   /* communicators, and operations that are on streams */
    struct ncclComm *member[NCCL_RANKS_MAX]; /* NULL: has not come, or is gone */
    struct {
        atomic_ulong came, finished; /* how many operations */
        nccl_request request;        /* of the last that came */
    } rank[NCCL_RANKS_MAX];
    nccl_channel channel[NCCL_RANKS_MAX][NCCL_RANKS_MAX]; /* [from][to] */
    struct nccl_split {
        int asked; /* ranks that have */
        unsigned long done;
        int color[NCCL_RANKS_MAX], key[NCCL_RANKS_MAX];
        struct ncclComm **made[NCCL_RANKS_MAX];
    } split;
    atomic_int error; /* of their kernels: ncclResult_t */
} nccl_ranks;

struct ncclComm {
    struct ncclComm *next; /* of all that are in use */
    atomic_bool finalized;
    scaled_sum *sums;
    int rank, device;
    nccl_ranks *ranks; /* NULL: it is the only one */
    cudaEvent_t last;  /* behind its last operation that was not captured; NULL: there was none */
    cudaStream_t last_stream;
};

/* Of nccl_errors.c: keeps the text for ncclGetLastError(), remembers the thread's first error since a group began, and returns
 * the error. */
__attribute__((format(printf, 2, 3))) ncclResult_t nccl_fail(ncclResult_t error, const char *format, ...);
ncclResult_t nccl_first_error(bool forget);       /* or success, if there was none or it is to be forgotten */
ncclResult_t nccl_failed_call(cudaError_t error); /* of the runtime, whose last error is cleared */

/* A send, or a receive, of these bytes: it waits for the end of the thread's group, or is a group of its own. */
ncclResult_t nccl_wait_for_group(bool send, ncclComm_t comm, int peer, void *buffer, size_t bytes, cudaStream_t stream);

/* What the end of the thread's group waits for; without a group it is waited for now. */
ncclResult_t nccl_after_group(ncclResult_t (*wait)(void *what), void *what);

/* Of nccl_ranks.c. An operation of one of several ranks on its stream. */
ncclResult_t nccl_join(ncclComm_t comm, cudaStream_t stream, const char *kernel, const nccl_request *request);

/* Sends and receives of one rank on one stream; a kernel does them all at once, each pair of ranks in this order. */
typedef struct nccl_transfer {
    bool send;
    int peer;
    void *buffer;
    size_t bytes;
} nccl_transfer;
ncclResult_t nccl_transfers(ncclComm_t comm, cudaStream_t stream, const nccl_transfer *transfers, int count);

void nccl_release(nccl_ranks *ranks); /* one reference less */
extern const unsigned char nccl_size_of[ncclNumTypes];

/* Of nccl_sums.c: elements [begin, end) of the ranks' vectors, combined in the order of the ranks, and written to each of the
 * outputs. Each step is rounded to the type. */
typedef struct nccl_sum {
    ncclDataType_t type;
    ncclRedOp_t op;
    int ranks, outputs;
    size_t begin, end;
    const void *from[NCCL_RANKS_MAX],
        *scalar[NCCL_RANKS_MAX]; /* scalar[0] NULL: the operator does not multiply first */
    void *to[NCCL_RANKS_MAX];
} nccl_sum;
void nccl_sum_elements(const nccl_sum *s);

/* Of nccl.c: is this a communicator that is in use? If not, the caller returns the error. */
ncclResult_t nccl_in_use(ncclComm_t comm, const char *caller);

#endif
