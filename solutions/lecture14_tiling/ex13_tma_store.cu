/* Exercise 14.13 results leave by TMA (2 points)
 *
 * y[r][c] = x[r][c] + x[r][c - 32] + x[r][c - 64] ...: sums along a row in steps of 32, for x (rows x cols). A block
 * has 16 rows, and walks along them in boxes of 32 columns. The results of a box are collected in shared memory, and
 * the copy engine brings them to y, which the kernel has as a tensor map only. There is one buffer: a box may be
 * written into it when the copy of the one before has read it. Write what comes after the box is complete, and what
 * comes before it is begun.
 *
 * Hint 1: ordinary stores to shared memory are made visible to the copy engine by fence_proxy_async(): each writing
 * thread calls it, then the barrier, then one thread calls tma_store() and tma_store_commit().
 *
 * Hint 2: before the next box: the thread that issued the store waits with tma_store_wait_read<0>(), and the others
 * wait for that thread at a barrier.
 *
 * After a pass:
 * Each thread that wrote makes its writes visible to the copy engine, and a barrier collects them. One thread issues
 * the store, and waits until the copy engine has read the buffer. Only then is the buffer written again. The wait is for
 * the reads only, not for the arrival in memory. Next: exercise 14.18 with two buffers, where computing and storing
 * overlap.
 */
#include "hopper.cuh"
#include "lab.h"

enum { ROWS = 16, COLS = 32 };

__global__ void steps_kernel(const float *x, const __grid_constant__ CUtensorMap map, int rows, int cols)
{
#ifdef HOPPER_CODE
    __shared__ alignas(128) float box[ROWS][COLS];
    const uint32_t from = shared_address(box);
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * ROWS;
    float sum = 0; /* of this thread's column of the boxes so far */
    for (int col = 0; col < cols; col += COLS) {
        // TODO(ex13): wait until the buffer may be written (about 3 lines)
        // >>> answer
        if (tx == 0 && ty == 0)
            tma_store_wait_read<0>();
        __syncthreads();
        // <<< answer
        if (row + ty < rows && col + tx < cols)
            sum += x[(size_t)(row + ty) * cols + col + tx];
        box[ty][tx] = sum;
        // TODO(ex13): the copy engine brings the box to y, at (row, col) (about 6 lines)
        // >>> answer
        // stub: (void)from, (void)box;
        fence_proxy_async();
        __syncthreads();
        if (tx == 0 && ty == 0) {
            tma_store(&map, col, row, from);
            tma_store_commit();
        }
        // <<< answer
    }
    if (tx == 0 && ty == 0)
        tma_store_wait_read<0>(); /* the block's shared memory must outlive the last copy */
#else
    (void)x, (void)map, (void)rows, (void)cols;
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
    c->out_width = c->dim[1];
    c->atol = c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->dim[0]; i++)
        for (size_t k = 0; k < c->dim[1]; k++) {
            double *y = c->expect + i * c->dim[1];
            y[k] = lab_h_in_f32(c, 0)[i * c->dim[1] + k] + (k < COLS ? 0 : y[k - COLS]);
        }
}

static void run(const LabRung *, LabCase *c)
{
    const size_t rows = c->dim[0], cols = c->dim[1];
    CUtensorMap map;
    const char *why = hopper_here();
    if (!why)
        why = tensor_map_2d(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, c->out, rows, cols, cols, ROWS, COLS, 0);
    if (why)
        lab_skip("%s", why);
    else
        steps_kernel<<<(unsigned)((rows + ROWS - 1) / ROWS), dim3(COLS, ROWS), 0, c->stream>>>(lab_in_f32(c, 0), map,
                                                                                               (int)rows, (int)cols);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 13,
    .name = "ex13_tma_store",
    .title = "results that leave by the copy engine",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x512",
    .test_sizes = "16x32 1x4 15x36 32x100 40x64",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
