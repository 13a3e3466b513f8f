/* nccl_ranks.c: what several ranks do together: one kernel of each, which wait for each other. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "nccl/nccl_comm.h"

const unsigned char nccl_size_of[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

void nccl_release(nccl_ranks *ranks)
{
    if (ranks && atomic_fetch_sub(&ranks->references, 1) == 1)
        free(ranks);
}

/* The first words of a kernel's arguments. */
typedef struct together {
    nccl_ranks *ranks;
    int rank;
    bool captured; /* a graph's, which may run again: its reference to the ranks stays */
} together;

/* Puts a kernel on the stream, behind all that the communicator has on other streams; the arguments begin with `together`. */
static ncclResult_t put(ncclComm_t comm, cudaStream_t stream, const char *kernel, void (*body)(const void *),
                        together *arguments, size_t bytes)
{
    int before;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaError_t e = cudaGetDevice(&before);
    if (!e && before != comm->device)
        e = cudaSetDevice(comm->device);
    if (!e)
        e = cudaStreamIsCapturing(stream, &status);
    const bool captured = status != cudaStreamCaptureStatusNone;
    if (!e && !captured && comm->last && comm->last_stream != stream)
        e = cudaStreamWaitEvent(stream, comm->last, 0);
    if (!e) {
        atomic_fetch_add(&comm->ranks->references, 1);
        arguments->ranks = comm->ranks;
        arguments->rank = comm->rank;
        arguments->captured = captured;
        if ((e = library_launch(stream, kernel, body, arguments, bytes)))
            nccl_release(comm->ranks);
    }
    if (!e && !captured && !comm->last)
        e = cudaEventCreateWithFlags(&comm->last, cudaEventDisableTiming);
    if (!e && !captured) {
        comm->last_stream = stream;
        e = cudaEventRecord(comm->last, stream);
    }
    if (before != comm->device)
        cudaSetDevice(before);
    return e ? nccl_failed_call(e) : ncclSuccess;
}

static void fails(nccl_ranks *g, const char *what, int rank) __attribute__((noreturn));
static void fails(nccl_ranks *g, const char *what, int rank)
{
    if (atomic_exchange(&g->error, ncclInvalidUsage) == ncclSuccess)
        fprintf(stderr, "CPU device: NCCL: rank %d of %d %s\n", rank, g->count, what);
    library_fail();
}

/* Between two looks. Once a rank has failed, nobody waits for it. */
static void wait_for_others(nccl_ranks *g)
{
    if (atomic_load(&g->error))
        library_fail();
    library_wait();
}

/* ---- operations of all ranks ---- */

typedef struct operation {
    together with;
    nccl_request request;
} operation;

/* How many elements the rank sends, and receives. */
static size_t sent(const nccl_request *q, int rank, int ranks)
{
    switch (q->kind) {
    case NCCL_BROADCAST: return rank == q->root ? q->count : 0;
    case NCCL_SCATTER: return rank == q->root ? q->count * (size_t)ranks : 0;
    case NCCL_REDUCE_SCATTER:
    case NCCL_ALL_TO_ALL: return q->count * (size_t)ranks;
    default: return q->count;
    }
}
static size_t received(const nccl_request *q, int rank, int ranks)
{
    switch (q->kind) {
    case NCCL_REDUCE: return rank == q->root ? q->count : 0;
    case NCCL_GATHER: return rank == q->root ? q->count * (size_t)ranks : 0;
    case NCCL_ALL_GATHER:
    case NCCL_ALL_TO_ALL: return q->count * (size_t)ranks;
    default: return q->count;
    }
}

/* All ranks find the same. */
static void check_all_agree(nccl_ranks *g)
{
    const nccl_request *first = &g->rank[0].request;
    const int user = ncclNumOps;
    for (int r = 1; r < g->count; r++) {
        const nccl_request *q = &g->rank[r].request;
        if (q->kind != first->kind)
            fails(g, "is in another operation than rank 0", r);
        if (q->count != first->count || q->type != first->type)
            fails(g, "has another count or type than rank 0", r);
        if ((q->op.number < user ? q->op.number : user) != (first->op.number < user ? first->op.number : user))
            fails(g, "has another reduction operator than rank 0", r);
        if (q->root != first->root)
            fails(g, "has another root than rank 0", r);
    }
}

static void copy_elements(const nccl_request *to, size_t to_element, const nccl_request *from, size_t from_element)
{
    const size_t size = nccl_size_of[to->type];
    char *d = (char *)to->to + to_element * size;
    const char *s = (const char *)from->from + from_element * size;
    if (d != s && to->count)
        memcpy(d, s, to->count * size);
}

/* The rank's part of the sums. Nobody else reads the elements that it writes, so a result may lie over what was sent. */
static void sum_part(nccl_ranks *g, int rank)
{
    const nccl_request *q = &g->rank[rank].request;
    const size_t n = q->count, ranks = (size_t)g->count, me = (size_t)rank;
    nccl_sum s = {.type = q->type, .op = (ncclRedOp_t)q->op.number, .ranks = g->count};
    s.begin = q->kind == NCCL_REDUCE_SCATTER ? n * me : n / ranks * me + (me < n % ranks ? me : n % ranks);
    s.end = s.begin + (q->kind == NCCL_REDUCE_SCATTER ? n : n / ranks + (me < n % ranks));
    for (int r = 0; r < g->count; r++) {
        const nccl_request *theirs = &g->rank[r].request;
        s.from[r] = theirs->from;
        if (q->op.number >= ncclNumOps)
            s.scalar[r] = theirs->op.on_device ? theirs->op.on_device : theirs->op.scalar;
        if (q->kind == NCCL_ALL_REDUCE || (q->kind == NCCL_REDUCE && r == q->root))
            s.to[s.outputs++] = theirs->to;
    }
    if (q->kind == NCCL_REDUCE_SCATTER)
        s.to[s.outputs++] = (char *)q->to - s.begin * nccl_size_of[q->type];
    nccl_sum_elements(&s);
}

