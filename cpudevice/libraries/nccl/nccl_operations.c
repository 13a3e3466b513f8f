/* nccl_operations.c: NCCL's operations. The only rank copies, or multiplies by an operator's scalar; several do it together, in
 * nccl_ranks.c. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpudev_smallfloat.h"
#include "library.h"
#include "nccl/nccl_comm.h"

#define size_of nccl_size_of

/* ---- operators ---- */

static pthread_mutex_t sums_lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of the link to the operator of this number; the link at the end is NULL. Under the lock. */
static scaled_sum **sum_numbered(ncclComm_t comm, int number)
{
    scaled_sum **at = &comm->sums;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    return at;
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm)
{
    static int last = ncclNumOps - 1;
    const ncclResult_t status = nccl_in_use(comm, "ncclRedOpCreatePreMulSum");
    if (status)
        return status;
    if (!op || !scalar)
        return nccl_fail(ncclInvalidArgument, "ncclRedOpCreatePreMulSum : %s argument is NULL", op ? "scalar" : "op");
    if ((unsigned)type >= ncclNumTypes)
        return nccl_fail(ncclInternalError, "ncclRedOpCreatePreMulSum : invalid type %d", type); /* as NCCL has it */
    scaled_sum *made = calloc(1, sizeof *made);
    if (!made)
        return nccl_fail(ncclSystemError, "out of memory");
    made->type = type;
    if (residence == ncclScalarHostImmediate)
        memcpy(made->scalar, scalar, size_of[type]);
    else
        made->on_device = scalar;
    pthread_mutex_lock(&sums_lock);
    made->number = ++last;
    made->next = comm->sums;
    comm->sums = made;
    pthread_mutex_unlock(&sums_lock);
    *op = (ncclRedOp_t)made->number;
    return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm)
{
    if ((int)op >= 0 && (int)op < ncclNumOps)
        return nccl_fail(ncclInvalidArgument, "ncclRedOpDestroy : operator is a NCCL builtin.");
    const ncclResult_t status = nccl_in_use(comm, "ncclRedOpDestroy");
    if (status)
        return status;
    pthread_mutex_lock(&sums_lock);
    scaled_sum **at = sum_numbered(comm, (int)op), *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&sums_lock);
    if (!found)
        return nccl_fail(ncclInvalidArgument, "ncclRedOpDestroy : operator unknown to this communicator.");
    free(found);
    return ncclSuccess;
}

/* A copy of the operator, or its number where it is one of NCCL's. */
static ncclResult_t operator_of(ncclComm_t comm, const char *caller, ncclRedOp_t op, ncclDataType_t type,
                                scaled_sum *copy)
{
    *copy = (scaled_sum){.number = (int)op};
    if ((int)op < 0)
        return nccl_fail(ncclInvalidArgument, "%s : invalid reduction operation %d", caller, (int)op);
    if ((int)op < ncclNumOps)
        return ncclSuccess;
    pthread_mutex_lock(&sums_lock);
    const scaled_sum *found = *sum_numbered(comm, (int)op);
    if (found)
        *copy = *found;
    pthread_mutex_unlock(&sums_lock);
    if (!found)
        return nccl_fail(ncclInvalidArgument, "%s : reduction operation %d unknown to this communicator", caller,
                         (int)op);
    if (copy->type != type)
        return nccl_fail(ncclInvalidArgument, "Data type supplied to user-created ncclRedOp_t does not match type "
                                              "given to reduction operation");
    return ncclSuccess;
}

/* ---- multiplication ---- */

typedef struct product {
    void *to;
    const void *from;
    size_t count;
    int blocks;
    scaled_sum by;
} product;

static uint16_t times_half(uint16_t a, uint16_t b)
{
    return cpudev_float_to_half(cpudev_half_to_float(a) * cpudev_half_to_float(b));
}
static uint16_t times_bf16(uint16_t a, uint16_t b)
{
    return cpudev_float_to_bf16(cpudev_bf16_to_float(a) * cpudev_bf16_to_float(b));
}
/* In half, as a GPU multiplies them; what is too large becomes the largest value. */
static uint8_t times_fp8(uint8_t a, uint8_t b, int mantissa)
{
    const uint16_t half = times_half(cpudev_fp8_to_half(a, mantissa), cpudev_fp8_to_half(b, mantissa));
    return cpudev_double_to_fp8((double)cpudev_half_to_float(half), mantissa, 1);
}

/* Elements [i, end) of one type; `expression` is the product of x and s. Whole numbers wrap around: as unsigned ones. */
#define MULTIPLY(T, expression)                                                                                        \
    for (const T s = *(const T *)scalar; i < end; i++) {                                                               \
        const T x = ((const T *)p->from)[i];                                                                           \
        ((T *)p->to)[i] = (T)(expression);                                                                             \
    }                                                                                                                  \
    break

