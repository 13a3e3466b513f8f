/* Exercise 11.3 undo the compression (1 point)
 *
 * Here the metadata has a simple form: one byte per group of four, places[g], bits 0-1 the place of the first value,
 * bits 2-3 that of the second. The values of group g are values[2 g] and values[2 g + 1]. Write the dense row: all four
 * elements of each group, the two that were dropped as zeros. Write each element once, and read places[g] once.
 *
 * Limits at 5000:
 *   global stores <= 750
 *   global loads <= 1200
 */
#include "lab.h"
#include "sparse.h"

__global__ void decompress_kernel(const float *values, const unsigned char *places, float *dense, size_t groups)
{
    size_t g = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (g >= groups)
        return;
    // TODO(ex03): write the group's four elements (about 3 lines)
    (void)values, (void)places, (void)dense;
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    static const unsigned char pairs[6] = {0 | 1 << 2, 0 | 2 << 2, 0 | 3 << 2, 1 | 2 << 2, 1 | 3 << 2, 2 | 3 << 2};
    lab_input(c, 0, 2 * c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_input(c, 1, c->dim[0], LAB_U8);
    unsigned char *places = lab_h_in_u8(c, 1);
    for (size_t g = 0; g < c->dim[0]; g++)
        places[g] = pairs[random_u64(c->seed + 1, g) % 6];
    lab_output(c, 4 * c->dim[0], LAB_F32);
    return NULL;
}

static void reference(LabCase *c)
{
    const unsigned char *places = lab_h_in_u8(c, 1);
    for (size_t g = 0; g < c->dim[0]; g++) {
        for (int i = 0; i < 4; i++)
            c->expect[4 * g + i] = 0;
        c->expect[4 * g + (places[g] & 3)] = lab_h_in_f32(c, 0)[2 * g];
        c->expect[4 * g + (places[g] >> 2)] = lab_h_in_f32(c, 0)[2 * g + 1];
    }
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    decompress_kernel<<<(unsigned)((c->dim[0] + 127) / 128), 128, 0, c->stream>>>(lab_in_f32(c, 0), lab_in_u8(c, 1),
                                                                                  lab_out_f32(c), c->dim[0]);
}

static const Lab lab = {
    .order = 3,
    .name = "ex03_decompress",
    .title = "undo the compression",
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
