/* Exercise 11.2 two of every four (2 points)
 *
 * Prune a row to 2:4. A thread has four neighbours v[0] to v[3] and says which two stay: the two of larger magnitude,
 * or the earlier of two that are equal. It returns the metadata of the group, as mma.sp wants it: bits 0 and 1 are the
 * place of the first that stays, bits 2 and 3 the place of the second, and the first is always the smaller of the two.
 * v is in global memory: read and compare as few times as you can, and compare floats as floats.
 *
 * Limits at 5000:
 *   global loads <= 2200
 *   double promotions <= 0
 */
#include <math.h>

#include "lab.h"

static __device__ unsigned pick_two(const float v[4])
{
    unsigned first = 0, second = 1;
    // TODO(ex02): find the places of the two largest magnitudes, the smaller place first (about 10 lines)
    (void)v;
    return first | second << 2;
}

__global__ void pick_kernel(const float *w, int *places, size_t groups)
{
    size_t g = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (g < groups)
        places[g] = (int)pick_two(w + 4 * g);
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, 4 * c->dim[0], LAB_F32);
    float *w = lab_h_in_f32(c, 0);
    for (size_t i = 0; i < 4 * c->dim[0]; i++) /* few values, so that there are many ties; both signs */
        w[i] = (float)(int)(random_u64(c->seed, i) % 9) - 4;
    lab_output(c, c->dim[0], LAB_S32);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t g = 0; g < c->dim[0]; g++) {
        const float *v = lab_h_in_f32(c, 0) + 4 * g;
        int kept[2], n = 0;
        for (int i = 0; i < 4; i++) { /* i stays if fewer than two others go before it */
            int before = 0;
            for (int j = 0; j < 4; j++)
                before += j != i && (fabsf(v[j]) > fabsf(v[i]) || (fabsf(v[j]) == fabsf(v[i]) && j < i));
            if (before < 2)
                kept[n++] = i;
        }
        c->expect[g] = kept[0] | kept[1] << 2;
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    pick_kernel<<<(unsigned)((c->dim[0] + 127) / 128), 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_out_s32(c),
                                                                            c->dim[0]);
}

static const Lab lab = {
    .order = 2,
    .name = "ex02_pick_two",
    .title = "two of every four",
    .dims = "groups",
    .size = "4194304",
    .cpu_size = "65536",
    .test_sizes = "1 31 257 5000",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
};
LAB_MAIN(lab)
