/* Exercise 5.10 looking back (3 points)
 *
 * Compute an inclusive scan of n numbers in one launch. Each block scans a tile of 256 numbers; that is given. It also
 * needs the sum of all tiles before its own. So it first publishes its own tile's sum (OWN_SUM) by tell(), and then
 * looks at the tile before, and the one before that, and so on. If that tile has published its own sum, add it and go
 * on. If it has published the sum of everything up to its end (WHOLE_SUM), add it and stop. If it has published nothing
 * yet (NOTHING), wait. At the end the block publishes its own WHOLE_SUM. Tiles get their numbers in the order in which
 * blocks begin, so a block waits only for blocks that run. `state` is zero before the launch.
 *
 * Limits at 5000:
 *   global stores <= 260
 *   global stores >= 180
 *   launches <= 1
 *
 * Hint 1: tell() writes kind and sum as one word, kind_of() and sum_of() take it apart. Tile 0 knows everything up to
 * its end at once.
 *
 * Hint 2: for (int i = tile - 1; i >= 0; i--): read state[i] until its kind is not NOTHING; add its sum; if its kind is
 * WHOLE_SUM, that was everything.
 *
 * Hint 3: afterwards the tile knows its own WHOLE_SUM: what came before, plus its own. If no tile
 * publishes its WHOLE_SUM, none can stop early.
 *
 * After a pass:
 * A tile publishes its own sum at once, and its running sum as soon as it knows it; a tile that looks back stops at the
 * first running sum. Value and kind share one word, so no reader sees half of it. Next: let a warp look at 32 tiles at
 * a time, as in transformer.md.
 */
#include "lab.h"

#include <math.h>

enum { THREADS = 256 };
enum { NOTHING, OWN_SUM, WHOLE_SUM };

/* Kind and sum in one word of eight bytes: read and written at once. */
__device__ static void tell(volatile unsigned long long *state, int tile, int kind, float sum)
{
    state[tile] = (unsigned long long)kind << 32 | __float_as_uint(sum);
}
__device__ static int kind_of(unsigned long long word) { return (int)(word >> 32); }
__device__ static float sum_of(unsigned long long word) { return __uint_as_float((unsigned)word); }

/* The inclusive scan over a block; s: one float per warp. */
__device__ static float block_scan(float v, float *s)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int step = 1; step < 32; step *= 2) {
        const float below = __shfl_up_sync(0xffffffffu, v, step);
        if (lane >= step)
            v += below;
    }
    if (lane == 31)
        s[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        v += s[w];
    return v;
}

/* One thread: tells the others this tile's sums, and returns the sum of all tiles before it. */
__device__ static float look_back(volatile unsigned long long *state, int tile, float own)
{
    float before = 0;
    // TODO(ex10): tell the tile's own sum, look back, tell the whole (about 11 lines)
    // >>> answer
    // stub: (void)state, (void)tile, (void)own;
    tell(state, tile, tile == 0 ? WHOLE_SUM : OWN_SUM, own);
    for (int i = tile - 1; i >= 0; i--) {
        unsigned long long word;
        do
            word = state[i];
        while (kind_of(word) == NOTHING);
        before += sum_of(word);
        if (kind_of(word) == WHOLE_SUM)
            break;
    }
    if (tile > 0)
        tell(state, tile, WHOLE_SUM, before + own);
    // <<< answer
    return before;
}

__global__ void scan_kernel(const float *x, float *y, size_t n, unsigned long long *state, unsigned *ticket)
{
    __shared__ float s[THREADS / 32], before;
    __shared__ int tile;
    if (threadIdx.x == 0)
        tile = (int)atomicAdd(ticket, 1u);
    __syncthreads();
    const size_t i = (size_t)tile * THREADS + threadIdx.x;
    const float v = block_scan(i < n ? x[i] : 0, s);
    if (threadIdx.x == THREADS - 1)
        before = look_back(state, tile, v);
    __syncthreads();
    if (i < n)
        y[i] = before + v;
}

static const LabRung rungs[] = {{1, "look-back", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    if (c->dim[0] > 1 << 28)
        return "n is at most 2^28";
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 3);
    lab_scratch(c, (c->dim[0] / THREADS + 2) * 8);
    c->atol = 1e-4;
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->dim[0]; i++)
        c->expect[i] = sum += lab_h_in_f32(c, 0)[i];
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const size_t tiles = (c->dim[0] + THREADS - 1) / THREADS;
    if (tiles == 0)
        return;
    unsigned long long *words = (unsigned long long *)c->scratch;
    CUDA_CHECK(cudaMemsetAsync(words, 0, (tiles + 1) * 8, c->stream));
    scan_kernel<<<(unsigned)tiles, THREADS, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_f32(c), c->dim[0], words + 1,
                                                            (unsigned *)words);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .name = "ex10_look_back",
    .title = "one pass, and a look over the shoulder",
    .dims = "n",
    .size = "16777216",
    .cpu_size = "262144",
    .test_sizes = "5000 0 1 255 256 257 513 100000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
