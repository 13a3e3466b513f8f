/* One-dimensional stencil: y[i] = sum over k = -8 .. 8 of w[k] x[i + k], with x = 0 outside its ends.
 *
 * x and y are (n), fp32. Each element of x is needed by 17 outputs. A block keeps a tile and its halo, 8 more elements
 * on either side, in shared memory; and between writing the tile and reading it the threads need a
 * barrier: the line everyone forgets once.
 *
 *   rung                     idea                                                             ./run stencil --rung N
 *   1  naive                 17 loads per output; the L1 cache serves most of them
 *   2  tile and halo         one load per output (and 16 per block), the rest from shared memory
 *   3  four outputs per thread 20 values in registers serve four outputs: 5 reads of shared memory instead of 68
 *   4  registers only        the same without shared memory: neighbours' values come from the L1 cache, 16 bytes each
 */
#include "ceil_div.cuh"
#include "lab.h"

typedef void Stencil(const float *x, float *y, size_t n, cudaStream_t stream);

enum { RADIUS = 8, THREADS = 256 };

/* The weights are not symmetric: a kernel that runs along x the wrong way must not pass. */
static float weight(int k) { return (float)(k + RADIUS + 1) / 153; }

/* Constant memory: all lanes of a warp read the same weight, which costs one access. */
__constant__ float w[2 * RADIUS + 1];

static void stencil_cpu(LabCase *c)
{
    const float *x = lab_h_in_f32(c, 0);
    ptrdiff_t n = (ptrdiff_t)c->dim[0];
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n)
                sum += (double)weight(k) * x[i + k];
        c->expect[i] = sum;
    }
}

/* 1 */
__global__ void stencil_kernel1(const float *x, float *y, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++) {
        ptrdiff_t j = (ptrdiff_t)i + k;
        if (j >= 0 && j < (ptrdiff_t)n)
            sum += w[k + RADIUS] * x[j];
    }
    y[i] = sum;
}

static void stencil1(const float *x, float *y, size_t n, cudaStream_t stream)
{
    stencil_kernel1<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(x, y, n);
}

/* x[i], or 0 outside. */
__device__ static float at(const float *x, ptrdiff_t i, size_t n) { return i >= 0 && i < (ptrdiff_t)n ? x[i] : 0; }

/* 2: tile[RADIUS + t] is the thread's own element; the first RADIUS threads also bring both halos. Threads past the end
 * bring zeros: others want them, and all must meet at the barrier. */
__global__ void stencil_kernel2(const float *x, float *y, size_t n)
{
    __shared__ float tile[RADIUS + THREADS + RADIUS];
    int t = threadIdx.x;
    ptrdiff_t i = (ptrdiff_t)blockIdx.x * THREADS + t;
    tile[RADIUS + t] = at(x, i, n);
    if (t < RADIUS) {
        tile[t] = at(x, i - RADIUS, n);
        tile[RADIUS + THREADS + t] = at(x, i + THREADS, n);
    }
    __syncthreads();
    if (i >= (ptrdiff_t)n)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += w[k] * tile[t + k];
    y[i] = sum;
}

static void stencil2(const float *x, float *y, size_t n, cudaStream_t stream)
{
    stencil_kernel2<<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(x, y, n);
}

/* The four elements from i (a multiple of 4) on; whole where all are inside and n keeps them aligned. */
__device__ static float4 at4(const float *x, ptrdiff_t i, size_t n)
{
    if (i >= 0 && i + 4 <= (ptrdiff_t)n)
        return *(const float4 *)(x + i);
    return make_float4(at(x, i, n), at(x, i + 1, n), at(x, i + 2, n), at(x, i + 3, n));
}

__device__ static void put4(float *y, ptrdiff_t i, size_t n, float4 v)
{
    if (i + 4 <= (ptrdiff_t)n) {
        *(float4 *)(y + i) = v;
        return;
    }
    if (i < (ptrdiff_t)n)
        y[i] = v.x;
    if (i + 1 < (ptrdiff_t)n)
        y[i + 1] = v.y;
    if (i + 2 < (ptrdiff_t)n)
        y[i + 2] = v.z;
}

