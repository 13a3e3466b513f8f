#include "bench.h"

#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "stats.h"

double bench_host_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Before the first round: warm-ups, then a rest, then a load without pause, as the options ask. */
static void prepare(BenchSubject *s, int count, const BenchOptions *o)
{
    for (int i = 0; i < count; i++) {
        s[i].runs = 0;
        for (int w = 0; w < o->warmups; w++)
            s[i].run(s[i].context);
        CUDA_CHECK(cudaStreamSynchronize(o->stream));
    }
    if (o->idle_s > 0) {
        struct timespec rest = {(time_t)o->idle_s, (long)(1e9 * (o->idle_s - (double)(time_t)o->idle_s))};
        nanosleep(&rest, NULL);
    }
    for (double end = bench_host_ms() + 1e3 * o->sustained_s; o->sustained_s > 0 && count && bench_host_ms() < end;) {
        for (int k = 0; k < 8; k++)
            s[0].run(s[0].context);
        CUDA_CHECK(cudaStreamSynchronize(o->stream));
    }
}

typedef struct {
    cudaEvent_t *start, *stop; /* of subject i in round first + k: [i * batch + k] */
    int batch;                 /* rounds that are queued at once */
    double *spent_ms;          /* per subject */
} Rounds;

/* Queues the rounds from `first` on, up to `last`; returns how many runs that is. */
static int queue_rounds(const Rounds *r, BenchSubject *s, int count, const BenchOptions *o, int first, int last)
{
    int ran = 0;
    for (int round = first; round < last; round++)
        for (int turn = 0; turn < count; turn++) {
            /* Forwards and backwards in turn: where something comes after an even number of launches or an odd one
             * can alone make 0.8 us of difference (H200), and so each comes after both equally often. */
            int i = round % 2 ? count - 1 - turn : turn, e = i * r->batch + round - first;
            if (s[i].runs < round) /* sat out an earlier round */
                continue;
            if (o->budget_ms > 0 && round >= 3 && r->spent_ms[i] >= o->budget_ms)
                continue;
            if (!o->warm)
                bench_flush(o->stream);
            CUDA_CHECK(cudaEventRecord(r->start[e], o->stream));
            s[i].run(s[i].context);
            CUDA_CHECK(cudaEventRecord(r->stop[e], o->stream));
            s[i].runs++;
            ran++;
        }
    return ran;
}

static void read_rounds(const Rounds *r, BenchSubject *s, int count, int first)
{
    for (int i = 0; i < count; i++)
        for (int round = first; round < s[i].runs; round++) {
            float ms;
            int e = i * r->batch + round - first;
            CUDA_CHECK(cudaEventElapsedTime(&ms, r->start[e], r->stop[e]));
            s[i].samples_ms[round] = ms;
            r->spent_ms[i] += ms;
        }
}

void bench(BenchSubject *s, int count, const BenchOptions *o)
{
    /* Sustained: so many rounds are queued at once that the device never waits for the host. */
    Rounds r = {.batch = o->sustained_s > 0 ? 16 : 1};
    const int events = count * r.batch;
    r.start = malloc(sizeof *r.start * (size_t)events);
    r.stop = malloc(sizeof *r.stop * (size_t)events);
    r.spent_ms = calloc((size_t)count, sizeof *r.spent_ms);
    for (int i = 0; i < events; i++) {
        CUDA_CHECK(cudaEventCreate(&r.start[i]));
        CUDA_CHECK(cudaEventCreate(&r.stop[i]));
    }
    prepare(s, count, o);
    for (int first = 0; first < o->rounds; first += r.batch) {
        int last = first + r.batch < o->rounds ? first + r.batch : o->rounds;
        if (o->between)
            o->between(o->between_context, first);
        int ran = queue_rounds(&r, s, count, o, first, last);
        CUDA_CHECK(cudaStreamSynchronize(o->stream));
        read_rounds(&r, s, count, first);
        if (!ran)
            break;
    }
    for (int i = 0; i < events; i++) {
        CUDA_CHECK(cudaEventDestroy(r.start[i]));
        CUDA_CHECK(cudaEventDestroy(r.stop[i]));
    }
    free(r.start);
    free(r.stop);
    free(r.spent_ms);
}

double bench_ratio(const BenchSubject *a, const BenchSubject *b)
{
    return stats_paired_ratio(a->samples_ms, b->samples_ms, a->runs < b->runs ? a->runs : b->runs);
}

static struct {
    char *from, *to;
    size_t bytes;
} copy_buffers;

void bench_copy(size_t bytes, cudaStream_t stream, size_t *moved)
{
    size_t half = bytes / 2, limit = (size_t)4 << 30, free_bytes, total;
    if (half > limit)
        half = limit;
    if (copy_buffers.bytes < half) {
        bench_copy_free();
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
        if (half > free_bytes / 4)
            half = free_bytes / 4;
        CUDA_CHECK(cudaMalloc((void **)&copy_buffers.from, half));
        CUDA_CHECK(cudaMalloc((void **)&copy_buffers.to, half));
        CUDA_CHECK(cudaMemsetAsync(copy_buffers.from, 0x3c, half, stream));
        copy_buffers.bytes = half;
    }
    if (half > copy_buffers.bytes)
        half = copy_buffers.bytes;
    CUDA_CHECK(cudaMemcpyAsync(copy_buffers.to, copy_buffers.from, half, cudaMemcpyDeviceToDevice, stream));
    *moved = 2 * half;
}

void bench_copy_free(void)
{
    if (copy_buffers.bytes) {
        CUDA_CHECK(cudaFree(copy_buffers.from));
        CUDA_CHECK(cudaFree(copy_buffers.to));
    }
    copy_buffers.bytes = 0;
}
