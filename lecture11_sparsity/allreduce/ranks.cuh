/* ranks.cuh: what the all-reduce lab keeps per GPU (a rank): buffers, a stream, an event, and the memory through which
 * kernels of different GPUs signal each other. One host thread drives all ranks. */
#ifndef RANKS_CUH
#define RANKS_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "../../common/error.h"

enum {
    MAX_RANKS = 16,
    MAX_BLOCKS = 132, /* so many blocks run at once on one H100: kernels that wait for each other need that */
    THREADS = 512,
    WORDS_MAX = (1 << 20) / 4, /* elements that the rung with a flag in each word takes */
    EMPTY_THREADS = 1024,      /* of a block of "empty until written", at most */
    EMPTY_ROWS = 2,            /* float4s that each of so many has */
    QUADS_PER_BLOCK = EMPTY_ROWS * EMPTY_THREADS,
    SLOTS = MAX_BLOCKS * QUADS_PER_BLOCK
};

/* In each rank's memory, written by its peers. */
typedef struct Signals {
    unsigned arrived[MAX_BLOCKS][MAX_RANKS]; /* by block and writing rank */
    unsigned epoch, ticket;        /* this rank's own: how many collectives it has done, blocks that are done */
    unsigned calls[MAX_BLOCKS];    /* this rank's own: calls of "empty until written" that each block has done */
    unsigned arrivals[MAX_BLOCKS]; /* the same of "arrival alone" */
} Signals;

/* What a kernel sees of all ranks. */
typedef struct View {
    int rank, ranks;
    const float *in[MAX_RANKS];
    float *out[MAX_RANKS];
    Signals *signals[MAX_RANKS];
    unsigned long long *words[MAX_RANKS]; /* inboxes [parity][from][element]: a value and its epoch in 8 bytes */
} View;

/* What "empty until written" sees: fewer arguments, since copying them is a part of a launch's time. */
typedef struct Inboxes {
    int rank, ranks;
    const float *in;
    float *out;
    Signals *mine;
    uint4 *slots[MAX_RANKS]; /* in each rank's memory: [call & 1][from][SLOTS] */
} Inboxes;

typedef struct Ranks {
    int count;
    int blocks;      /* of the kernels that sum; 0: as each likes */
    size_t capacity; /* elements per buffer */
    cudaStream_t stream[MAX_RANKS];
    cudaEvent_t ready[MAX_RANKS];
    float *in[MAX_RANKS], *out[MAX_RANKS], *inbox[MAX_RANKS]; /* inbox: one part from each rank */
    float *h_part[MAX_RANKS];                                 /* pinned: a rank's vector on the host */
    float *h_sum;                                             /* pinned */
    size_t host_capacity;                                     /* elements of the last two */
    View view[MAX_RANKS];
    Inboxes inboxes[MAX_RANKS];
} Ranks;

static inline void ranks_synchronize(const Ranks *r)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamSynchronize(r->stream[i]));
    }
}

/* Each rank's stream goes on when all ranks' streams have come here. */
static inline void ranks_meet(const Ranks *r)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaEventRecord(r->ready[i], r->stream[i]));
    }
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < r->count; k++)
            if (k != i)
                CUDA_CHECK(cudaStreamWaitEvent(r->stream[i], r->ready[k], 0));
}

static inline void ranks_make(Ranks *r, int count, size_t capacity, size_t host_capacity)
{
    *r = (Ranks){};
    r->count = count;
    r->capacity = capacity;
    r->host_capacity = host_capacity;
    CUDA_CHECK(cudaMallocHost((void **)&r->h_sum, host_capacity * sizeof(float)));
    for (int i = 0; i < count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        for (int k = 0; k < count; k++)
            if (k != i) {
                const cudaError_t e = cudaDeviceEnablePeerAccess(k, 0);
                if (e != cudaErrorPeerAccessAlreadyEnabled)
                    CUDA_CHECK(e);
                else
                    (void)cudaGetLastError();
            }
        CUDA_CHECK(cudaStreamCreateWithFlags(&r->stream[i], cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&r->ready[i], cudaEventDisableTiming));
        CUDA_CHECK(cudaMalloc((void **)&r->in[i], capacity * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&r->out[i], capacity * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&r->inbox[i], capacity * sizeof(float) * (size_t)count));
        CUDA_CHECK(cudaMallocHost((void **)&r->h_part[i], host_capacity * sizeof(float)));
        Signals *signals;
        unsigned long long *words;
        uint4 *slots;
        const size_t word_bytes = 2 * sizeof *words * WORDS_MAX * (size_t)count;
        const size_t slot_bytes = 2 * sizeof *slots * SLOTS * (size_t)count;
        CUDA_CHECK(cudaMalloc((void **)&signals, sizeof *signals));
        CUDA_CHECK(cudaMalloc((void **)&words, word_bytes));
        CUDA_CHECK(cudaMemsetAsync(signals, 0, sizeof *signals, r->stream[i]));
        CUDA_CHECK(cudaMemsetAsync(words, 0, word_bytes, r->stream[i]));
        CUDA_CHECK(cudaMalloc((void **)&slots, slot_bytes));
        CUDA_CHECK(cudaMemsetAsync(slots, 0xff, slot_bytes, r->stream[i])); /* EMPTY */
        for (int k = 0; k < count; k++) {
            r->view[k].in[i] = r->in[i];
            r->view[k].out[i] = r->out[i];
            r->view[k].signals[i] = signals;
            r->view[k].words[i] = words;
            r->inboxes[k].slots[i] = slots;
        }
        r->inboxes[i].rank = i;
        r->inboxes[i].ranks = count;
        r->inboxes[i].in = r->in[i];
        r->inboxes[i].out = r->out[i];
        r->inboxes[i].mine = signals;
        r->view[i].rank = i;
        r->view[i].ranks = count;
    }
    ranks_synchronize(r);
}

static inline void ranks_free(Ranks *r)
{
    for (int i = 0; i < r->count; i++) {
        CUDA_CHECK(cudaSetDevice(i));
        CUDA_CHECK(cudaStreamDestroy(r->stream[i]));
        CUDA_CHECK(cudaEventDestroy(r->ready[i]));
        CUDA_CHECK(cudaFree(r->in[i]));
        CUDA_CHECK(cudaFree(r->out[i]));
        CUDA_CHECK(cudaFree(r->inbox[i]));
        CUDA_CHECK(cudaFree(r->view[i].signals[i]));
        CUDA_CHECK(cudaFree(r->view[i].words[i]));
        CUDA_CHECK(cudaFree(r->inboxes[i].slots[i]));
        CUDA_CHECK(cudaFreeHost(r->h_part[i]));
    }
    CUDA_CHECK(cudaFreeHost(r->h_sum));
    CUDA_CHECK(cudaSetDevice(0));
}

#endif
