/* Exercise 14.18 a broken kernel: too late for the copy engine (3 points)
 *
 * y = 2 x for a matrix (rows x cols) whose rows are a multiple of 16 bytes. A block walks along 8 rows; its results for
 * 32 columns leave by TMA, from two buffers in turn. There are two mistakes: in what the copy engine sees of the
 * buffer, and in when the buffer is written again. ./run 14.18 runs `cucc --check`, which lets copies land as late as
 * the hardware may.
 *
 * Hint 1: threads and the copy engine reach shared memory in different ways ("proxies"). A barrier orders threads.
 *
 * Hint 2: with two buffers one store may be in flight, but the one before it may not: tma_store_wait_read<1>() at the
 * right place, by the thread that issued it, before the others pass the barrier.
 *
 * After a pass:
 * A fence of the asynchronous proxy goes before the barrier, and the issuing thread waits until at most one store still
 * reads. Waiting for all of them is right as well, but nothing overlaps then. Next: section 6 of hopper.md, where a
 * whole product's results are stored this way.
 */
#include "hopper.cuh"
#include "lab.h"

enum { ROWS = 8, COLS = 32 };

// TODO(ex18): delete this line, and ./run 14.18 says what is wrong; fix two mistakes
__global__ void twice_kernel(const float *x, const __grid_constant__ CUtensorMap map, int rows, int cols)
{
#ifdef HOPPER_CODE
    __shared__ alignas(128) float box[2][ROWS][COLS];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * ROWS;
    const bool issues = tx == 0 && ty == 0;
    for (int b = 0; b * COLS < cols; b++) {
        const int col = b * COLS + tx;
        // >>> answer
        if (issues)
            tma_store_wait_read<1>();
        // <<< answer
        __syncthreads();
        box[b % 2][ty][tx] = row + ty < rows && col < cols ? 2 * x[(size_t)(row + ty) * cols + col] : 0;
        // >>> answer
        fence_proxy_async();
        // <<< answer
        __syncthreads();
        if (issues) {
            tma_store(&map, b * COLS, row, shared_address(box[b % 2]));
            tma_store_commit();
        }
    }
    if (issues)
        tma_store_wait_read<0>();
#else
    (void)x, (void)map, (void)rows, (void)cols;
#endif
}

static const LabRung rungs[] = {{1, "fixed", NULL, LAB_F32, LAB_NEEDS_SM90A, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[1] % 4 || c->dim[1] == 0)
        return "rows of a multiple of 16 bytes";
    lab_input(c, 0, c->dim[0] * c->dim[1], LAB_F32);
    lab_output(c, c->dim[0] * c->dim[1], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    c->out_width = c->dim[1];
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++)
        c->expect[i] = 2.0 * lab_h_in_f32(c, 0)[i];
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
        twice_kernel<<<(unsigned)((rows + ROWS - 1) / ROWS), dim3(COLS, ROWS), 0, c->stream>>>(lab_in_f32(c, 0), map,
                                                                                               (int)rows, (int)cols);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 18,
    .name = "ex18_broken_store",
    .title = "a broken kernel: too late for the copy engine",
    .dims = "rows cols",
    .size = "16384x16384",
    .cpu_size = "256x512",
    .test_sizes = "8x32 1x4 7x36 32x100 20x164",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
