/* Exercise 14.12 a box that TMA fetches (2 points)
 *
 * y = x transposed, for a matrix x (rows x cols) whose rows are a multiple of 16 bytes. A block handles a box of 32 x
 * 32. It gets x as a tensor map only: one thread issues the copy of the box to shared memory, and all wait until its
 * bytes have landed. Elements outside x arrive as zeros, and their bytes count too. The barrier is initialised.
 *
 * Hint 1: mbarrier_arrive_expect(bar, bytes) is the one arrival that ends the phase, and announces the bytes; then
 * tma_load(smem, &map, column, row, bar).
 *
 * Hint 2: every thread waits: mbarrier_wait(bar, parity). The barrier's first phase has parity 0.
 *
 * After a pass:
 * One thread announces the bytes and requests the box, all threads wait for the barrier's phase, and no thread computes
 * an address or a bound. The whole box counts, with the zeros from outside the matrix. Next: exercise 14.14, where
 * boxes are requested before they are needed.
 */
#include "hopper.cuh"
#include "lab.h"

enum { SIDE = 32 };

__global__ void transpose_kernel(const __grid_constant__ CUtensorMap map, float *y, int rows, int cols)
{
#ifdef HOPPER_CODE
    __shared__ alignas(128) float box[SIDE][SIDE]; /* rows of x */
    __shared__ uint64_t arrived;
    const uint32_t bar = shared_address(&arrived), to = shared_address(box);
    const int row = blockIdx.y * SIDE, col = blockIdx.x * SIDE, tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0 && ty == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init_fence();
    }
    __syncthreads();
    // TODO(ex12): one thread announces and requests the box; all wait for it (about 5 lines)
    // >>> answer
    // stub: (void)to;
    if (tx == 0 && ty == 0) {
        mbarrier_arrive_expect(bar, SIDE * SIDE * sizeof(float));
        tma_load(to, &map, col, row, bar);
    }
    mbarrier_wait(bar, 0);
    // <<< answer
    for (int r = ty; r < SIDE; r += 8)
        if (col + r < cols && row + tx < rows)
            y[(size_t)(col + r) * rows + row + tx] = box[tx][r];
#else
    (void)map, (void)y, (void)rows, (void)cols;
#endif
}

static const LabRung rungs[] = {{1, "yours", NULL, LAB_F32, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[1] % 4 || c->dim[1] == 0)
        return "rows of a multiple of 16 bytes";
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->out_width = c->dim[0];
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->dim[0]; i++)
        for (size_t k = 0; k < c->dim[1]; k++)
            c->expect[k * c->dim[0] + i] = lab_h_in_f32(c, 0)[i * c->dim[1] + k];
}

static void run(const LabRung *, LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    CUtensorMap map;
    const char *why = hopper_here();
    if (!why)
        why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, c->in[0], rows, cols, cols, SIDE, SIDE, 0);
    if (why)
        lab_skip("%s", why);
    else
        transpose_kernel<<<dim3((unsigned)((cols + SIDE - 1) / SIDE), (unsigned)((rows + SIDE - 1) / SIDE)),
                           dim3(SIDE, 8), 0, c->stream>>>(map, lab_out_f32(c), (int)rows, (int)cols);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 12,
    .name = "ex12_tma_box",
    .title = "a box fetched by the copy engine",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x512",
    .test_sizes = "32x32 1x4 31x36 64x100 100x64",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
