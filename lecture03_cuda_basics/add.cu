/* add.cu: z = x + y, element by element; x, y, z of N floats. The first program of Mark Harris's "An Even Easier
 * Introduction to CUDA", taken from one thread to the speed of memory.
 *
 * 12 bytes move for one addition, so nothing but memory bandwidth matters.
 *
 *   1 one thread     <<<1, 1>>>: a GPU used as a slow CPU                     ./run add --rung 1
 *   2 one block      <<<1, 256>>>: 256 threads, but one of 132 multiprocessors
 *   3 grid-stride    enough blocks for every multiprocessor, each thread striding through the array
 *   4 one each       one thread per element, no loop: blocks come and go, the hardware balances them
 *   5 float4         16 bytes per access, one each: a quarter of the instructions for the same bytes
 *
 * Then the same addition with its memory managed for you (cudaMallocManaged): what the first kernel on managed memory
 * pays, what a prefetch saves, and explicit copies beside it.
 */
#include <math.h>
#include <stdlib.h>

#include "lab.h"
#include "side_csv.h"
#include "table.h"

static void add_cpu(size_t n, const float *x, const float *y, double *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = (double)x[i] + y[i];
}

__global__ void add_kernel1(size_t n, const float *x, const float *y, float *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = x[i] + y[i];
}

__global__ void add_kernel2(size_t n, const float *x, const float *y, float *z)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        z[i] = x[i] + y[i];
}

__global__ void add_kernel3(size_t n, const float *x, const float *y, float *z)
{
    size_t index = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = index; i < n; i += stride)
        z[i] = x[i] + y[i];
}

__global__ void add_kernel4(size_t n, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}

/* n4 whole groups of four; the last n % 4 elements are added by the first threads. cudaMalloc aligns to 256 bytes, so
 * the cast is safe for whole arrays (not for x + 1). */
__global__ void add_kernel5(size_t n, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, n4 = n / 4;
    if (i < n4) {
        float4 a = ((const float4 *)x)[i], b = ((const float4 *)y)[i];
        ((float4 *)z)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    if (i < n % 4)
        z[4 * n4 + i] = x[4 * n4 + i] + y[4 * n4 + i];
}

/* Blocks of 256 threads that fill every multiprocessor eight deep, the most it can hold at once. */
static int blocks_for_whole_gpu(void)
{
    int sms = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    return 8 * sms;
}

typedef void Add(size_t n, const float *x, const float *y, float *z, cudaStream_t stream);

static void add1(size_t n, const float *x, const float *y, float *z, cudaStream_t stream)
{
    add_kernel1<<<1, 1, 0, stream>>>(n, x, y, z);
    CUDA_CHECK(cudaGetLastError());
}

static void add2(size_t n, const float *x, const float *y, float *z, cudaStream_t stream)
{
    add_kernel2<<<1, 256, 0, stream>>>(n, x, y, z);
    CUDA_CHECK(cudaGetLastError());
}

static void add3(size_t n, const float *x, const float *y, float *z, cudaStream_t stream)
{
    add_kernel3<<<blocks_for_whole_gpu(), 256, 0, stream>>>(n, x, y, z);
    CUDA_CHECK(cudaGetLastError());
}

static void add4(size_t n, const float *x, const float *y, float *z, cudaStream_t stream)
{
    add_kernel4<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(n, x, y, z);
    CUDA_CHECK(cudaGetLastError());
}

static void add5(size_t n, const float *x, const float *y, float *z, cudaStream_t stream)
{
    size_t threads = n / 4 > 3 ? n / 4 : 3; /* at least enough for the ragged end */
    add_kernel5<<<(unsigned)((threads + 255) / 256), 256, 0, stream>>>(n, x, y, z);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {
    {1, "one thread", LAB_LAUNCH(Add, add1)},
    {2, "one block of 256", LAB_LAUNCH(Add, add2)},
    {3, "grid-stride on the whole GPU", LAB_LAUNCH(Add, add3)},
    {4, "one thread per element", LAB_LAUNCH(Add, add4)},
    {5, "float4", LAB_LAUNCH(Add, add5)},
};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0];
    if (n == 0)
        return "N must be at least 1";
    lab_input(c, 0, n, LAB_F32);
    lab_input(c, 1, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    return NULL;
}

static void reference(LabCase *c) { add_cpu(c->dim[0], lab_h_in_f32(c, 0), lab_h_in_f32(c, 1), c->expect); }

static void run(const LabRung *r, LabCase *c)
{
    ((Add *)r->launch)(c->dim[0], lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), c->stream);
}

static const char *refuse(const LabRung *r, const LabCase *c)
{
    if (r->number == 1 && c->dim[0] > (size_t)1 << 24)
        return "one thread would take seconds";
    if (r->number == 2 && c->dim[0] > (size_t)1 << 27)
        return "one block would take a second";
    return NULL;
}

static double bytes(const LabCase *c) { return 12.0 * (double)c->dim[0]; }

/* ---- managed memory -------------------------------------------------------------------------------------------- */

/* CUDA 13 says where to prefetch to with a cudaMemLocation, CUDA 12 with a device number. */
static cudaError_t prefetch(const void *p, size_t size, int device)
{
#if CUDART_VERSION >= 13000
    cudaMemLocation to = {};
    to.type = cudaMemLocationTypeDevice;
    to.id = device;
    return cudaMemPrefetchAsync(p, size, to, 0, 0);
#else
    return cudaMemPrefetchAsync(p, size, device, 0);
#endif
}

