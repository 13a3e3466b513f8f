/* Exercise 3.9 write it yourself: a layer of a network (4 points)
 *
 * out = relu(x W + b), where x is batch x in, W is in x units, b has one element per unit, and out is batch x units.
 * All are row-major floats, and relu(v) is the larger of v and 0, fmaxf(v, 0). Write the kernel and its launch, with
 * one thread per element of out.
 *
 * Limits at 32x48x64:
 *   launches <= 3
 *   global loads <= 8000
 *   sectors / possible sectors of global loads <= 1.75
 *   sectors / possible sectors of global stores <= 2
 *   global stores <= 300
 *
 * Hint 1: matmul_naive.cu has the product; b belongs to the column.
 *
 * Hint 2: let threadIdx.x run along the columns of out, and round the grid up both ways.
 *
 * After a pass:
 * The threads have two dimensions, one thread per result, and a loop runs over the third. Loads of W are coalesced, and
 * those of x are the same address for half a warp. Next: exercise 5.2, which reads each element a sixteenth as often.
 */
#include "lab.h"

// TODO(ex09): the kernel (about 12 lines)
// >>> answer
__global__ void layer_kernel(const float *x, const float *W, const float *b, float *out, int batch, int in, int units)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < batch && col < units) {
        float sum = b[col];
        for (int k = 0; k < in; k++)
            sum += x[(size_t)row * in + k] * W[(size_t)k * units + col];
        out[(size_t)row * units + col] = fmaxf(sum, 0);
    }
}
// <<< answer

/* Device pointers. */
static void layer(const float *x, const float *W, const float *b, float *out, int batch, int in, int units,
                  cudaStream_t stream)
{
    // TODO(ex09): the launch (about 3 lines)
    // >>> answer
    // stub: (void)x, (void)W, (void)b, (void)out, (void)batch, (void)in, (void)units, (void)stream;
    dim3 block(16, 16), grid((units + 15) / 16, (batch + 15) / 16);
    layer_kernel<<<grid, block, 0, stream>>>(x, W, b, out, batch, in, units);
    CUDA_CHECK(cudaGetLastError());
    // <<< answer
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t batch = c->dim[0], in = c->dim[1], units = c->dim[2];
    lab_input(c, 0, batch * in, LAB_F32);
    lab_input(c, 1, in * units, LAB_F32);
    lab_input(c, 2, units, LAB_F32);
    lab_output(c, batch * units, LAB_F32);
    c->out_width = units;
    for (int i = 0; i < 3; i++)
        lab_fill_uniform(c, i, -1, 1);
    c->atol = 1e-4;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t batch = c->dim[0], in = c->dim[1], units = c->dim[2];
    const float *x = lab_h_in_f32(c, 0), *W = lab_h_in_f32(c, 1), *b = lab_h_in_f32(c, 2);
    for (size_t m = 0; m < batch; m++)
        for (size_t n = 0; n < units; n++) {
            double sum = b[n];
            for (size_t k = 0; k < in; k++)
                sum += (double)x[m * in + k] * W[k * units + n];
            c->expect[m * units + n] = sum > 0 ? sum : 0;
        }
}

static void run(const LabRung *, LabCase *c)
{
    layer(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_in_f32(c, 2), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
          (int)c->dim[2], c->stream);
}

static double flops(const LabCase *c) { return 2.0 * (double)c->out_count * (double)c->dim[1]; }

static const Lab ex09 = {
    .order = 9,
    .name = "ex09_layer",
    .title = "a layer of a network",
    .dims = "batch in units",
    .size = "1024x784x256",
    .cpu_size = "64x64x10",
    .test_sizes = "1x1x1 5x64x10 17x31x33 33x7x16",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .flops = flops,
};
LAB_MAIN(ex09)
