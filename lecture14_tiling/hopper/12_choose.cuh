/* 12_choose.cuh: which instance for which shape, found by trying: the first time a shape is seen, every candidate runs
 * it a few times into a scratch matrix, each time with L2 emptied first as the lab does, and the fastest is kept. And
 * what surrounds a launch: tables of tile orders kept on the device, and padded copies for shapes that TMA cannot
 * address. */
#ifndef HOPPER_CHOOSE_CUH
#define HOPPER_CHOOSE_CUH

#include <stdlib.h>

#include "../../common/bench.h"
#include "../../common/error.h"
#include "../../common/hopper.cuh"
#include "10_whole.cuh"
#include "12_skinny.cuh"
#include "tile_order.cuh"

#ifndef __CUCC__

/* The Hilbert order of rows x cols tiles, on the device; made once for each shape and kept. */
static const uint32_t *hilbert_on_device(int rows, int cols)
{
    static struct Kept {
        struct Kept *next;
        int rows, cols;
        uint32_t *order;
    } * kept;
    for (struct Kept *k = kept; k; k = k->next)
        if (k->rows == rows && k->cols == cols)
            return k->order;
    struct Kept *k = (struct Kept *)malloc(sizeof *k);
    const size_t bytes = sizeof(uint32_t) * (size_t)rows * (size_t)cols;
    uint32_t *host = (uint32_t *)malloc(bytes);
    hilbert_order(host, rows, cols);
    CUDA_CHECK(cudaMalloc((void **)&k->order, bytes));
    CUDA_CHECK(cudaMemcpy(k->order, host, bytes, cudaMemcpyHostToDevice));
    free(host);
    k->rows = rows, k->cols = cols, k->next = kept;
    kept = k;
    return k->order;
}

typedef const char *HopperLaunch(const HopperGemm *p, cudaStream_t stream);

static inline int round8(int x) { return (x + 7) / 8 * 8; }

/* Scratch that padded_launch() needs for this shape. */
static inline size_t padded_bytes(const HopperGemm *p)
{
    if (p->K % 8 == 0 && p->N % 8 == 0)
        return 0;
    return 2 * (((size_t)p->M + p->N) * round8(p->K) + (size_t)p->M * round8(p->N) + 3 * 128);
}

/* Launches directly where rows are multiples of 16 bytes, else by way of padded copies. Columns past K are outside the
 * tensor map, which reads them as zero, so the padding needs no clearing. */
static const char *padded_launch(HopperLaunch *launch, HopperGemm p, void *scratch, cudaStream_t stream)
{
    if (p.K % 8 == 0 && p.N % 8 == 0)
        return launch(&p, stream);
    const int lda = round8(p.K), ldc = round8(p.N);
    uint16_t *A = (uint16_t *)scratch, *B = A + ((size_t)p.M * lda + 127) / 128 * 128;
    uint16_t *C = B + ((size_t)p.N * lda + 127) / 128 * 128;
    CUDA_CHECK(cudaMemcpy2DAsync(A, 2 * (size_t)lda, p.A, 2 * (size_t)p.lda, 2 * (size_t)p.K, p.M,
                                 cudaMemcpyDeviceToDevice, stream));
    CUDA_CHECK(cudaMemcpy2DAsync(B, 2 * (size_t)lda, p.B, 2 * (size_t)p.ldb, 2 * (size_t)p.K, p.N,
                                 cudaMemcpyDeviceToDevice, stream));
    const HopperGemm q = {A, B, C, p.M, p.N, p.K, lda, lda, ldc};
    const char *why = launch(&q, stream);
    if (!why)
        CUDA_CHECK(cudaMemcpy2DAsync(p.C, 2 * (size_t)p.ldc, C, 2 * (size_t)ldc, 2 * (size_t)p.N, p.M,
                                     cudaMemcpyDeviceToDevice, stream));
    return why;
}

/* The candidates. A tile must divide the work well into waves of 132 blocks and move few bytes a product; which
 * one does both depends on the shape. */
typedef struct HopperChoice {
    const char *name;
    HopperLaunch *launch;
} HopperChoice;

#define HOPPER_WHOLE(BM, BN, STAGES, CM, CN, GROUP, SHARE, L2)                                                         \
    {                                                                                                                  \
#BM " x " #BN ", cluster " #CM " x " #CN ", stream-K " #SHARE ", L2 by " #L2,                                  \
            [](const HopperGemm *p,                                                                                    \
               cudaStream_t s) { return whole_launch<Bf16, BM, BN, STAGES, CM, CN, SHARE>(p, 132, GROUP, L2, s); }     \
    }
