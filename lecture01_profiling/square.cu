/* square.cu: y = x^2 on M x N floats, 10000 x 10000 as in GPU MODE's lecture 1, where torch.square(x), x * x and x ** 2
 * are profiled one after the other.
 *
 * 8 bytes move for one multiplication: whatever the arithmetic costs beyond that time shows.
 *
 *   1 pow in double   pow(x, 2.0): double runs at half the rate of float at best, and pow is some hundred instructions
 *   2 powf            the same in float
 *   3 x * x           one multiplication
 *   4 float4          16 bytes per access
 *
 * Each rung's profile follows the table of times, as the lecture prints it: profiler_key_averages_table().
 * ./run square --sweep times M = 4096, N = 128 i for i = 2..99, as the lecture's Triton benchmark does, and draws it.
 */
#include "lab.h"
#include "profiler.h"

static void square_cpu(size_t n, const float *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (double)x[i] * x[i];
}

/* The exponent is an argument: with the constant 2 the compiler would write x * x by itself. */
__global__ void square_kernel1(const float *x, float *y, size_t n, double exponent)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (float)pow((double)x[i], exponent);
}

__global__ void square_kernel2(const float *x, float *y, size_t n, float exponent)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = powf(x[i], exponent);
}

__global__ void square_kernel3(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

__global__ void square_kernel4(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, n4 = n / 4;
    if (i < n4) {
        float4 a = ((const float4 *)x)[i];
        ((float4 *)y)[i] = make_float4(a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w);
    }
    if (i < n % 4)
        y[4 * n4 + i] = x[4 * n4 + i] * x[4 * n4 + i];
}

static unsigned blocks(size_t n) { return (unsigned)((n + 255) / 256); }

/* Device pointers; n floats; asynchronous on `stream`. extern "C", because pytorch/ calls them through ctypes. */
typedef void Square(const float *x, float *y, size_t n, cudaStream_t stream);

extern "C" void square1(const float *x, float *y, size_t n, cudaStream_t stream)
{
    square_kernel1<<<blocks(n), 256, 0, stream>>>(x, y, n, 2.0);
    CUDA_CHECK(cudaGetLastError());
}

extern "C" void square2(const float *x, float *y, size_t n, cudaStream_t stream)
{
    square_kernel2<<<blocks(n), 256, 0, stream>>>(x, y, n, 2.0f);
    CUDA_CHECK(cudaGetLastError());
}

extern "C" void square3(const float *x, float *y, size_t n, cudaStream_t stream)
{
    square_kernel3<<<blocks(n), 256, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

extern "C" void square4(const float *x, float *y, size_t n, cudaStream_t stream)
{
    square_kernel4<<<blocks(n / 4 > 3 ? n / 4 : 3), 256, 0, stream>>>(x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {
    {1, "pow in double", LAB_LAUNCH(Square, square1)},
    {2, "powf", LAB_LAUNCH(Square, square2)},
    {3, "x * x", LAB_LAUNCH(Square, square3)},
    {4, "float4", LAB_LAUNCH(Square, square4)},
};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0] * c->dim[1];
    if (n == 0)
        return "M and N must be at least 1";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    c->out_width = c->dim[1];
    lab_fill_uniform(c, 0, -3, 3);
    return NULL;
}

static void reference(LabCase *c) { square_cpu(c->out_count, lab_h_in_f32(c, 0), c->expect); }

static void run(const LabRung *r, LabCase *c)
{
    ((Square *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), c->out_count, c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->out_count; }

/* The lecture's tables: one profile for each of three rungs, as torch.autograd.profiler prints them. */
static int show(const LabOptions *o)
{
    if (lab_brief())
        return 0;
    size_t n = o->verify_only ? 1 << 12 : 1 << 20;
    float *x, *y;
    CUDA_CHECK(cudaMalloc(&x, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&y, n * sizeof(float)));
    CUDA_CHECK(cudaMemset(x, 0x3f, n * sizeof(float)));
    int failed = 0;
    for (int i = 1; i < LAB_COUNT(rungs) && !o->profile && !o->trace; i++) {
        for (int warmup = 0; warmup < 5; warmup++)
            ((Square *)rungs[i].launch)(x, y, n, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        // notes: profile
        failed += lab_claim(profiler_start(NULL) == PROFILER_OK, "the profiler starts: %s", profiler_last_error());
        profiler_record_function(rungs[i].name) { ((Square *)rungs[i].launch)(x, y, n, 0); }
        CUDA_CHECK(cudaDeviceSynchronize());
        profiler_stop();
        printf("\n    profile of rung %d, %s, on %zu floats\n", rungs[i].number, rungs[i].name, n);
        profiler_key_averages_table(stdout, "cuda_time_total", 10);
        // notes end
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    return failed;
}

static const Lab square = {
    .order = 2,
    .name = "square",
    .title = "one multiplication, and what hides in pow",
    .look = "Squaring a number moves 8 bytes and takes one multiplication, so it should be as fast as a copy.\n"
            "See which rungs are not, and what the next one changes.",
    .dims = "M N",
    .size = "10000x10000",
    .cpu_size = "1000x1000",
    .test_sizes = "1x1 1x2 1x3 31x33 32x32 33x31 7x257",
    .sweep = "4096x256:12672:128",
    .cpu_sweep = "256x256:2560:256",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(square)