static void multiply(const void *arguments)
{
    const product *p = arguments;
    const size_t size = size_of[p->by.type], share = (p->count + (size_t)p->blocks - 1) / (size_t)p->blocks;
    const size_t begin = share * (size_t)library_block(), rest = begin < p->count ? p->count - begin : 0;
    size_t i = begin;
    const size_t end = begin + (rest < share ? rest : share);
    const void *scalar = p->by.scalar;
    if (i == end)
        return;
    if (p->by.on_device)
        library_reads(scalar = p->by.on_device, size);
    library_reads((const char *)p->from + begin * size, (end - begin) * size);
    library_writes((char *)p->to + begin * size, (end - begin) * size);
    switch (p->by.type) {
    case ncclInt8:
    case ncclUint8: MULTIPLY(uint8_t, x * s);
    case ncclInt32:
    case ncclUint32: MULTIPLY(uint32_t, x * s);
    case ncclInt64:
    case ncclUint64: MULTIPLY(uint64_t, x * s);
    case ncclFloat16: MULTIPLY(uint16_t, times_half(x, s));
    case ncclFloat32: MULTIPLY(float, x *s);
    case ncclFloat64: MULTIPLY(double, x *s);
    case ncclBfloat16: MULTIPLY(uint16_t, times_bf16(x, s));
    case ncclFloat8e4m3: MULTIPLY(uint8_t, times_fp8(x, s, 3));
    case ncclFloat8e5m2: MULTIPLY(uint8_t, times_fp8(x, s, 2));
    default: break;
    }
}

/* ---- operations ---- */

/* One call: what it was given, and what it is called in errors. */
typedef struct call {
    enum nccl_kind kind;
    const char *name, *kernel;
    const void *from;
    void *to;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    int root; /* or the peer */
    ncclComm_t comm;
    cudaStream_t stream;
} call;

static ncclResult_t check(const call *c)
{
    const ncclResult_t status = nccl_in_use(c->comm, c->name);
    if (status)
        return status;
    if (c->comm->finalized)
        return nccl_fail(ncclInvalidArgument, "%s : the communicator was finalized", c->name);
    const int ranks = c->comm->ranks ? c->comm->ranks->count : 1;
    if (c->root < 0 || c->root >= ranks)
        return nccl_fail(ncclInvalidArgument, "%s : invalid root %d (root should be in the 0..%d range)", c->name,
                         c->root, ranks);
    if ((unsigned)c->type >= ncclNumTypes)
        return nccl_fail(ncclInvalidArgument, "%s : invalid type %d", c->name, c->type);
    return ncclSuccess;
}

static ncclResult_t run(const call *c)
{
    enum { BLOCK_BYTES = 1 << 16, MOST_BLOCKS = 32 };
    ncclResult_t status = check(c);
    product p = {.to = c->to, .from = c->from, .count = c->count};
    if (status || (status = operator_of(c->comm, c->name, c->op, c->type, &p.by)) || !c->count)
        return status;
    if (c->comm->ranks)
        return nccl_join(c->comm, c->stream, c->kernel,
                         &(nccl_request){c->kind, c->from, c->to, c->count, c->type, c->root, p.by});
    cudaError_t e = cudaSuccess;
    const size_t bytes = c->count * size_of[c->type], blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    p.blocks = blocks < MOST_BLOCKS ? (int)blocks : MOST_BLOCKS;
    if (p.by.number >= ncclNumOps)
        e = library_launch_blocks(c->stream, c->kernel, p.blocks, multiply, &p, sizeof p);
    else if (c->to != c->from)
        e = cudaMemcpyAsync(c->to, c->from, bytes, cudaMemcpyDefault, c->stream);
    return e ? nccl_failed_call(e) : ncclSuccess;
}

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream)
{
    return run(&(call){NCCL_ALL_REDUCE, "AllReduce", "ncclAllReduce", send, receive, count, type, op, 0, comm, stream});
}
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream)
{
    return run(&(call){NCCL_REDUCE, "Reduce", "ncclReduce", send, receive, count, type, op, root, comm, stream});
}
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t receive_count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    return run(&(call){NCCL_REDUCE_SCATTER, "ReduceScatter", "ncclReduceScatter", send, receive, receive_count, type,
                       op, 0, comm, stream});
}

/* These have no operator. */
static ncclResult_t move(enum nccl_kind kind, const char *kernel, const void *send, void *receive, size_t count,
                         ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    return run(&(call){kind, kernel + strlen("nccl"), kernel, send, receive, count, type, ncclSum, root, comm, stream});
}
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream)
{
    return move(NCCL_BROADCAST, "ncclBroadcast", send, receive, count, type, root, comm, stream);
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    return move(NCCL_BROADCAST, "ncclBroadcast", buffer, buffer, count, type, root, comm, stream);
}
ncclResult_t ncclAllGather(const void *send, void *receive, size_t send_count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream)
{
    return move(NCCL_ALL_GATHER, "ncclAllGather", send, receive, send_count, type, 0, comm, stream);
}
ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
                          cudaStream_t stream)
{
    return move(NCCL_ALL_TO_ALL, "ncclAlltoAll", send, receive, count, type, 0, comm, stream);
}
ncclResult_t ncclGather(const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                        cudaStream_t stream)
{
    return move(NCCL_GATHER, "ncclGather", send, receive, count, type, root, comm, stream);
}
ncclResult_t ncclScatter(const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                         cudaStream_t stream)
{
    return move(NCCL_SCATTER, "ncclScatter", send, receive, count, type, root, comm, stream);
}

static ncclResult_t transfer(bool send, void *buffer, const call *c)
{
    const ncclResult_t status = check(c);
    return status ? status
                  : nccl_wait_for_group(send, c->comm, c->root, buffer, c->count * size_of[c->type], c->stream);
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    return transfer(true, (void *)send, &(call){0, "Send", "", NULL, NULL, count, type, ncclSum, peer, comm, stream});
}
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
    return transfer(false, receive, &(call){0, "Recv", "", NULL, NULL, count, type, ncclSum, peer, comm, stream});
}
