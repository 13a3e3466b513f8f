/* Exercise 1.6 three kernels into one (2 points)
 *
 * y = relu(a x + b)^2 is computed by three kernels, and the array travels through memory six times. Write one
 * kernel that moves it only twice, and launch it once. Each launch is followed by launched(), which counts it.
 *
 * Limits at 4100:
 *   launches <= 1
 *   global loads <= 200
 *   sectors of global loads <= 750
 */
#include "lab.h"

static int launches;
static void launched(void)
{
    launches++;
    CUDA_CHECK(cudaGetLastError());
}

// TODO(ex06): one kernel for y = relu(a x + b)^2 instead of these three (about 7 lines)
__global__ void line_kernel(const float *x, float *y, float a, float b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + b;
}
__global__ void relu_kernel(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = fmaxf(y[i], 0);
}
__global__ void square_kernel(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = y[i] * y[i];
}

static void line_relu_square(const float *x, float *y, float a, float b, int n, cudaStream_t stream)
{
    int blocks = (n + 255) / 256;
    // TODO(ex06): one launch (about 2 lines)
    line_kernel<<<blocks, 256, 0, stream>>>(x, y, a, b, n);
    launched();
    relu_kernel<<<blocks, 256, 0, stream>>>(y, n);
    launched();
    square_kernel<<<blocks, 256, 0, stream>>>(y, n);
    launched();
}

static const LabRung rungs[] = {{1, "yours", NULL}};

static const char *setup(LabCase *c)
{
    lab_input(c, 0, c->dim[0], LAB_F32);
    lab_output(c, c->dim[0], LAB_F32);
    lab_fill_uniform(c, 0, -2, 2);
    return NULL;
}

static void reference(LabCase *c)
{
    for (size_t i = 0; i < c->out_count; i++) {
        double v = 1.5 * lab_h_in_f32(c, 0)[i] - 0.25;
        c->expect[i] = v > 0 ? v * v : 0;
    }
}

static void run(const LabRung *, LabCase *c)
{
    line_relu_square(lab_in_f32(c, 0), lab_out_f32(c), 1.5f, -0.25f, (int)c->dim[0], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

static int show(const LabOptions *)
{
    float *x, *y;
    CUDA_CHECK(cudaMalloc(&x, 400));
    CUDA_CHECK(cudaMalloc(&y, 400));
    CUDA_CHECK(cudaMemset(x, 0, 400));
    launches = 0;
    line_relu_square(x, y, 1, 1, 100, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    return lab_claim(launches == 1, "one launch is enough; there were %d", launches);
}

static const Lab ex06 = {
    .order = 6,
    .name = "ex06_fuse",
    .title = "three kernels into one",
    .dims = "N",
    .size = "67108864",
    .cpu_size = "1048576",
    .test_sizes = "1 255 257 1009",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(ex06)
