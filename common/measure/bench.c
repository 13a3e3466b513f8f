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

void bench(BenchSubject *s, int count, const BenchOptions *o)
{
    /* Sustained: so many rounds are queued at once that the device never waits for the host. */
    const int batch = o->sustained_s > 0 ? 16 : 1;
    cudaEvent_t *start = malloc(sizeof *start * (size_t)(count * batch)),
                *stop = malloc(sizeof *stop * (size_t)(count * batch));
    double *spent_ms = calloc((size_t)count, sizeof *spent_ms);

    for (int i = 0; i < count * batch; i++) {
        CUDA_CHECK(cudaEventCreate(&start[i]));
        CUDA_CHECK(cudaEventCreate(&stop[i]));
    }
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
    for (int first = 0; first < o->rounds; first += batch) {
        int last = first + batch < o->rounds ? first + batch : o->rounds, ran = 0;
        if (o->between)
            o->between(o->between_context, first);
        for (int round = first; round < last; round++)
            for (int turn = 0; turn < count; turn++) {
                /* Forwards and backwards in turn: where something comes after an even number of launches or an odd one
                 * can alone make 0.8 us of difference (H200), and so each comes after both equally often. */
                int i = round % 2 ? count - 1 - turn : turn, e = i * batch + round - first;
                if (s[i].runs < round) /* sat out an earlier round */
                    continue;
                if (o->budget_ms > 0 && round >= 3 && spent_ms[i] >= o->budget_ms)
                    continue;
                if (!o->warm)
                    bench_flush(o->stream);
                CUDA_CHECK(cudaEventRecord(start[e], o->stream));
                s[i].run(s[i].context);
                CUDA_CHECK(cudaEventRecord(stop[e], o->stream));
                s[i].runs++;
                ran++;
            }
        CUDA_CHECK(cudaStreamSynchronize(o->stream));
        for (int i = 0; i < count; i++)
            for (int round = first; round < s[i].runs; round++) {
                float ms;
                CUDA_CHECK(
                    cudaEventElapsedTime(&ms, start[i * batch + round - first], stop[i * batch + round - first]));
                s[i].samples_ms[round] = ms;
                spent_ms[i] += ms;
            }
        if (!ran)
            break;
    }
    for (int i = 0; i < count * batch; i++) {
        CUDA_CHECK(cudaEventDestroy(start[i]));
        CUDA_CHECK(cudaEventDestroy(stop[i]));
    }
    free(start);
    free(stop);
    free(spent_ms);
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
