/* Exercise 11.4 skip the zeros (2 points)
 *
 * y = W x with W (M x K) in 2:4: row m has K / 2 values, and one byte of metadata for each group of four columns (bits
 * 0-1: the place of the first value in the group, bits 2-3: of the second). A warp computes one element of y: its lanes
 * take the groups lane, lane + 32, ... of the row, then add up what they have. Do it without ever undoing the
 * compression: two multiplications per group, not four.
 *
 * Limits at 64x300:
 *   global loads <= 1250
 *   sectors / possible sectors of global loads <= 4
 *
 * Hint 1: group g covers the columns 4 g to 4 g + 3; its values are number 2 g and 2 g + 1 of the row.
 *
 * Hint 2: so the first value meets x[4 * g + (p & 3)].
 *
 * Hint 3: __shfl_xor_sync with offsets 16, 8, 4, 2, 1 adds up a warp.
 *
 * After a pass:
 * Neighbouring lanes take neighbouring groups, so values and places are read in whole sectors, and only the elements of
 * x that are needed are multiplied. Half of the multiplications are gone, but not half of the time: x is still needed.
 * Next: exercise 11.5, where the tensor core skips.
 */
#include "lab.h"

__global__ void skip_kernel(const float *values, const unsigned char *places, const float *x, float *y, int M, int K)
{
    int m = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (m >= M)
        return; /* the whole warp */
    const float *v = values + (size_t)m * (K / 2);
    const unsigned char *p = places + (size_t)m * (K / 4);
    float sum = 0;
    // TODO(ex04): add up the lane's groups, then the warp's lanes (about 7 lines)
    // >>> answer
    // stub: (void)v, (void)p, (void)x;
    for (int g = lane; g < K / 4; g += 32) {
        sum += v[2 * g] * x[4 * g + (p[g] & 3)];
        sum += v[2 * g + 1] * x[4 * g + (p[g] >> 2)];
    }
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
    // <<< answer
    if (lane == 0)
        y[m] = sum;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    static const unsigned char pairs[6] = {0 | 1 << 2, 0 | 2 << 2, 0 | 3 << 2, 1 | 2 << 2, 1 | 3 << 2, 2 | 3 << 2};
    size_t M = c->dim[0], K = c->dim[1];
    if (K % 4)
        return "K must be a multiple of 4";
    lab_input(c, 0, M * K / 2, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_input(c, 1, M * K / 4, LAB_U8);
    unsigned char *places = lab_h_in_u8(c, 1);
    for (size_t g = 0; g < M * K / 4; g++)
        places[g] = pairs[random_u64(c->seed + 1, g) % 6];
    lab_input(c, 2, K, LAB_F32);
    lab_fill_uniform(c, 2, -1, 1);
    lab_output(c, M, LAB_F32);
    c->atol = c->rtol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], K = c->dim[1];
    for (size_t m = 0; m < M; m++) {
        c->expect[m] = 0;
        for (size_t g = 0; g < K / 4; g++) {
            unsigned p = lab_h_in_u8(c, 1)[m * (K / 4) + g];
            const float *v = lab_h_in_f32(c, 0) + m * (K / 2) + 2 * g, *x = lab_h_in_f32(c, 2) + 4 * g;
            c->expect[m] += (double)v[0] * x[p & 3] + (double)v[1] * x[p >> 2];
        }
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    int M = (int)c->dim[0];
    skip_kernel<<<(M + 3) / 4, 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_u8(c, 1), lab_in_f32(c, 2), lab_out_f32(c),
                                                    M, (int)c->dim[1]);
}

static double bytes(const LabCase *c)
{
    double M = (double)c->dim[0], K = (double)c->dim[1];
    return M * K / 2 * 4 + M * K / 4 + 4 * (M + K);
}

static const Lab lab = {
    .order = 4,
    .name = "ex04_skip_zeros",
    .title = "skip the zeros",
    .dims = "M K",
    .size = "16384x8192",
    .cpu_size = "512x1024",
    .test_sizes = "1x4 5x128 31x36 64x300 9x1024",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