static void do_part(nccl_ranks *g, int rank)
{
    const nccl_request *q = &g->rank[rank].request, *root = &g->rank[q->root].request;
    const size_t n = q->count;
    switch (q->kind) {
    case NCCL_ALL_REDUCE:
    case NCCL_REDUCE:
    case NCCL_REDUCE_SCATTER: sum_part(g, rank); break;
    case NCCL_BROADCAST: copy_elements(q, 0, root, 0); break;
    case NCCL_SCATTER: copy_elements(q, 0, root, n * (size_t)rank); break;
    case NCCL_GATHER: copy_elements(root, n * (size_t)rank, q, 0); break;
    case NCCL_ALL_GATHER:
        for (int r = 0; r < g->count; r++)
            copy_elements(&g->rank[r].request, n * (size_t)rank, q, 0);
        break;
    case NCCL_ALL_TO_ALL:
        for (int r = 0; r < g->count; r++)
            copy_elements(q, n * (size_t)r, &g->rank[r].request, n * (size_t)rank);
        break;
    }
}

static void operate(const void *arguments)
{
    const operation *o = arguments;
    nccl_ranks *g = o->with.ranks;
    const int rank = o->with.rank;
    const nccl_request *q = &o->request;
    const size_t size = nccl_size_of[q->type];
    g->rank[rank].request = *q;
    const unsigned long number = atomic_fetch_add(&g->rank[rank].came, 1) + 1;
    for (int r = 0; r < g->count; r++)
        while (atomic_load(&g->rank[r].came) < number)
            wait_for_others(g);
    check_all_agree(g);
    if (q->op.on_device)
        library_reads(q->op.on_device, size);
    library_reads(q->from, sent(q, rank, g->count) * size);
    library_writes(q->to, received(q, rank, g->count) * size);
    do_part(g, rank);
    atomic_fetch_add(&g->rank[rank].finished, 1);
    for (int r = 0; r < g->count; r++)
        while (atomic_load(&g->rank[r].finished) < number)
            wait_for_others(g);
    if (!o->with.captured)
        nccl_release(g);
}

ncclResult_t nccl_join(ncclComm_t comm, cudaStream_t stream, const char *kernel, const nccl_request *request)
{
    operation o = {.request = *request};
    return put(comm, stream, kernel, operate, &o.with, sizeof o);
}

/* ---- sends and receives ---- */

typedef struct exchange {
    together with;
    int count;
    nccl_transfer *transfers; /* is freed by the kernel, unless a graph may run it again */
} exchange;

enum { WAITS, SENT, DONE }; /* of a transfer; its number in the channel, once it is SENT */

/* Does the transfer go on? An earlier one of the same kind with the same peer goes first. */
static bool step(nccl_ranks *g, int rank, const nccl_transfer *t, int *state, unsigned long *number)
{
    nccl_channel *c = t->send ? &g->channel[rank][t->peer] : &g->channel[t->peer][rank];
    const unsigned long received = atomic_load(&c->received);
    if (t->send && *state == WAITS && atomic_load(&c->sent) == received) {
        c->buffer = t->buffer;
        c->bytes = t->bytes;
        *number = atomic_fetch_add(&c->sent, 1) + 1;
        *state = SENT;
        return true;
    }
    if (t->send && *state == SENT && received >= *number) {
        *state = DONE;
        return true;
    }
    if (!t->send && atomic_load(&c->sent) > received) {
        if (c->bytes != t->bytes)
            fails(g, "receives another number of bytes than its peer sends", rank);
        memcpy(t->buffer, c->buffer, t->bytes);
        atomic_fetch_add(&c->received, 1);
        *state = DONE;
        return true;
    }
    return false;
}

static void transfer_all(const void *arguments)
{
    const exchange *x = arguments;
    nccl_ranks *g = x->with.ranks;
    int *state = calloc((size_t)x->count, sizeof *state), left = x->count;
    unsigned long *number = calloc((size_t)x->count, sizeof *number);
    if (!state || !number)
        fails(g, "out of memory", x->with.rank);
    for (int i = 0; i < x->count; i++) {
        const nccl_transfer *t = &x->transfers[i];
        if (t->send)
            library_reads(t->buffer, t->bytes);
        else
            library_writes(t->buffer, t->bytes);
    }
    while (left) {
        bool moved = false;
        for (int i = 0; i < x->count; i++) {
            const nccl_transfer *t = &x->transfers[i];
            bool first = state[i] != DONE;
            for (int k = 0; k < i && first; k++)
                first = x->transfers[k].send != t->send || x->transfers[k].peer != t->peer || state[k] == DONE;
            if (first && step(g, x->with.rank, t, &state[i], &number[i])) {
                moved = true;
                left -= state[i] == DONE;
            }
        }
        if (!moved)
            wait_for_others(g);
    }
    free(state);
    free(number);
    if (!x->with.captured) {
        free(x->transfers);
        nccl_release(g);
    }
}

ncclResult_t nccl_transfers(ncclComm_t comm, cudaStream_t stream, const nccl_transfer *transfers, int count)
{
    exchange x = {.count = count};
    if (!(x.transfers = malloc((size_t)count * sizeof *transfers)))
        return nccl_fail(ncclSystemError, "out of memory");
    memcpy(x.transfers, transfers, (size_t)count * sizeof *transfers);
    const ncclResult_t status = put(comm, stream, "ncclSendRecv", transfer_all, &x.with, sizeof x);
    if (status)
        free(x.transfers);
    return status;
}
