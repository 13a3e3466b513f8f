/* Exercise 11.17 squared ReLU, already compressed (3 points)
 *
 * z has the n sums of a linear layer, in bf16. Its activation is y = relu(z)^2, and of every four neighbours of y only
 * the two larger stay, or the earlier of two that are equal. Write y in 2:4 form at once, never as a dense vector:
 *   values   two bf16 per group of four: those that stay, in the order of their places, rounded to nearest;
 *   places   one byte per two groups: bits 0 to 3 belong to the first (bits 0-1 are the place of its first value, bits
 *            2-3 that of its second), bits 4 to 7 to the second.
 * That is 9/16 of the bytes of a dense y. A thread has two groups, eight sums. Read each sum once, and write each
 * byte once. Where a result is wrong, elements 0 to n / 2 - 1 of the report are values. From there on, an element is
 * two bytes of places, shown as a bf16.
 *
 * Limits at 4096:
 *   sectors of global loads <= 300
 *   sectors of global stores <= 170
 *   launches <= 1
 */
#include <cuda_bf16.h>

#include "lab.h"

/* The places of the two largest, the smaller place first; of equal ones the earlier. */
static __device__ unsigned two_of_four(const float y[4])
{
    unsigned stay = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int larger = 0;
#pragma unroll
        for (int k = 0; k < 4; k++)
            larger += k < i ? y[k] >= y[i] : y[k] > y[i];
        stay |= (larger < 2) << i;
    }
    return (unsigned)(__ffs((int)stay) - 1) | (unsigned)(31 - __clz((int)stay)) << 2;
}

static __device__ float pick(const float y[4], unsigned place)
{
    return place & 2 ? (place & 1 ? y[3] : y[2]) : (place & 1 ? y[1] : y[0]);
}

static __device__ uint32_t pair(float low, float high)
{
    const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
    return *(const uint32_t *)&two;
}

/* z: 8 x eights; values: 4 x eights; places: eights. z and values begin at multiples of 16 bytes. */
__global__ void activate_kernel(const uint16_t *z, uint16_t *values, unsigned char *places, size_t eights)
{
    const size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (t >= eights)
        return;
    // TODO(ex17): the thread's four values and its byte of places, from one read of its eight sums (about 14 lines)
    (void)z, (void)values, (void)places, (void)two_of_four, (void)pick, (void)pair;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

/* The output: n / 2 values, then n / 16 times two bytes of places, which are never a NaN or an infinity if right. */
static const char *setup(LabCase *c)
{
    const size_t n = c->dim[0];
    if (n > (size_t)1 << 31)
        return "n is at most 2^31 in this exercise";
    if (n % 16)
        return "n is a multiple of 16 in this exercise";
    lab_input(c, 0, n, LAB_BF16);
    uint16_t *z = lab_h_in_u16(c, 0);
    for (size_t i = 0; i < n; i++) /* few values, so that many are equal; their squares need rounding */
        z[i] = bf16_from_float(((float)(random_u64(c->seed, i) % 97) - 40) / 16);
    lab_output(c, n / 2 + n / 16, LAB_BF16);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    const size_t n = c->dim[0];
    const uint16_t *z = lab_h_in_u16(c, 0);
    uint16_t places = 0;
    for (size_t g = 0; g < n / 4; g++) {
        double y[4];
        for (size_t i = 0; i < 4; i++) {
            const double sum = bf16_to_float(z[4 * g + i]);
            y[i] = sum > 0 ? sum * sum : 0;
        }
        size_t first = 0, second;
        for (size_t i = 1; i < 4; i++)
            first = y[i] > y[first] ? i : first;
        second = first == 0;
        for (size_t i = second + 1; i < 4; i++)
            second = i != first && y[i] > y[second] ? i : second;
        const size_t low = first < second ? first : second, high = first < second ? second : first;
        c->expect[2 * g] = bf16_to_float(bf16_from_float((float)y[low]));
        c->expect[2 * g + 1] = bf16_to_float(bf16_from_float((float)y[high]));
        places |= (uint16_t)((low | high << 2) << g % 4 * 4);
        if (g % 4 == 3) {
            c->expect[n / 2 + g / 4] = bf16_to_float(places);
            places = 0;
        }
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    const size_t eights = c->dim[0] / 8;
    uint16_t *values = lab_out_u16(c);
    activate_kernel<<<(unsigned)((eights + 127) / 128), 128, 0, c->stream>>>(
        lab_in_u16(c, 0), values, (unsigned char *)(values + 4 * eights), eights);
}

static double bytes(const LabCase *c) { return 2.0 * (double)c->dim[0] * (1 + 9.0 / 16); }

static const Lab lab = {
    .order = 17,
    .name = "ex17_squared_relu",
    .title = "squared ReLU, already compressed",
    .dims = "n",
    .size = "67108864",
    .cpu_size = "65536",
    .test_sizes = "16 96 1040 4096",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
