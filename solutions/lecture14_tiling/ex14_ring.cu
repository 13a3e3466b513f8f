/* Exercise 14.14 a ring of three buffers (3 points)
 *
 * y[r] = the sum of row r of x (rows x cols). A block handles 32 rows and walks along them in boxes of 32 columns. Warp
 * 1 only fetches: one of its lanes requests the boxes, three of them ahead. Warp 0 only adds. Buffer s has two
 * barriers: full[s] says that its bytes have landed, empty[s] that the 32 lanes of warp 0 have read it. Write both
 * loops' waits and arrivals. Box b uses buffer b % 3, for the (b / 3)th time, counted from 0.
 *
 * Hint 1: the fetcher waits for empty[s], announces on full[s], requests. The adder waits for full[s], reads, arrives
 * on empty[s] with every lane.
 *
 * Hint 2: the adder's wait names the phase that must have ended: (b / 3) % 2. The fetcher's first three waits must
 * return at once, because nothing was ever in the buffers: it names the opposite parity, (b / 3 + 1) % 2.
 *
 * After a pass:
 * Full and empty barriers hand each buffer back and forth, and the parity of the round says which phase is meant; the
 * fetcher's first waits return at once. Neither warp waits for the other unless the ring is full or empty. Next:
 * section 4 of hopper.md, where the adder is a warpgroup with wgmma.
 */
#include "hopper.cuh"
#include "lab.h"

enum { ROWS = 32, COLS = 32, STAGES = 3, BOX_BYTES = ROWS * COLS * sizeof(float) };

__global__ void sum_kernel(const __grid_constant__ CUtensorMap map, float *y, int rows, int cols)
{
#ifdef HOPPER_CODE
    __shared__ alignas(128) float box[STAGES][ROWS][COLS];
    __shared__ uint64_t barriers[2 * STAGES];
    const uint32_t full = shared_address(barriers), empty = full + STAGES * 8;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * ROWS;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            mbarrier_init(full + s * 8, 1);
            mbarrier_init(empty + s * 8, 32);
        }
        mbarrier_init_fence();
    }
    __syncthreads();
    const int boxes = (cols + COLS - 1) / COLS;
    if (warp == 1 && lane == 0) {
        for (int b = 0; b < boxes; b++) {
            const int s = b % STAGES;
            // TODO(ex14): wait until buffer s is empty; announce and request box b (about 3 lines)
            // >>> answer
            // stub: (void)s, (void)empty;
            mbarrier_wait(empty + s * 8, (b / STAGES + 1) % 2);
            mbarrier_arrive_expect(full + s * 8, BOX_BYTES);
            tma_load(shared_address(box[s]), &map, b * COLS, row, full + s * 8);
            // <<< answer
        }
    } else if (warp == 0) {
        float sum = 0;
        for (int b = 0; b < boxes; b++) {
            const int s = b % STAGES;
            // TODO(ex14): wait until buffer s is full (1 line)
            // >>> answer
            mbarrier_wait(full + s * 8, b / STAGES % 2);
            // <<< answer
            for (int k = 0; k < COLS; k++)
                sum += box[s][lane][(k + lane) % COLS]; /* rotated by the lane: no bank conflicts */
            // TODO(ex14): this lane has read it (1 line)
            // >>> answer
            mbarrier_arrive(empty + s * 8);
            // <<< answer
        }
        if (row + lane < rows)
            y[row + lane] = sum;
    }
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
            v += x;
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
        sum_kernel<<<(unsigned)((rows + ROWS - 1) / ROWS), 64, 0, c->stream>>>(map, lab_out_f32(c), (int)rows,
                                                                               (int)cols);
}

static double bytes(const LabCase *c) { return 4.0 * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .order = 14,
    .name = "ex14_ring",
    .title = "a ring of buffers between a fetching and an adding warp",
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
