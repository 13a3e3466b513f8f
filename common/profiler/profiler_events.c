/* profiler_events.c: the profiler's last resort, where no tracer can be had: a CUDA event at
 * each end of a range on the default stream. Ranges get their CUDA time; kernels and API
 * calls are not seen. */
#include "profiler_core.h"

#if (defined(LAB_CUDA) || defined(LAB_CPU)) && __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>

enum { DEPTH = 256 };

typedef struct timed_range {
    cudaEvent_t begin, end;
    uint32_t name, thread;
    size_t parent; /* plus one; 0 is none */
    int ended, dropped;
    float children_ms;
} timed_range;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static timed_range *ranges;
static size_t count, room;
static cudaEvent_t base;
static uint64_t base_ns;
static int on;
static __thread size_t open_ranges[DEPTH], depth;

static int events_open(char *message, size_t size)
{
    cudaError_t e = cudaEventCreate(&base);
    if (e != cudaSuccess)
        snprintf(message, size, "no CUDA events either: %s", cudaGetErrorString(e));
    return e == cudaSuccess ? 0 : -1;
}

static void events_close(void)
{
    cudaEventDestroy(base);
    free(ranges);
    ranges = NULL;
    count = room = 0;
}

static void events_synchronize(void) { cudaDeviceSynchronize(); }

static int events_enable(unsigned activities, char *message, size_t size)
{
    (void)message, (void)size;
    if (!(activities & 2))
        return 0;
    cudaEventRecord(base, 0);
    cudaEventSynchronize(base);
    base_ns = prof_now_ns();
    on = 1;
    return 0;
}

/* The number under which the range's CUDA time will come: it serves as a correlation. */
static uint32_t events_begin(const char *name)
{
    pthread_mutex_lock(&mutex);
    if (count == room) {
        size_t n = room ? room * 2 : 256;
        timed_range *grown = realloc(ranges, n * sizeof *grown);
        if (grown)
            ranges = grown, room = n;
    }
    size_t number = 0;
    timed_range r = {
        .name = prof_name(name), .thread = prof_thread(), .parent = depth ? open_ranges[(depth - 1) % DEPTH] : 0};
    if (on && count < room && cudaEventCreate(&r.begin) == cudaSuccess) {
        if (cudaEventCreate(&r.end) == cudaSuccess) {
            cudaEventRecord(r.begin, 0);
            ranges[count++] = r;
            number = count;
        } else {
            cudaEventDestroy(r.begin);
        }
    }
    open_ranges[depth++ % DEPTH] = number;
    pthread_mutex_unlock(&mutex);
    return (uint32_t)number;
}

static void events_end(void)
{
    if (!depth)
        return;
    size_t number = open_ranges[--depth % DEPTH];
    pthread_mutex_lock(&mutex);
    if (number && number <= count) {
        cudaEventRecord(ranges[number - 1].end, 0);
        ranges[number - 1].ended = 1;
    }
    pthread_mutex_unlock(&mutex);
}

static void events_disable(unsigned activities)
{
    if (!(activities & 2))
        return;
    pthread_mutex_lock(&mutex);
    on = 0;
    cudaDeviceSynchronize();
    for (size_t i = count; i-- > 0;) { /* inner ranges have larger numbers than outer ones */
        timed_range *r = &ranges[i];
        float from_ms = 0, ms = 0;
        if (r->ended && !r->dropped && cudaEventElapsedTime(&ms, r->begin, r->end) == cudaSuccess &&
            cudaEventElapsedTime(&from_ms, base, r->begin) == cudaSuccess) {
            if (r->parent)
                ranges[r->parent - 1].children_ms += ms;
            float self_ms = ms > r->children_ms ? ms - r->children_ms : 0;
            prof_event e = {.kind = PROF_KERNEL, .name = r->name, .correlation = (uint32_t)i + 1};
            e.start_ns = base_ns + (uint64_t)((double)from_ms * 1e6);
            e.end_ns = e.start_ns + (uint64_t)((double)self_ms * 1e6);
            prof_put(&e);
        }
        cudaEventDestroy(r->begin);
        cudaEventDestroy(r->end);
    }
    count = 0;
    pthread_mutex_unlock(&mutex);
}

/* What was timed so far is not wanted: it was warm-up. */
static void events_flush(int all)
{
    (void)all;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < count; i++)
        ranges[i].dropped = 1;
    pthread_mutex_unlock(&mutex);
}

static void events_describe(char *device, size_t size)
{
    struct cudaDeviceProp p;
    int d;
    device[0] = 0;
    if (cudaGetDevice(&d) == cudaSuccess && cudaGetDeviceProperties(&p, d) == cudaSuccess)
        snprintf(device, size, "%s", p.name);
}

const prof_backend prof_backend_events = {.name = "CUDA events",
                                          .open = events_open,
                                          .close = events_close,
                                          .enable = events_enable,
                                          .disable = events_disable,
                                          .flush = events_flush,
                                          .synchronize = events_synchronize,
                                          .describe = events_describe,
                                          .range_begin = events_begin,
                                          .range_end = events_end};

#else

static int events_open(char *message, size_t size)
{
    snprintf(message, size, "built without CUDA events");
    return -1;
}
const prof_backend prof_backend_events = {.name = "CUDA events", .open = events_open};

#endif
