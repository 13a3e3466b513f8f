/* Exercise 14.23 two codes at once (3 points)
 *
 * A word holds eight codes of four bits, 0 to 15. Turn each into the bf16 number code - zero, without a conversion: the
 * bits 0x4300 are 128 in bf16, and the last bit of that number is worth 1. Thread i has word i. Its eight results are
 * four words of two bf16 each, and word j has code j in its lower half and code j + 4 in its upper half. Store them
 * together. The function difference() subtracts two pairs of bf16.
 *
 * Limits at 4096x8:
 *   global loads <= 18
 *   global stores <= 18
 */
#include <cuda_bf16.h>
#include <string.h>

#include "lab.h"

__device__ static unsigned difference(unsigned a, unsigned b)
{
    __nv_bfloat162 x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    const __nv_bfloat162 d = __hsub2(x, y);
    unsigned bits;
    memcpy(&bits, &d, 4);
    return bits;
}

__global__ void codes_kernel(const unsigned *words, uint4 *numbers, unsigned zero, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    // TODO(ex23): write the eight numbers of word i to numbers[i] (about 6 lines)
    numbers[i] = make_uint4(difference(words[i], zero), 0, 0, 0);
}

static const LabRung rungs[] = {{1, "two codes", NULL, LAB_BF16, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t n = c->dim[0] / 8;
    if (c->dim[0] % 8 || c->dim[0] > 1u << 30 || c->dim[1] > 15)
        return "whole words, and a zero point of 0 to 15";
    lab_input(c, 0, n, LAB_S32);
    for (size_t i = 0; i < n; i++)
        lab_h_in_u32(c, 0)[i] = (unsigned)random_u64(c->seed + 5, i);
    lab_output(c, 8 * n, LAB_BF16);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++) {
        const size_t j = i % 8 / 2 + i % 2 * 4;
        c->expect[i] = (double)(lab_h_in_u32(c, 0)[i / 8] >> 4 * j & 15) - (double)c->dim[1];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const int n = (int)(c->dim[0] / 8);
    if (n > 0)
        codes_kernel<<<(unsigned)(n + 127) / 128, 128, 0, c->stream>>>(lab_in_u32(c, 0), (uint4 *)c->out,
                                                                       (unsigned)c->dim[1], n);
}

static double bytes(const LabCase *c) { return 2.5 * (double)c->dim[0]; }

static const Lab lab = {
    .name = "ex23_two_codes",
    .title = "a mask, an OR and a subtraction",
    .dims = "codes zero",
    .size = "67108864x8",
    .cpu_size = "65536x8",
    .test_sizes = "4096x8 8x0 1000x15 136x7 0x3",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
