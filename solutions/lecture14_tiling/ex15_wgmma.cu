/* Exercise 14.15 a product by one warpgroup (3 points)
 *
 * C = A times the transpose of B: A is 64 x 64, B is 64 x 64, C 64 x 64 (a batch of them, one block of 128 threads
 * each). Both operands are in shared memory, in rows of 64 bf16 with the 128-byte swizzle. One wgmma takes 16 of the 64
 * columns, so the product takes four of them, in one group. Write them: the fence, the four steps along K, commit,
 * wait.
 *
 * Hint 1: Wgmma<Bf16, 64>::run(sum, a, b, accumulate): with accumulate 0 the sums start from zero.
 *
 * Hint 2: a descriptor counts in units of 16 bytes, and 16 bf16 are 32 bytes: the next step's descriptors are larger
 * by 2.
 *
 * Hint 3: wgmma_fence(); run() four times; wgmma_commit(); wgmma_wait<0>(); wgmma_pin(sum).
 *
 * After a pass:
 * Four instructions of 16 columns each form one group, the first starts the sums from zero, and no thread touches the
 * sums before the wait for the group. A step along K moves both descriptors by 32 bytes, which are two units. Next:
 * exercise 14.20, where K is longer than one box.
 */
#include <cuda_bf16.h>

#include "hopper.cuh"
#include "lab.h"

enum { SIDE = 64 };

__global__ void __launch_bounds__(128)
    product_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *C)
{
#ifdef HOPPER_CODE
    __shared__ alignas(1024) uint8_t a[SIDE * 128], b[SIDE * 128];
    __shared__ uint64_t arrived;
    const uint32_t bar = shared_address(&arrived);
    if (threadIdx.x == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init_fence();
        mbarrier_arrive_expect(bar, 2 * SIDE * 128);
        tma_load(shared_address(a), &map_a, 0, blockIdx.x * SIDE, bar);
        tma_load(shared_address(b), &map_b, 0, blockIdx.x * SIDE, bar);
    }
    __syncthreads();
    mbarrier_wait(bar, 0);
    float sum[SIDE / 2];
    const uint64_t da = wgmma_descriptor(shared_address(a), 128), db = wgmma_descriptor(shared_address(b), 128);
    // TODO(ex15): the product (about 6 lines)
    // >>> answer
    // stub: (void)da, (void)db;
    // stub: for (int i = 0; i < SIDE / 2; i++)
    // stub:     sum[i] = 0;
    wgmma_fence();
    for (int step = 0; step < 4; step++)
        Wgmma<Bf16, SIDE>::run(sum, da + 2 * step, db + 2 * step, step > 0);
    wgmma_commit();
    wgmma_wait<0>();
    wgmma_pin(sum);
    // <<< answer
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    C += (size_t)blockIdx.x * SIDE * SIDE + (16 * warp + lane / 4) * SIDE + 2 * (lane % 4);
    for (int j = 0; j < SIDE / 8; j++) {
        C[8 * j] = sum[4 * j], C[8 * j + 1] = sum[4 * j + 1];
        C[8 * SIDE + 8 * j] = sum[4 * j + 2], C[8 * SIDE + 8 * j + 1] = sum[4 * j + 3];
    }
#else
    (void)map_a, (void)map_b, (void)C;
#endif
}

static const LabRung rungs[] = {{1, "yours", NULL, LAB_BF16, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] == 0)
        return "at least one product";
    for (int i = 0; i < 2; i++) {
        lab_input(c, i, c->dim[0] * SIDE * SIDE, LAB_BF16);
        lab_fill_uniform(c, i, -1, 1);
    }
    lab_output(c, c->dim[0] * SIDE * SIDE, LAB_F32);
    c->out_width = SIDE;
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++) {
        const size_t first = i / (SIDE * SIDE) * SIDE * SIDE, row = i / SIDE % SIDE, col = i % SIDE;
        c->expect[i] = 0;
        for (size_t k = 0; k < SIDE; k++)
            c->expect[i] += lab_get(c->h_in[0], LAB_BF16, first + row * SIDE + k) *
                            lab_get(c->h_in[1], LAB_BF16, first + col * SIDE + k);
    }
}

static void run(const LabRung *, LabCase *c)
{
    const size_t rows = c->dim[0] * SIDE;
    CUtensorMap a, b;
    const char *why = hopper_here();
    for (int i = 0; i < 2 && !why; i++)
        why = tensor_map_2d(i ? &b : &a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, c->in[i], rows, SIDE, SIDE, SIDE, SIDE,
                            128);
    if (why)
        lab_skip("%s", why);
    else
        product_kernel<<<(unsigned)c->dim[0], 128, 0, c->stream>>>(a, b, lab_out_f32(c));
}

static double bytes(const LabCase *c) { return 8.0 * SIDE * SIDE * (double)c->dim[0]; }

static const Lab lab = {
    .order = 15,
    .name = "ex15_wgmma",
    .title = "a product by one warpgroup",
    .dims = "products",
    .size = "4096",
    .cpu_size = "64",
    .test_sizes = "1 2 5",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
