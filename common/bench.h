/* bench.h: times device work with events, several subjects side by side in one run.
 *
 * Protocol: each subject warms up; then rounds, in each of which every subject runs once, A B C C B A A B C ..., so
 * that a drifting clock, a busy neighbour or the launch before hits all alike. Before each timed run a kernel reads a
 * buffer of twice the L2 cache, so that inputs come from memory (cold), and so that both events and the launch are
 * queued while the GPU is busy: the interval holds no launch gap.
 *
 * Sustained (sustained_s > 0) is for compute-bound work: the device is kept busy first, until its clock has settled at
 * what its power allows, and then the rounds follow each other without a gap; set `warm` too. */
#ifndef BENCH_H
#define BENCH_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchSubject {
    void (*run)(void *context); /* queues the work on options.stream */
    void *context;
    double *samples_ms; /* room for options.rounds */
    int runs;           /* out: how many samples there are; slow subjects sit out the later rounds */
} BenchSubject;

typedef struct BenchOptions {
    cudaStream_t stream;
    int warmups; /* runs of each subject before any is timed */
    int rounds;
    int warm;           /* 1: do not flush L2 between runs; say so beside the figure */
    double sustained_s; /* run the first subject for this long before the first round: clocks and power settle */
    double idle_s;      /* rest this long before the first round (burst) */
    double budget_ms;   /* device time after which a subject sits out, once it has 3 samples; 0: none */
    void (*between)(void *context, int round); /* called before each round, may be NULL (progress) */
    void *between_context;
} BenchOptions;

/* Times all subjects. Samples are in ms, aligned: sample i of each was taken in round i. */
void bench(BenchSubject *subjects, int count, const BenchOptions *options);

/* a's time over b's in the rounds that both took part in: stats_paired_ratio(). */
double bench_ratio(const BenchSubject *a, const BenchSubject *b);

/* The host's clock in ms, from any beginning: for what a host clock should time, and to show what it should not. */
double bench_host_ms(void);

/* Queues a read of twice the L2 cache on `stream`. bench_flush_free() gives its buffer back. */
void bench_flush(cudaStream_t stream);
void bench_flush_free(void);

/* Queues a device-to-device copy of bytes/2 (so `bytes` move): the ceiling for memory-bound kernels. At most 8 GiB are
 * moved; *moved says how many were. Buffers are kept until bench_copy_free(). */
void bench_copy(size_t bytes, cudaStream_t stream, size_t *moved);
void bench_copy_free(void);

#ifdef __cplusplus
}
#endif
#endif