/* Four neighbouring outputs from the 20 values v[0 .. 19], of which v[8] belongs to the first. */
__device__ static float4 four(const float *v)
{
    float sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; k++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[j] += w[k] * v[j + k];
    return make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* 3 */
__global__ void stencil_kernel3(const float *x, float *y, size_t n)
{
    static_assert(RADIUS == 8, "the halo is two float4");
    __shared__ float4 tile[2 + THREADS + 2];
    int t = threadIdx.x;
    ptrdiff_t i = ((ptrdiff_t)blockIdx.x * THREADS + t) * 4;
    tile[2 + t] = at4(x, i, n);
    if (t < 2) {
        tile[t] = at4(x, i - 2 * 4, n);
        tile[2 + THREADS + t] = at4(x, i + THREADS * 4, n);
    }
    __syncthreads();
    float v[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        float4 next = tile[t + q];
        v[4 * q] = next.x, v[4 * q + 1] = next.y, v[4 * q + 2] = next.z, v[4 * q + 3] = next.w;
    }
    put4(y, i, n, four(v));
}

static void stencil3(const float *x, float *y, size_t n, cudaStream_t stream)
{
    stencil_kernel3<<<(unsigned)ceil_div(n, 4 * THREADS), THREADS, 0, stream>>>(x, y, n);
}

/* 4 */
__global__ void stencil_kernel4(const float *x, float *y, size_t n)
{
    ptrdiff_t i = ((ptrdiff_t)blockIdx.x * THREADS + threadIdx.x) * 4;
    float v[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        float4 next = at4(x, i + 4 * (q - 2), n);
        v[4 * q] = next.x, v[4 * q + 1] = next.y, v[4 * q + 2] = next.z, v[4 * q + 3] = next.w;
    }
    put4(y, i, n, four(v));
}

static void stencil4(const float *x, float *y, size_t n, cudaStream_t stream)
{
    stencil_kernel4<<<(unsigned)ceil_div(n, 4 * THREADS), THREADS, 0, stream>>>(x, y, n);
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Stencil, stencil1), LAB_F32, 0, 0},
    {2, "tile and halo", LAB_LAUNCH(Stencil, stencil2), LAB_F32, 0, 0},
    {3, "four outputs per thread", LAB_LAUNCH(Stencil, stencil3), LAB_F32, 0, 0},
    {4, "registers only", LAB_LAUNCH(Stencil, stencil4), LAB_F32, 0, 0},
};

static const char *setup(LabCase *c)
{
    size_t n = c->dim[0];
    if (n > (size_t)INT32_MAX * THREADS)
        return "n is at most 2^31 blocks of 256";
    lab_input(c, 0, n, LAB_F32);
    lab_output(c, n, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    float h_w[2 * RADIUS + 1];
    for (int k = -RADIUS; k <= RADIUS; k++)
        h_w[k + RADIUS] = weight(k);
    CUDA_CHECK(cudaMemcpyToSymbol(w, h_w, sizeof h_w));
    c->atol = 1e-6;
    c->rtol = 1e-6;
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return;
    ((Stencil *)r->launch)(lab_in_f32(c, 0), lab_out_f32(c), c->dim[0], c->stream);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }
static double flops(const LabCase *c) { return 2.0 * (2 * RADIUS + 1) * (double)c->dim[0]; }

static const Lab lab = {
    .order = 6,
    .name = "stencil",
    .title = "tiles with a halo, and the barrier that everyone forgets",
    .look = "An output takes 34 operations and moves 8 bytes, so memory is still the limit. We think\n"
            "that L1 serves 16 of rung 1's 17 loads. Shared memory (rung 2) is faster, and four outputs in each\n"
            "thread (rung 3) gain more. Rung 4 asks whether the shared memory was needed at all.",
    .dims = "n",
    .size = "268435456",
    .cpu_size = "1048576",
    .test_sizes = "0 1 7 8 9 31 32 33 255 256 257 263 264 265 1023 1024 1025 5003",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = stencil_cpu,
    .run = run,
    .bytes = bytes,
    .flops = flops,
};
LAB_MAIN(lab)
