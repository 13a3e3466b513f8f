/* Exercise 14.20 a broken kernel: operands that are overwritten (3 points)
 *
 * One warpgroup computes C = A times the transpose of B, where A and B are 64 x K, C is 64 x 64, and K is a multiple of
 * 64: TMA brings 64 columns of each operand, wgmma multiplies. There are two mistakes: the kernel is right for K = 64
 * only, and even then by luck. ./run 14.20 runs `cucc --check`.
 *
 * Hint 1: which of all products is the only one that starts the sums from zero?
 *
 * Hint 2: wgmma is asynchronous. wgmma_commit() closes a group and waits for nothing; the next box may come when
 * wgmma_wait<0>() has returned in all warps.
 *
 * After a pass:
 * The sums start from zero once, at the first step of the first box, and the box is overwritten only after the group
 * that reads it has completed. Between the two the instruction runs on its own. Next: two boxes in turn, so that the
 * next one arrives while this one is multiplied.
 */
#include <cuda_bf16.h>

#include "hopper.cuh"
#include "lab.h"

enum { SIDE = 64 };

// TODO(ex20): delete this line, and ./run 14.20 says what is wrong; fix two mistakes
__global__ void __launch_bounds__(128) product_kernel(const __grid_constant__ CUtensorMap map_a,
                                                      const __grid_constant__ CUtensorMap map_b, float *C, int K)
{
#ifdef HOPPER_CODE
    __shared__ alignas(1024) uint8_t a[SIDE * 128], b[SIDE * 128];
    __shared__ uint64_t arrived;
    const uint32_t bar = shared_address(&arrived);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init_fence();
    }
    __syncthreads();
    float sum[SIDE / 2];
    const uint64_t da = wgmma_descriptor(shared_address(a), 128), db = wgmma_descriptor(shared_address(b), 128);
    for (int k = 0; k < K; k += SIDE) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect(bar, 2 * SIDE * 128);
            tma_load(shared_address(a), &map_a, k, 0, bar);
            tma_load(shared_address(b), &map_b, k, 0, bar);
        }
        mbarrier_wait(bar, k / SIDE % 2);
        wgmma_fence();
        for (int i = 0; i < SIDE; i += 16)
            // >>> answer
            // stub: Wgmma<Bf16, SIDE>::run(sum, da + i / 8, db + i / 8, i > 0);
            Wgmma<Bf16, SIDE>::run(sum, da + i / 8, db + i / 8, k + i > 0);
        // <<< answer
        wgmma_commit();
        // >>> answer
        wgmma_wait<0>();
        // <<< answer
        __syncthreads();
    }
    wgmma_wait<0>();
    wgmma_pin(sum);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    C += (16 * warp + lane / 4) * SIDE + 2 * (lane % 4);
    for (int j = 0; j < SIDE / 8; j++) {
        C[8 * j] = sum[4 * j], C[8 * j + 1] = sum[4 * j + 1];
        C[8 * SIDE + 8 * j] = sum[4 * j + 2], C[8 * SIDE + 8 * j + 1] = sum[4 * j + 3];
    }
#else
    (void)map_a, (void)map_b, (void)C, (void)K;
#endif
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_BF16, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] == 0 || c->dim[0] % SIDE)
        return "K is a multiple of 64";
    for (int i = 0; i < 2; i++) {
        lab_input(c, i, SIDE * c->dim[0], LAB_BF16);
        lab_fill_uniform(c, i, -1, 1);
    }
    lab_output(c, SIDE * SIDE, LAB_F32);
    c->out_width = SIDE;
    c->atol = 1e-6 * (double)c->dim[0];
    c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t K = c->dim[0];
    for (size_t i = 0; i < c->out_count; i++) {
        c->expect[i] = 0;
        for (size_t k = 0; k < K; k++)
            c->expect[i] +=
                lab_get(c->h_in[0], LAB_BF16, i / SIDE * K + k) * lab_get(c->h_in[1], LAB_BF16, i % SIDE * K + k);
    }
}

static void run(const LabRung *, LabCase *c)
{
    const size_t K = c->dim[0];
    CUtensorMap a, b;
    const char *why = hopper_here();
    for (int i = 0; i < 2 && !why; i++)
        why = tensor_map_2d(i ? &b : &a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, c->in[i], SIDE, K, K, SIDE, SIDE, 128);
    if (why)
        lab_skip("%s", why);
    else
        product_kernel<<<1, 128, 0, c->stream>>>(a, b, lab_out_f32(c), (int)K);
}

static double bytes(const LabCase *c) { return 256.0 * (double)c->dim[0]; }

static const Lab lab = {
    .order = 20,
    .name = "ex20_broken_wgmma",
    .title = "a broken kernel: operands that are overwritten",
    .dims = "K",
    .size = "65536",
    .cpu_size = "1024",
    .test_sizes = "64 128 320",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
