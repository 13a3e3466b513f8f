/* nccl_group.c: NCCL's groups, and the sends and receives that wait for their end. */
#include <stdlib.h>

#include "nccl/nccl_comm.h"

typedef struct transfer {
    struct transfer *next;
    bool send;
    ncclComm_t comm;
    int peer;
    void *buffer;
    size_t bytes;
    cudaStream_t stream;
} transfer;

/* What waits for other host threads' calls. */
typedef struct meeting {
    struct meeting *next;
    ncclResult_t (*wait)(void *);
    void *what;
} meeting;

/* The group that a thread is in. */
static __thread struct {
    int depth;
    transfer *waiting, **behind; /* in the order of their calls; the place of the next */
    meeting *meetings, **meetings_behind;
} group;

/* ---- pairs of a send and a receive of one rank ---- */

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

/* ---- between ranks ---- */

/* Takes the transfers between a rank and itself from the list. */
static transfer *take_own(transfer **list)
{
    transfer *own = NULL, **behind = &own;
    while (*list) {
        transfer *t = *list;
        if (t->peer == t->comm->rank) {
            *list = t->next;
            *behind = t;
            behind = &t->next;
            t->next = NULL;
        } else {
            list = &t->next;
        }
    }
    return own;
}

static void forget(transfer *waiting)
{
    for (transfer *next; waiting; waiting = next) {
        next = waiting->next;
        free(waiting);
    }
}

/* Starts those of the first one's rank and stream, in one kernel, and takes them from the list. */
static ncclResult_t start_first(transfer **list)
{
    const ncclComm_t comm = (*list)->comm;
    const cudaStream_t stream = (*list)->stream;
    int count = 0;
    for (transfer *t = *list; t; t = t->next)
        count += t->comm == comm && t->stream == stream;
    nccl_transfer *together = malloc((size_t)count * sizeof *together);
    if (!together) {
        forget(*list);
        *list = NULL;
        return nccl_fail(ncclSystemError, "out of memory");
    }
    count = 0;
    while (*list) {
        transfer *t = *list;
        if (t->comm != comm || t->stream != stream) {
            list = &t->next;
            continue;
        }
        together[count++] = (nccl_transfer){t->send, t->peer, t->buffer, t->bytes};
        *list = t->next;
        free(t);
    }
    const ncclResult_t status = nccl_transfers(comm, stream, together, count);
    free(together);
    return status;
}

static ncclResult_t start_all(transfer *waiting)
{
    ncclResult_t status = ncclSuccess;
    while (waiting) {
        const ncclResult_t s = start_first(&waiting);
        status = status ? status : s;
    }
    return status;
}

/* ---- groups ---- */

ncclResult_t ncclGroupStart(void)
{
    if (!group.depth++) {
        nccl_first_error(true);
        group.waiting = NULL;
        group.behind = &group.waiting;
        group.meetings = NULL;
        group.meetings_behind = &group.meetings;
    }
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    if (!group.depth)
        return nccl_fail(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
    if (--group.depth)
        return ncclSuccess;
    transfer *waiting = group.waiting, *own = take_own(&waiting);
    group.waiting = NULL;
    ncclResult_t status = nccl_first_error(false);
    for (meeting *m = group.meetings, *next; m; m = next) {
        next = m->next;
        const ncclResult_t s = m->wait(m->what);
        status = status ? status : s;
        free(m);
    }
    group.meetings = NULL;
    if (status || (status = all_have_partners(own))) {
        forget(own);
        forget(waiting);
        return status;
    }
    status = copy_pairs(own);
    const ncclResult_t s = start_all(waiting);
    return status ? status : s;
}

ncclResult_t nccl_after_group(ncclResult_t (*wait)(void *what), void *what)
{
    if (!group.depth)
        return wait(what);
    meeting *m = malloc(sizeof *m);
    if (!m) /* it waits now, then */
        return wait(what);
    *m = (meeting){NULL, wait, what};
    *group.meetings_behind = m;
    group.meetings_behind = &m->next;
    return ncclSuccess;
}

ncclResult_t nccl_wait_for_group(bool send, ncclComm_t comm, int peer, void *buffer, size_t bytes, cudaStream_t stream)
{
    ncclGroupStart(); /* a call without a group is a group of its own */
    transfer *t = malloc(sizeof *t);
    if (t) {
        *t = (transfer){NULL, send, comm, peer, buffer, bytes, stream};
        *group.behind = t;
        group.behind = &t->next;
    } else {
        nccl_fail(ncclSystemError, "out of memory");
    }
    const ncclResult_t status = ncclGroupEnd();
    return t ? status : ncclSystemError;
}