/* The largest |z - 3| where every element must be 3: Harris's check. NaN counts as the worst. */
static double max_error(size_t n, const float *z)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(z[i] - 3.0);
        if (!(e <= worst))
            worst = e == e ? e : INFINITY;
    }
    return worst;
}

/* x = 1, y = 2 written by the host; one launch and a synchronize by the host's clock; then the same again, warm. */
static double managed(size_t n, int prefetched, Table *t, FILE *csv)
{
    float *x, *y, *z;
    CUDA_CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CUDA_CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    CUDA_CHECK(cudaMallocManaged(&z, n * sizeof(float)));
    for (size_t i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = 2;
        z[i] = NAN;
    }
    double start = bench_host_ms(), moved = start, first, second;
    if (prefetched) {
        cudaError_t error = prefetch(x, n * sizeof(float), 0);
        if (error == cudaSuccess)
            error = prefetch(y, n * sizeof(float), 0);
        if (error == cudaSuccess)
            error = prefetch(z, n * sizeof(float), 0);
        if (error != cudaSuccess)
            cudaGetLastError(); /* a device without page migration: managed memory still works */
        CUDA_CHECK(cudaDeviceSynchronize());
        moved = bench_host_ms();
    }
    add4(n, x, y, z, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    first = bench_host_ms();
    add4(n, x, y, z, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    second = bench_host_ms();
    double error = max_error(n, z);
    char a[32], b[32], m[32];
    table_cell(t, prefetched ? "managed, prefetched" : "managed");
    table_cell(t, "%s", prefetched ? format_ms(moved - start, m) : "");
    table_cell(t, "%s", format_ms(first - moved, a));
    table_cell(t, "%s", format_ms(second - first, b));
    table_cell(t, "%g", error);
    if (csv)
        fprintf(csv, "%s,%.6g,%.6g,%.6g\n", prefetched ? "managed and prefetched" : "managed", moved - start,
                first - moved, second - first);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
    return error;
}

static double copied(size_t n, Table *t, FILE *csv)
{
    size_t size = n * sizeof(float);
    float *x = (float *)malloc(size), *y = (float *)malloc(size), *z = (float *)malloc(size), *d_x, *d_y, *d_z;
    if (!x || !y || !z)
        die("not enough memory");
    for (size_t i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = 2;
        z[i] = NAN;
    }
    // notes: copies
    CUDA_CHECK(cudaMalloc(&d_x, size));
    CUDA_CHECK(cudaMalloc(&d_y, size));
    CUDA_CHECK(cudaMalloc(&d_z, size));
    double start = bench_host_ms();
    CUDA_CHECK(cudaMemcpy(d_x, x, size, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_y, y, size, cudaMemcpyHostToDevice));
    double moved = bench_host_ms();
    add4(n, d_x, d_y, d_z, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    double first = bench_host_ms();
    add4(n, d_x, d_y, d_z, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    double second = bench_host_ms();
    CUDA_CHECK(cudaMemcpy(z, d_z, size, cudaMemcpyDeviceToHost));
    // notes end
    double error = max_error(n, z);
    char a[32], b[32], m[32];
    table_cell(t, "cudaMalloc and cudaMemcpy");
    table_cell(t, "%s", format_ms(moved - start, m));
    table_cell(t, "%s", format_ms(first - moved, a));
    table_cell(t, "%s", format_ms(second - first, b));
    table_cell(t, "%g", error);
    if (csv)
        fprintf(csv, "cudaMalloc and cudaMemcpy,%.6g,%.6g,%.6g\n", moved - start, first - moved, second - first);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    CUDA_CHECK(cudaFree(d_z));
    free(x), free(y), free(z);
    return error;
}

static int show(const LabOptions *o)
{
    size_t n = o->verify_only ? 1 << 12 : 1 << 20;
    Table *t = table_new("memory|>moving it|>first kernel|>second kernel|>max error");
    CUDA_CHECK(cudaFree(0)); /* the context's own start-up is not the lesson */
    FILE *csv = side_csv(o, "memory", "memory,moving_ms,first_ms,second_ms");
    double worst = managed(n, 0, t, csv);
    worst = fmax(worst, managed(n, 1, t, csv));
    worst = fmax(worst, copied(n, t, csv));
    lab_close(csv);
    printf("\n    Who moves the data, N = %zu, by the host's clock:\n", n);
    table_print(t, stdout, 4);
    table_free(t);
    printf("    Max error: %g\n", worst);
    return lab_claim(worst == 0, "1 + 2 is 3 in every element");
}

static const Lab add = {
    .order = 2,
    .name = "add",
    .title = "z = x + y, from one thread to the speed of memory",
    .look = "The same addition is launched in five ways. More threads help until memory is the limit; then\n"
            "only wider accesses are left to try.",
    .dims = "N",
    .size = "1048576 268435456",
    .cpu_size = "1048576",
    .test_sizes = "1 2 3 31 32 33 257 1009 65537",
    .sweep = "1048576:67108864:4194304",
    .cpu_sweep = "65536:1048576:65536",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .refuse = refuse,
    .bytes = bytes,
    .show = show,
};
LAB_MAIN(add)
