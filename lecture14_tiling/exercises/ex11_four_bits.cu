/* Exercise 14.11 four-bit weights (3 points)
 *
 * y = W x with W of N x K, K a multiple of 256. A weight is four bits, a number from -8 to 7 in two's complement; eight
 * of them are in a word, the first in the lowest bits; each 32 weights of a row have a scale. A warp has one row: lane
 * l takes words l, l + 32, ... Reading a weight costs an eighth of a word, so each word must be read once, and
 * unpacked in registers.
 *
 * Limits at 16x1024:
 *   global loads <= 500
 */
#include "lab.h"

#include <math.h>

__global__ void product_kernel(const unsigned *words, const float *scales, const float *x, float *y, int K)
{
    const int lane = threadIdx.x, row = blockIdx.x;
    words += (size_t)row * (K / 8);
    scales += (size_t)row * (K / 32);
    float sum = 0;
    for (int w = lane; w < K / 8; w += 32) {
        // TODO(ex11): add the products of word w's eight weights with x to sum (about 8 lines)
        sum += (float)words[w] * x[0] * scales[0];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[row] = sum;
}

static const LabRung rungs[] = {{1, "four bits", NULL, LAB_F32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t N = c->dim[0], K = c->dim[1];
    if (K % 256 || K > 1 << 20)
        return "K is a multiple of 256, at most 1048576";
    lab_input(c, 0, N * K / 8, LAB_S32);
    unsigned *words = lab_h_in_u32(c, 0);
    lab_input(c, 1, N * K / 32, LAB_F32);
    lab_input(c, 2, K, LAB_F32);
    lab_output(c, N, LAB_F32);
    for (size_t i = 0; i < N * K / 8; i++)
        words[i] = (unsigned)random_u64(c->seed + 3, i);
    lab_fill_uniform(c, 1, 0.01, 0.1);
    lab_fill_uniform(c, 2, -1, 1);
    c->atol = 1e-5 * sqrt((double)K);
    c->rtol = 1e-5;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t K = c->dim[1];
    for (size_t n = 0; n < c->dim[0]; n++) {
        double sum = 0;
        for (size_t k = 0; k < K; k++) {
            const int code = (int)(lab_h_in_u32(c, 0)[(n * K + k) / 8] >> (k % 8 * 4) & 15);
            sum +=
                (code >= 8 ? code - 16 : code) * (double)lab_h_in_f32(c, 1)[(n * K + k) / 32] * lab_h_in_f32(c, 2)[k];
        }
        c->expect[n] = sum;
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    if (c->dim[0] > 0)
        product_kernel<<<(unsigned)c->dim[0], 32, 0, c->stream>>>(lab_in_u32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2),
                                                                  lab_out_f32(c), (int)c->dim[1]);
}

static double bytes(const LabCase *c) { return (0.5 + 4.0 / 32) * (double)c->dim[0] * (double)c->dim[1]; }

static const Lab lab = {
    .name = "ex11_four_bits",
    .title = "eight weights per word",
    .dims = "N K",
    .size = "16384x8192",
    .cpu_size = "128x1024",
    .test_sizes = "16x1024 1x256 3x512 5x2048 2x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
