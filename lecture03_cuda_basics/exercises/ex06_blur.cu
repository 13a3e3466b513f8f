/* Exercise 3.6 a box blur (3 points)
 *
 * out(y, x) is the mean of the 3 x 3 pixels around in(y, x), as far as they are inside the picture: 9 in the middle, 6
 * at an edge, 4 in a corner. Use one thread per pixel. The picture is row-major, height x width floats.
 *
 * Limits at 64x64:
 *   global loads <= 1500
 *   global stores <= 160
 *   sectors / possible sectors of global loads <= 2
 */
#include "lab.h"

__global__ void blur_kernel(const float *in, float *out, int height, int width)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height || x >= width)
        return;
    // TODO(ex06): the mean of the neighbours that exist (about 10 lines)
    out[y * width + x] = in[y * width + x];
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0] * c->dim[1];
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    c->out_width = c->dim[1];
    lab_fill_uniform(c, 0, 0, 255);
    return NULL;
}

static void reference(LabCase *c)
{
    const float *in = lab_h_in_f32(c, 0);
    long height = (long)c->dim[0], width = (long)c->dim[1];
    for (long y = 0; y < height; y++)
        for (long x = 0; x < width; x++) {
            double sum = 0;
            int count = 0;
            for (long v = y ? y - 1 : 0; v <= y + 1 && v < height; v++)
                for (long u = x ? x - 1 : 0; u <= x + 1 && u < width; u++, count++)
                    sum += in[v * width + u];
            c->expect[y * width + x] = sum / count;
        }
}

static void run(const LabRung *, LabCase *c)
{
    int height = (int)c->dim[0], width = (int)c->dim[1];
    blur_kernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, c->stream>>>(
        lab_in_f32(c, 0), lab_out_f32(c), height, width);
    CUDA_CHECK(cudaGetLastError());
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static const Lab ex06 = {
    .order = 6,
    .name = "ex06_blur",
    .title = "a box blur",
    .dims = "height width",
    .size = "4096x4096",
    .cpu_size = "256x256",
    .test_sizes = "1x1 1x5 5x1 2x2 31x33 64x32",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(ex06)
