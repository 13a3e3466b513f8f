/* nested.c: what a kernel may call of the runtime: it launches kernels, makes streams, copies, allocates.
 *
 * As CUDA 12 and 13 have it: a kernel cannot wait for those that it launches; a launch is over when its kernel's blocks
 * are, and all that they launched, and after that what they put on cudaStreamTailLaunch.  The default stream is each
 * block's own.  sched.c keeps that order (queue_nested, end); here is what a thread sees of it. */
#include "runtime.h"
#include "tell.h"

/* What CUDA's device runtime has; nvcc takes nothing else in a kernel. */
static const char *const allowed[] = {"cudaLaunchKernel",
                                      "cudaMalloc",
                                      "cudaFree",
                                      "cudaMemcpyAsync",
                                      "cudaMemcpy2DAsync",
                                      "cudaMemcpy3DAsync",
                                      "cudaMemsetAsync",
                                      "cudaMemset2DAsync",
                                      "cudaMemset3DAsync",
                                      "cudaStreamCreateWithFlags",
                                      "cudaStreamDestroy",
                                      "cudaStreamWaitEvent",
                                      "cudaEventCreateWithFlags",
                                      "cudaEventRecord",
                                      "cudaEventRecordWithFlags",
                                      "cudaEventDestroy",
                                      "cudaGetDevice",
                                      "cudaGetDeviceCount",
                                      "cudaDeviceGetAttribute",
                                      "cudaDeviceGetLimit",
                                      "cudaDeviceGetCacheConfig",
                                      "cudaDeviceGetSharedMemConfig",
                                      "cudaRuntimeGetVersion",
                                      "cudaFuncGetAttributes",
                                      "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                      "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                                      NULL};

static __thread int depth; /* of such calls in each other: the outermost is the thread's own */

void nested_enter(const char *name, const void *caller)
{
    cpudev_tls.worker->nested = true;
    if (depth++)
        return;
    for (const char *const *a = allowed; *a; a++)
        if (!strcmp(*a, name)) {
            if (observed.any)
                tell_nested_call(name, caller);
            return;
        }
    depth = 0;
    char place[512];
    describe_place(place, sizeof place);
    if (observed.any)
        tell_nested_refused(name, caller);
    message("%s: a kernel cannot call it: %s", name, place);
    fail_kernel(cudaErrorLaunchFailure);
}

void nested_leave(int status)
{
    if (--depth == 0 && observed.any)
        tell_nested_call_end(status);
}

void nested_block_begin(cpudev_worker *w)
{
    w->nested = false;
    w->nlaunches = 0;
    memset(w->own_streams, 0, sizeof w->own_streams);
    free(w->errors);
    w->errors = NULL;
    depth = 0;
}

cudaError_t *nested_error(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    w->nested = true;
    if (!w->errors && !(w->errors = calloc(MAX_THREADS, sizeof *w->errors)))
        abort();
    return &w->errors[cpudev_tid()];
}

/* Launches.
 *
 * Between <<<...>>> and the kernel's call its arguments are computed, which may bring another thread's turn: each
 * thread finds its own. */

void nested_push(const launch *l)
{
    cpudev_worker *w = cpudev_tls.worker;
    w->nested = true;
    if (w->nlaunches == w->launches_room) {
        w->launches_room = w->launches_room ? 2 * w->launches_room : 8;
        w->launches = realloc(w->launches, (size_t)w->launches_room * sizeof *w->launches);
        if (!w->launches)
            abort();
    }
    w->launches[w->nlaunches] = *l;
    w->launches[w->nlaunches++].thread = cpudev_tid();
}

static int mine(const cpudev_worker *w)
{
    int i = w->nlaunches - 1;
    while (i >= 0 && w->launches[i].thread != cpudev_tid())
        i--;
    return i;
}

bool nested_pending(void) { return mine(cpudev_tls.worker) >= 0; }

launch nested_pop(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    int i = mine(w);
    launch l = w->launches[i];
    w->nlaunches--;
    memmove(w->launches + i, w->launches + i + 1, (size_t)(w->nlaunches - i) * sizeof l);
    return l;
}

static struct CUstream_st *stream_make(int order)
{
    command *grid = cpudev_tls.worker->command;
    struct CUstream_st *s = stream_new(cudaStreamNonBlocking, 0);
    if (!s)
        abort();
    s->id = grid->stream->id; /* tools show what it does beside its parent */
    s->grid = grid;
    s->order = order;
    scheduler_lock();
    s->next = grid->streams;
    grid->streams = s;
    scheduler_unlock();
    return s;
}

void nested_streams_free(struct CUstream_st *s)
{
    while (s) {
        struct CUstream_st *next = s->next;
        s->magic = 0;
        free(s);
        s = next;
    }
}

struct CUstream_st *nested_stream_of(cudaStream_t s)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (s == cudaStreamLegacy)
        return NULL;
    if (s == NULL || s == cudaStreamPerThread || s == cudaStreamTailLaunch || s == cudaStreamFireAndForget) {
        int order = s == cudaStreamTailLaunch ? TAIL_LAUNCH : s == cudaStreamFireAndForget ? FIRE_AND_FORGET : IN_ORDER;
        if (!w->own_streams[order])
            w->own_streams[order] = stream_make(order);
        return w->own_streams[order];
    }
    return region_of(s) == R_NONE && handle_ok(s) && s->magic == STREAM_MAGIC && s->grid == w->command ? s : NULL;
}

cudaError_t nested_stream_create(cudaStream_t *stream, unsigned flags)
{
    if (!stream || flags != cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    *stream = stream_make(IN_ORDER);
    return cudaSuccess;
}

/* It comes from the heap of the kernels' malloc and new. */
cudaError_t nested_malloc(void **p, size_t bytes)
{
    if (!p)
        return cudaErrorInvalidValue;
    *p = NULL;
    if (!bytes)
        return cudaSuccess;
    const cpudev_observer *keeper = ASK(alloc);
    if (keeper)
        *p = keeper->alloc(CPUDEV_MEM_HEAP, bytes);
    else if (bytes <= SIZE_MAX - 255)
        *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t nested_free(void *p)
{
    if (!p)
        return cudaSuccess;
    const cpudev_observer *keeper = ASK(free);
    if (keeper)
        return (cudaError_t)keeper->free(CPUDEV_MEM_HEAP, p);
    if (region_of(p) != R_NONE) /* the host's cudaMalloc made it */
        return cudaErrorInvalidValue;
    free(p);
    return cudaSuccess;
}