#define HOPPER_SKINNY(BATCH, STAGES, SPLIT)                                                                            \
    {                                                                                                                  \
        "batch " #BATCH ", K in " #SPLIT,                                                                              \
            [](const HopperGemm *p, cudaStream_t s) { return skinny_launch<BATCH, STAGES, SPLIT>(p, s); }              \
    }

static const HopperChoice hopper_choices[] = {
    HOPPER_WHOLE(128, 256, 4, 1, 1, 16, 0, 256),
    HOPPER_WHOLE(128, 256, 4, 1, 1, 16, 0, 128),
    HOPPER_WHOLE(128, 256, 4, 2, 1, 8, 0, 256),
    HOPPER_WHOLE(128, 256, 4, 2, 1, 8, 1, 256),
    HOPPER_WHOLE(256, 128, 4, 1, 1, 8, 0, 256),
    HOPPER_WHOLE(256, 192, 3, 1, 2, 4, 0, 128),
    HOPPER_WHOLE(256, 192, 3, 2, 1, 4, 0, 256),
    HOPPER_SKINNY(16, 8, 2),
    HOPPER_SKINNY(16, 10, 4),
    HOPPER_SKINNY(64, 8, 2),
};

/* The fastest candidate for the shape of p. The trials write to a scratch matrix: p->C is left alone. */
static const HopperChoice *hopper_choose(const HopperGemm *p, cudaStream_t stream)
{
    static struct Kept {
        struct Kept *next;
        int M, N, K;
        const HopperChoice *choice;
    } * kept;
    for (struct Kept *k = kept; k; k = k->next)
        if (k->M == p->M && k->N == p->N && k->K == p->K)
            return k->choice;

    /* Under 2^28 multiply-adds it does not matter, and a sanitizer's patience does: the first that fits. */
    const bool small = (double)p->M * p->N * p->K < 0x1p28;
    enum { ROUNDS = 15 };
    const int count = (int)(sizeof hopper_choices / sizeof hopper_choices[0]);
    float *ms = (float *)malloc(sizeof *ms * count * ROUNDS);
    const HopperChoice *choice = NULL;
    HopperGemm trial = *p;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaMalloc(&trial.C, 2 * (size_t)p->M * p->ldc));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    /* Round after round, so that a clock that falls as the chip warms up falls for all; the first is the warm-up. */
    for (int r = 0; r <= (small ? 0 : ROUNDS); r++)
        for (int i = 0; i < count; i++) {
            float *mine = &ms[i * ROUNDS + (r > 0 ? r - 1 : 0)];
            if (!small)
                bench_flush(stream);
            CUDA_CHECK(cudaEventRecord(start, stream));
            const char *refused = hopper_choices[i].launch(&trial, stream);
            CUDA_CHECK(cudaEventRecord(stop, stream));
            CUDA_CHECK(cudaEventSynchronize(stop));
            CUDA_CHECK(cudaEventElapsedTime(mine, start, stop));
            if (refused)
                *mine = 1e30f;
        }
    for (int i = 0; small && i < count; i++)
        for (int r = 0; r < ROUNDS; r++)
            ms[i * ROUNDS + r] = ms[i * ROUNDS] < 1e30f ? (float)i : 1e30f;
    float best = 1e30f;
    for (int i = 0; i < count; i++) {
        qsort(ms + i * ROUNDS, ROUNDS, sizeof *ms, [](const void *x, const void *y) {
            return (*(const float *)x > *(const float *)y) - (*(const float *)x < *(const float *)y);
        });
        if (ms[i * ROUNDS + ROUNDS / 2] < best) {
            best = ms[i * ROUNDS + ROUNDS / 2];
            choice = &hopper_choices[i];
        }
    }
    free(ms);
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(trial.C));
    struct Kept *k = (struct Kept *)malloc(sizeof *k);
    k->M = p->M, k->N = p->N, k->K = p->K, k->choice = choice, k->next = kept;
    kept = k;
    return choice;
}

static const char *choose_launch(const HopperGemm *p, cudaStream_t stream)
{
    const HopperChoice *choice = hopper_choose(p, stream);
    return choice ? choice->launch(p, stream) : "no candidate takes this shape";
}

#endif
#endif
