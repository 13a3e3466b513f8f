/* nccl_group.c: NCCL's groups, the sends and receives that wait for their end, and the texts of errors. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl/nccl_comm.h"

typedef struct transfer {
    struct transfer *next;
    bool send;
    ncclComm_t comm;
    void *buffer;
    size_t bytes;
    cudaStream_t stream;
} transfer;

/* The group that a thread is in. */
static __thread struct {
    int depth;
    ncclResult_t error;          /* its first */
    transfer *waiting, **behind; /* in the order of their calls; the place of the next */
} group;
static __thread char last_error[512];

static bool warns(void)
{
    const char *level = getenv("NCCL_DEBUG");
    return level && (!strcmp(level, "WARN") || !strcmp(level, "INFO") || !strcmp(level, "TRACE"));
}

ncclResult_t nccl_fail(ncclResult_t error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    if (warns())
        fprintf(stderr, "CPU device: NCCL WARN %s\n", last_error);
    if (group.depth && !group.error)
        group.error = error;
    return error;
}

ncclResult_t nccl_failed_call(cudaError_t error)
{
    cudaGetLastError();
    return nccl_fail(ncclUnhandledCudaError, "Cuda failure '%s'", cudaGetErrorString(error));
}

const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return last_error;
}

/* ---- pairs of a send and a receive ---- */

/* Copies after all the work that is on either stream now. Work that is queued on either stream later waits for the copy. */
static cudaError_t copy_on_two_streams(const transfer *send, const transfer *receive)
{
    cudaEvent_t event;
    cudaError_t e = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (e)
        return e;
    if (!(e = cudaEventRecord(event, receive->stream)) && !(e = cudaStreamWaitEvent(send->stream, event, 0)) &&
        !(e = cudaMemcpyAsync(receive->buffer, send->buffer, send->bytes, cudaMemcpyDefault, send->stream)) &&
        !(e = cudaEventRecord(event, send->stream)))
        e = cudaStreamWaitEvent(receive->stream, event, 0);
    cudaEventDestroy(event);
    return e;
}

static ncclResult_t copy(const transfer *send, const transfer *receive)
{
    cudaError_t e = cudaSuccess;
    if (send->buffer == receive->buffer || !send->bytes)
        return ncclSuccess;
    if (send->stream == receive->stream)
        e = cudaMemcpyAsync(receive->buffer, send->buffer, send->bytes, cudaMemcpyDefault, send->stream);
    else
        e = copy_on_two_streams(send, receive);
    return e ? nccl_failed_call(e) : ncclSuccess;
}

/* The partner of the list's first transfer is the first of the other kind, since all before had theirs. */
static transfer *take_partner(transfer *first)
{
    for (transfer **at = &first->next; *at; at = &(*at)->next)
        if ((*at)->comm == first->comm && (*at)->send != first->send) {
            transfer *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

/* Looks at every pair; copies if `copies`. Takes the transfers from the list as it goes. */
static ncclResult_t copy_pairs(transfer *waiting)
{
    ncclResult_t status = ncclSuccess;
    while (waiting) {
        transfer *first = waiting, *partner = take_partner(first);
        waiting = first->next;
        if (partner && !status)
            status = first->send ? copy(first, partner) : copy(partner, first);
        free(partner);
        free(first);
    }
    return status;
}

/* Is there a partner of the same length for each? By counting on: the nth send and the nth receive are a pair. */
static ncclResult_t all_have_partners(const transfer *waiting)
{
    for (const transfer *t = waiting; t; t = t->next) {
        int place = 0;
        for (const transfer *before = waiting; before != t; before = before->next)
            place += before->comm == t->comm && before->send == t->send;
        const transfer *partner = waiting;
        while (partner && !(partner->comm == t->comm && partner->send != t->send && !place--))
            partner = partner->next;
        if (!partner)
            return nccl_fail(ncclInvalidUsage, "Trying to %s to self without a matching %s", t->send ? "send" : "recv",
                             t->send ? "recv" : "send");
        if (partner->bytes != t->bytes)
            return nccl_fail(ncclInvalidUsage, "Trying to send to self: of %zu bytes and to receive %zu",
                             t->send ? t->bytes : partner->bytes, t->send ? partner->bytes : t->bytes);
    }
    return ncclSuccess;
}

/* ---- groups ---- */

ncclResult_t ncclGroupStart(void)
{
    if (!group.depth++) {
        group.error = ncclSuccess;
        group.waiting = NULL;
        group.behind = &group.waiting;
    }
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    if (!group.depth)
        return nccl_fail(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
    if (--group.depth)
        return ncclSuccess;
    transfer *waiting = group.waiting;
    group.waiting = NULL;
    ncclResult_t status = group.error ? group.error : all_have_partners(waiting);
    if (!status)
        return copy_pairs(waiting);
    for (transfer *next; waiting; waiting = next) {
        next = waiting->next;
        free(waiting);
    }
    return status;
}

ncclResult_t nccl_wait_for_group(bool send, ncclComm_t comm, void *buffer, size_t bytes, cudaStream_t stream)
{
    ncclGroupStart(); /* a call without a group is a group of its own */
    transfer *t = malloc(sizeof *t);
    if (t) {
        *t = (transfer){NULL, send, comm, buffer, bytes, stream};
        *group.behind = t;
        group.behind = &t->next;
    } else {
        nccl_fail(ncclSystemError, "out of memory");
    }
    const ncclResult_t status = ncclGroupEnd();
    return t ? status : ncclSystemError;
}
