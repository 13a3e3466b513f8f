/* 12_choose.cuh: which instance for which shape, found by trying: the first time a large shape is seen, every candidate
 * runs it a few times into a scratch matrix, under the conditions of the measurement to come, and the fastest is kept.
 * And what surrounds a launch: tables of tile orders kept on the device, and padded copies for shapes that TMA cannot
 * address. */
#ifndef HOPPER_CHOOSE_CUH
#define HOPPER_CHOOSE_CUH

#include <stdlib.h>

#include "../../common/device.h"
#include "../../common/error.h"
#include "../../common/hopper.cuh"
#include "../../common/lab.h"
#include "10_whole.cuh"
#include "11_ping_pong.cuh"
#include "12_even.cuh"
#include "12_parts.cuh"
#include "12_skinny.cuh"
#include "tile_order.cuh"

/* The Hilbert order of rows x cols tiles, on the device; made once for each shape and kept. */
static struct Kept {
    struct Kept *next;
    int rows, cols;
    uint32_t *order;
} * kept;

static void free_kept(void)
{
    for (struct Kept *k = kept, *next; k; k = next) {
        next = k->next;
        cudaFree(k->order);
        free(k);
    }
}

static inline const uint32_t *hilbert_on_device(int rows, int cols)
{
    for (struct Kept *k = kept; k; k = k->next)
        if (k->rows == rows && k->cols == cols)
            return k->order;
    if (!kept)
        atexit(free_kept);
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
static inline const char *padded_launch(HopperLaunch *launch, HopperGemm p, void *scratch, cudaStream_t stream)
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

/* The candidates. A tile must divide the work well into waves of the device's blocks and move few bytes per product;
 * which one does both depends on the shape. */
typedef struct HopperChoice {
    const char *name;
    int rows, cols; /* of C, for which a cluster fetches its parts of A and B once */
    HopperLaunch *launch;
} HopperChoice;

#define HOPPER_TRY(NAME, ROWS, COLS, CALL)                                                                             \
    {                                                                                                                  \
        NAME, ROWS, COLS, [](const HopperGemm *p, cudaStream_t s) { return CALL; }                                     \
    }

/* BM, BN, STAGES, CM, CN, SHARE; blocks, rows of tiles in a group, bytes that L2 fetches at a time. 128 blocks on a
 * device of 132: where tiles come in powers of two the last four would only change who waits, and 128 tiles in flight
 * are a rectangle. */
static const HopperChoice hopper_choices[] = {
    HOPPER_TRY("128 x 256", 128, 256,
               (whole_launch<Bf16, 128, 256, 4, 1, 1, 0>(p, device_multiprocessors(), 16, 256, s))),
    HOPPER_TRY("128 x 256 on 128", 128, 256, (whole_launch<Bf16, 128, 256, 4, 1, 1, 0>(p, 128, 16, 128, s))),
    HOPPER_TRY("128 x 256 in pairs", 256, 256,
               (whole_launch<Bf16, 128, 256, 4, 2, 1, 0>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("128 x 256 in pairs, stream-K", 256, 256,
               (whole_launch<Bf16, 128, 256, 4, 2, 1, 1>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("256 x 128", 256, 128,
               (whole_launch<Bf16, 256, 128, 4, 1, 1, 0>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("256 x 192 in pairs side by side", 256, 384,
               (whole_launch<Bf16, 256, 192, 3, 1, 2, 0>(p, device_multiprocessors(), 4, 128, s))),
    HOPPER_TRY("256 x 192 in pairs", 512, 192,
               (whole_launch<Bf16, 256, 192, 3, 2, 1, 0>(p, device_multiprocessors(), 4, 256, s))),
    HOPPER_TRY("256 x 176 in pairs side by side", 256, 352,
               (whole_launch<Bf16, 256, 176, 3, 1, 2, 0>(p, device_multiprocessors(), 4, 128, s))),
    HOPPER_TRY("ping-pong, height by waves", 128, 128, (ping_pong_by_waves(p, device_multiprocessors(), s))),
    HOPPER_TRY("128 x 128, K in parts added together", 128, 128,
               (parts_launch<128, 6>(p, device_multiprocessors(), s))),
    HOPPER_TRY("128 x 64, K in parts added together", 128, 64, (parts_launch<64, 8>(p, device_multiprocessors(), s))),
    HOPPER_TRY("128 x 128, K in parts", 128, 128,
               (whole_launch<Bf16, 128, 128, 6, 1, 1, 2>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("128 x 128", 128, 128,
               (whole_launch<Bf16, 128, 128, 6, 1, 1, 0>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("128 x 192, K in parts", 128, 192,
               (whole_launch<Bf16, 128, 192, 4, 1, 1, 2>(p, device_multiprocessors(), 8, 256, s))),
    HOPPER_TRY("batch of 16, rows of W evenly", 16, 128, (even_launch<16>(p, device_multiprocessors(), 256, s))),
    HOPPER_TRY("batch of 16, rows of W evenly, lines", 16, 128, (even_launch<16>(p, device_multiprocessors(), 128, s))),
    HOPPER_TRY("batch of 32, rows of W evenly", 32, 128, (even_launch<32>(p, device_multiprocessors(), 256, s))),
    HOPPER_TRY("batch of 64, rows of W evenly", 64, 128, (even_launch<64>(p, device_multiprocessors(), 256, s))),
    HOPPER_TRY("batch of 16, whole K", 16, 64, (skinny_launch<16, 10, 1>(p, s))),
    HOPPER_TRY("batch of 16, K in 2", 16, 64, (skinny_launch<16, 8, 2>(p, s))),
    HOPPER_TRY("batch of 16, K in 4", 16, 64, (skinny_launch<16, 10, 4>(p, s))),
    HOPPER_TRY("batch of 32, K in 2", 32, 64, (skinny_launch<32, 8, 2>(p, s))),
    HOPPER_TRY("batch of 32, K in 4", 32, 64, (skinny_launch<32, 8, 4>(p, s))),
    HOPPER_TRY("batch of 64, whole K", 64, 64, (skinny_launch<64, 8, 1>(p, s))),
    HOPPER_TRY("batch of 64, K in 2", 64, 64, (skinny_launch<64, 8, 2>(p, s))),
};

enum { HOPPER_CHOICES = sizeof hopper_choices / sizeof hopper_choices[0] };

/* One candidate on one problem, for lab_fastest(). */
typedef struct HopperTrial {
    const HopperChoice *choice;
    const HopperGemm *p;
    cudaStream_t stream;
} HopperTrial;

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

    HopperGemm trial_p = *p;
    HopperTrial trial[HOPPER_CHOICES];
    void *context[HOPPER_CHOICES];
    int usable = 0;
    CUDA_CHECK(cudaMalloc(&trial_p.C, 2 * (size_t)p->M * p->ldc));
    for (int i = 0; i < HOPPER_CHOICES; i++)
        if (hopper_choices[i].launch(&trial_p, stream) == NULL) {
            trial[usable] = HopperTrial{&hopper_choices[i], &trial_p, stream};
            context[usable] = &trial[usable];
            usable++;
        }
    struct Kept *k = (struct Kept *)malloc(sizeof *k);
    k->M = p->M, k->N = p->N, k->K = p->K, k->choice = NULL, k->next = kept;
    kept = k;
    if (usable > 0)
        k->choice = trial[lab_fastest(
                              [](void *context) {
                                  const HopperTrial *t = (const HopperTrial *)context;
                                  t->choice->launch(t->p, t->stream);
                              },
                              context, usable, stream)]
                        .choice;
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(trial_p.C));
    return k->choice;
}

/* Runs the candidate that fetches the fewest bytes, of those that take the shape. */
static const char *launch_fewest_bytes(const HopperGemm *p, cudaStream_t stream)
{
    bool refused[HOPPER_CHOICES] = {};
    for (int tries = 0; tries < HOPPER_CHOICES; tries++) {
        int best = -1;
        double least = 0;
        for (int i = 0; i < HOPPER_CHOICES; i++) {
            const int rows = hopper_choices[i].rows, cols = hopper_choices[i].cols;
            const double fetched =
                (double)((p->M + rows - 1) / rows) * (double)((p->N + cols - 1) / cols) * (rows + cols);
            if (!refused[i] && (best < 0 || fetched < least))
                best = i, least = fetched;
        }
        if (hopper_choices[best].launch(p, stream) == NULL)
            return NULL;
        refused[best] = true;
    }
    return "no candidate takes this shape";
}

static inline const char *choose_launch(const HopperGemm *p, cudaStream_t stream)
{
    /* Under 2^28 multiply-adds it does not matter, and the CPU device's times say nothing of a GPU's. */
    if (device_is_cpu() || (double)p->M * p->N * p->K < 0x1p28)
        return launch_fewest_bytes(p, stream);
    const HopperChoice *choice = hopper_choose(p, stream);
    return choice ? choice->launch(p, stream) : "no candidate takes this shape";
}

#endif
