/* Exercise 14.17 a broken kernel: stale parity (3 points)
 *
 * y[r] is the largest magnitude in row r of x (rows x cols). A warp handles 32 rows; TMA brings boxes of 32 x 32 into
 * one buffer. It is right where a row has at most 32 columns. There are three mistakes: in what the wait names, in how
 * many bytes are announced, and in what happens to the buffer while lanes still read it. ./run 14.17 runs `cucc
 * --check`.
 *
 * Hint 1: a wait that names the parity of the phase before returns at once. Which phase is the second box's?
 *
 * Hint 2: TMA counts every byte of the box, including those outside the matrix.
 *
 * After a pass:
 * The parity flips with each round, the announced bytes are those of the whole box, and the next box is requested only
 * when all lanes have read this one. Any one of the three mistakes alone still gives right results for a single box.
 * Next: exercise 14.14, where the reading and the requesting are in different warps.
 */
#include "hopper.cuh"
#include "lab.h"

#include <math.h>

enum { ROWS = 32, COLS = 32 };

// TODO(ex17): delete this line, and ./run 14.17 says what is wrong; fix three mistakes
__global__ void largest_kernel(const __grid_constant__ CUtensorMap map, float *y, int rows, int cols)
{
#ifdef HOPPER_CODE
    __shared__ alignas(128) float box[ROWS][COLS];
    __shared__ uint64_t barrier;
    const uint32_t bar = shared_address(&barrier);
    const int lane = threadIdx.x, row = blockIdx.x * ROWS;
    if (lane == 0) {
        mbarrier_init(bar, 1);
        mbarrier_init_fence();
    }
    __syncwarp();
    float v = 0;
    uint32_t parity = 0;
    for (int col = 0; col < cols; col += COLS) {
        if (lane == 0) {
            // >>> answer
            // stub: mbarrier_arrive_expect(bar, ROWS * COLS * 2);
            mbarrier_arrive_expect(bar, ROWS * COLS * 4);
            // <<< answer
            tma_load(shared_address(box), &map, col, row, bar);
        }
        mbarrier_wait(bar, parity);
        // >>> answer
        parity ^= 1;
        // <<< answer
        for (int k = 0; k < COLS; k++)
            v = fmaxf(v, fabsf(box[lane][(k + lane) % COLS]));
        // >>> answer
        __syncwarp();
        // <<< answer
    }
    if (row + lane < rows)
        y[row + lane] = v;
#else
    (void)map, (void)y, (void)rows, (void)cols;
#endif
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[1] % 4 || c->dim[1] == 0)
        return "rows of a multiple of 16 bytes";
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->atol = 1e-6 * (double)(1 + c->dim[1]);
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t r = 0; r < c->dim[0]; r++) {
        double v = 0;
        for (size_t i = 0; i < c->dim[1]; i++) {
            const double x = lab_h_in_f32(c, 0)[r * c->dim[1] + i];
            v = fmax(v, fabs(x));
        }
        c->expect[r] = v;
    }
}

static void run(const LabRung *, LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    CUtensorMap map;
    const char *why = hopper_here();
    if (!why)
        why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, c->in[0], rows, cols, cols, ROWS, COLS, 0);
    if (why)
        lab_skip("%s", why);
    else
        largest_kernel<<<(unsigned)((rows + ROWS - 1) / ROWS), 32, 0, c->stream>>>(map, lab_out_f32(c), (int)rows,
                                                                                   (int)cols);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 17,
    .name = "ex17_broken_parity",
    .title = "a broken kernel: stale parity",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x512",
    .test_sizes = "1x4 32x128 31x36 64x100 40x256 33x516",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
