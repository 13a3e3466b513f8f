/* cdist.cu: pairwise Euclidean distances: out[i][j] = ||x_i - y_j||, x of M points, y of N points, D floats each,
 * row-major; out is M x N.
 *
 * Two ways to the same number, and a profile that shows where the time of each goes (./run cdist --profile):
 *
 *   1 direct              one kernel: each thread sums (x - y)^2 over D
 *   2 expanded            ||x - y||^2 = ||x||^2 + ||y||^2 - 2 x.y, by five kernels: two norms, a matrix product, a
 *                         sum, a root. The product is where a fast library could help; the rest are round trips
 *                         through memory
 *   3 expanded, fused     norms separately, everything else in the kernel of the product
 *   4 register tiles      8 x 8 distances per thread, as in lecture 14; the norms are summed while the tiles are
 *                         loaded, and are used in the epilogue: one kernel, and out is written once
 *   5 tensor cores        the same product as three products in tf32: x is hi + lo, both of 11 bits. The part left out,
 *                         lo * lo, is smaller than what fp32 rounds away
 *   6 cuBLAS              y transposed, two norms, cublasSgemm, and one kernel for the sum and the root: what a library
 *                         of separate operations does. pytorch/cdist.py times torch.cdist beside them
 *   7 root in one instruction  rung 5 with sqrt.approx: 64 correctly rounded roots per thread took a fifth of its time
 *
 * The expanded form subtracts nearly equal numbers when points are close together far from the origin: the digits
 * they share cancel and the rounding errors of the norms remain. The second table measures that.
 */
#include <math.h>
#include <stdlib.h>

#include "ceil_div.cuh"
#include "lab.h"
#include "ptx.cuh"
#include "side_csv.h"
#include "table.h"
#include "vendor.h"

static double distance_cpu(const float *x, const float *y, size_t D)
{
    double sum = 0;
    for (size_t d = 0; d < D; d++)
        sum += ((double)x[d] - y[d]) * ((double)x[d] - y[d]);
    return sqrt(sum);
}

__global__ void distance_kernel1(const float *x, const float *y, float *out, int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++) {
            float diff = x[(size_t)i * D + d] - y[(size_t)j * D + d];
            sum += diff * diff;
        }
        out[(size_t)i * N + j] = sqrtf(sum);
    }
}

__global__ void norm_kernel2(const float *x, float *norm, int count, int D)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * x[(size_t)i * D + d];
        norm[i] = sum;
    }
}

__global__ void product_kernel2(const float *x, const float *y, float *out, int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * y[(size_t)j * D + d];
        out[(size_t)i * N + j] = sum;
    }
}

__global__ void combine_kernel2(const float *norm_x, const float *norm_y, float *out, int M, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N)
        out[(size_t)i * N + j] = norm_x[i] + norm_y[j] - 2 * out[(size_t)i * N + j];
}

__global__ void root_kernel2(float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = sqrtf(fmaxf(out[i], 0)); /* rounding can leave a small negative number */
}

__global__ void distance_kernel3(const float *x, const float *y, const float *norm_x, const float *norm_y, float *out,
                                 int M, int N, int D)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N) {
        float sum = 0;
        for (int d = 0; d < D; d++)
            sum += x[(size_t)i * D + d] * y[(size_t)j * D + d];
        out[(size_t)i * N + j] = sqrtf(fmaxf(norm_x[i] + norm_y[j] - 2 * sum, 0));
    }
}

/* Four coordinates of the point p (its first), from k on; coordinates beyond D, and all of them if there is no such
 * point, are zero. ALIGNED: D is a multiple of 4, so that they are one load. */
template <bool ALIGNED> static __device__ float4 coordinates(const float *p, int k, int D, bool is_there)
{
    if (ALIGNED)
        return is_there && k < D ? *(const float4 *)(p + k) : make_float4(0, 0, 0, 0);
    return make_float4(is_there && k < D ? p[k] : 0, is_there && k + 1 < D ? p[k + 1] : 0,
                       is_there && k + 2 < D ? p[k + 2] : 0, is_there && k + 3 < D ? p[k + 3] : 0);
}

static __device__ float squares(float4 v) { return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w; }

/* A block: 128 x 128 distances by 256 threads, 8 x 8 per thread; a warp has 64 x 32 of them. */
template <bool ALIGNED>
__global__ void __launch_bounds__(256, 2)
    distance_kernel4(const float *x, const float *y, float *out, int M, int N, int D)
{
    constexpr int TILE = 128, STEP = 8, ROW = TILE + 4; /* rows of tile[k][point], padded for the banks */
    __shared__ float4 x_tile4[2][STEP * ROW / 4], y_tile4[2][STEP * ROW / 4];
    __shared__ float x_norm[TILE], y_norm[TILE];
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, m0 = blockIdx.y * TILE, n0 = blockIdx.x * TILE;
    int row = warp / 4 * 64 + lane / 4 * 4;    /* first of 4; the other 4 are 32 below */
    int column = warp % 4 * 32 + lane % 4 * 4; /* first of 4; the other 4 are 16 to the right */
    int point = tid / 2, k = tid % 2 * 4;      /* what this thread brings: 4 coordinates of a point of x and of y */
    bool has_x = m0 + point < M, has_y = n0 + point < N;
    const float *my_x = x + (size_t)(m0 + point) * D, *my_y = y + (size_t)(n0 + point) * D;
    alignas(16) float sum[8][8] = {{0}};
    float x_squares = 0, y_squares = 0;
    float4 next_x = coordinates<ALIGNED>(my_x, k, D, has_x), next_y = coordinates<ALIGNED>(my_y, k, D, has_y);
    for (int k0 = 0, stage = 0; k0 < D; k0 += STEP, stage ^= 1) {
        float *x_tile = (float *)x_tile4[stage], *y_tile = (float *)y_tile4[stage];
        x_squares += squares(next_x);
        y_squares += squares(next_y);
        x_tile[(k + 0) * ROW + point] = next_x.x;
        x_tile[(k + 1) * ROW + point] = next_x.y;
        x_tile[(k + 2) * ROW + point] = next_x.z;
        x_tile[(k + 3) * ROW + point] = next_x.w;
        y_tile[(k + 0) * ROW + point] = next_y.x;
        y_tile[(k + 1) * ROW + point] = next_y.y;
        y_tile[(k + 2) * ROW + point] = next_y.z;
        y_tile[(k + 3) * ROW + point] = next_y.w;
        __syncthreads(); /* two stages: the one that is written next was read before this barrier */
        next_x = coordinates<ALIGNED>(my_x, k0 + STEP + k, D, has_x);
        next_y = coordinates<ALIGNED>(my_y, k0 + STEP + k, D, has_y);
#pragma unroll
        for (int kk = 0; kk < STEP; kk++) {
            alignas(16) float a[8], b[8];
#pragma unroll
            for (int half = 0; half < 2; half++) {
                *(float4 *)(a + 4 * half) = *(const float4 *)(x_tile + kk * ROW + row + 32 * half);
                *(float4 *)(b + 4 * half) = *(const float4 *)(y_tile + kk * ROW + column + 16 * half);
            }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += a[i] * b[j];
        }
    }
    x_squares += __shfl_xor_sync(~0u, x_squares, 1); /* the two threads of a point */
    y_squares += __shfl_xor_sync(~0u, y_squares, 1);
    if (tid % 2 == 0) {
        x_norm[point] = x_squares;
        y_norm[point] = y_squares;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            int r = row + i / 4 * 32 + i % 4, c = column + j * 4;
            float4 v = make_float4(sqrtf(fmaxf(x_norm[r] + y_norm[c + 0] - 2 * sum[i][j + 0], 0)),
                                   sqrtf(fmaxf(x_norm[r] + y_norm[c + 1] - 2 * sum[i][j + 1], 0)),
                                   sqrtf(fmaxf(x_norm[r] + y_norm[c + 2] - 2 * sum[i][j + 2], 0)),
                                   sqrtf(fmaxf(x_norm[r] + y_norm[c + 3] - 2 * sum[i][j + 3], 0)));
            float *to = out + (size_t)(m0 + r) * N + n0 + c;
            if (m0 + r >= M)
                continue;
            if (N % 4 == 0 && n0 + c < N) {
                *(float4 *)to = v;
            } else {
                if (n0 + c < N)
                    to[0] = v.x;
                if (n0 + c + 1 < N)
                    to[1] = v.y;
                if (n0 + c + 2 < N)
                    to[2] = v.z;
                if (n0 + c + 3 < N)
                    to[3] = v.w;
            }
        }
}

/* hi has the first 11 bits of x's mantissa, all that the tensor core reads; lo is the rest. */
static __device__ void split_tf32(float x, uint32_t *hi, uint32_t *lo)
{
    *hi = __float_as_uint(x) & 0xffffe000u;
    *lo = __float_as_uint(x - __uint_as_float(*hi)) & 0xffffe000u;
}

/* sqrtf() rounds correctly, which takes the compiler ten instructions and a branch; FAST is one, and wrong by an ulp. */
template <bool FAST> static __device__ float root(float x)
{
    if (!FAST)
        return sqrtf(x);
    asm("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

enum { TILE5 = 128, STEP5 = 32, ROW5 = STEP5 + 4, SHARED5 = 2 * 2 * TILE5 * ROW5 * 4 }; /* tile[point][k], two stages */

/* 32 coordinates of 128 points from k0 on, into the tile: 16 bytes per copy, or 4. */
template <bool ALIGNED> static __device__ void bring5(float *tile, const float *p, int first, int count, int k0, int D)
{
    constexpr int WIDTH = ALIGNED ? 4 : 1;
    for (int i = threadIdx.x; i < TILE5 * STEP5 / WIDTH; i += 256) {
        int point = i / (STEP5 / WIDTH), k = i % (STEP5 / WIDTH) * WIDTH;
        bool valid = first + point < count && k0 + k < D;
        const float *from = valid ? p + (size_t)(first + point) * D + k0 + k : p;
        if (ALIGNED)
            cp_async_16(tile + point * ROW5 + k, from, valid);
        else
            cp_async_4(tile + point * ROW5 + k, from, valid);
    }
}

/* A block: 128 x 128 distances by 8 warps of 64 x 32; the fragments are as PTX ISA, mma.m16n8k8, says: lane l has row
 * l / 4 and column l % 4 of the operands, and two neighbouring columns of the sums. */
template <bool ALIGNED, bool FAST_ROOT>
__global__ void __launch_bounds__(256, 2)
    distance_kernel5(const float *x, const float *y, float *out, int M, int N, int D)
{
    extern __shared__ float4 tiles4[];
    __shared__ float norm[2 * TILE5];
    float *tiles = (float *)tiles4;
    constexpr int ONE = TILE5 * ROW5;
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, m0 = blockIdx.y * TILE5, n0 = blockIdx.x * TILE5;
    int row = warp / 4 * 64, column = warp % 4 * 32, g = lane / 4, t = lane % 4;
    float sum[4][4][4] = {{{0}}}, my_squares = 0;
    bring5<ALIGNED>(tiles, x, m0, M, 0, D);
    bring5<ALIGNED>(tiles + ONE, y, n0, N, 0, D);
    cp_async_commit();
    for (int k0 = 0, stage = 0; k0 < D; k0 += STEP5, stage ^= 1) {
        if (k0 + STEP5 < D) {
            float *next = tiles + 2 * ONE * (stage ^ 1);
            bring5<ALIGNED>(next, x, m0, M, k0 + STEP5, D);
            bring5<ALIGNED>(next + ONE, y, n0, N, k0 + STEP5, D);
        }
        cp_async_commit();
        cp_async_wait<1>();
        __syncthreads();
        const float *x_tile = tiles + 2 * ONE * stage, *y_tile = x_tile + ONE;
        const float *mine = x_tile + tid * ROW5; /* thread tid sums the squares of point tid of x, or tid - 128 of y */
#pragma unroll
        for (int k = 0; k < STEP5; k += 4)
            my_squares += squares(*(const float4 *)(mine + k));
#pragma unroll 1
        for (int k = 0; k < STEP5; k += 8) {
            uint32_t b_hi[4][2], b_lo[4][2];
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int h = 0; h < 2; h++)
                    split_tf32(y_tile[(column + 8 * j + g) * ROW5 + k + t + 4 * h], &b_hi[j][h], &b_lo[j][h]);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                uint32_t a_hi[4], a_lo[4];
#pragma unroll
                for (int h = 0; h < 4; h++)
                    split_tf32(x_tile[(row + 16 * i + g + h % 2 * 8) * ROW5 + k + t + h / 2 * 4], &a_hi[h], &a_lo[h]);
#pragma unroll
                for (int j = 0; j < 4; j++) { /* the small products first */
                    mma_m16n8k8_tf32(sum[i][j], a_lo, b_hi[j]);
                    mma_m16n8k8_tf32(sum[i][j], a_hi, b_lo[j]);
                    mma_m16n8k8_tf32(sum[i][j], a_hi, b_hi[j]);
                }
            }
        }
        __syncthreads();
    }
    norm[tid] = my_squares;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int r = row + 16 * i + 8 * h + g;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int c = column + 8 * j + 2 * t;
                float first = root<FAST_ROOT>(fmaxf(norm[r] + norm[TILE5 + c] - 2 * sum[i][j][2 * h], 0));
                float second = root<FAST_ROOT>(fmaxf(norm[r] + norm[TILE5 + c + 1] - 2 * sum[i][j][2 * h + 1], 0));
                float *to = out + (size_t)(m0 + r) * N + n0 + c;
                if (m0 + r >= M)
                    continue;
                if (N % 2 == 0 && n0 + c < N) {
                    *(float2 *)to = make_float2(first, second);
                } else {
                    if (n0 + c < N)
                        to[0] = first;
                    if (n0 + c + 1 < N)
                        to[1] = second;
                }
            }
        }
}

__global__ void turn_kernel6(const float *y, float *turned, int N, int D)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, d = blockIdx.y;
    if (j < N)
        turned[(size_t)d * N + j] = y[(size_t)j * D + d];
}

__global__ void finish_kernel6(const float *norm_x, const float *norm_y, float *out, int M, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M && j < N)
        out[(size_t)i * N + j] = sqrtf(fmaxf(norm_x[i] + norm_y[j] - 2 * out[(size_t)i * N + j], 0));
}

/* `scratch` holds M + N floats for the norms, and N D more. */
typedef void Distance(const float *x, const float *y, float *scratch, float *out, int M, int N, int D,
                      cudaStream_t stream);

static void distance1(const float *x, const float *y, float *, float *out, int M, int N, int D, cudaStream_t stream)
{
    distance_kernel1<<<dim3(ceil_div(N, 16), ceil_div(M, 16)), dim3(16, 16), 0, stream>>>(x, y, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

static void distance2(const float *x, const float *y, float *norms, float *out, int M, int N, int D,
                      cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);
    norm_kernel2<<<ceil_div(M, 256), 256, 0, stream>>>(x, norms, M, D);
    norm_kernel2<<<ceil_div(N, 256), 256, 0, stream>>>(y, norms + M, N, D);
    product_kernel2<<<grid, block, 0, stream>>>(x, y, out, M, N, D);
    combine_kernel2<<<grid, block, 0, stream>>>(norms, norms + M, out, M, N);
    root_kernel2<<<ceil_div(M * N, 256), 256, 0, stream>>>(out, M * N);
    CUDA_CHECK(cudaGetLastError());
}

static void distance3(const float *x, const float *y, float *norms, float *out, int M, int N, int D,
                      cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);
    norm_kernel2<<<ceil_div(M, 256), 256, 0, stream>>>(x, norms, M, D);
    norm_kernel2<<<ceil_div(N, 256), 256, 0, stream>>>(y, norms + M, N, D);
    distance_kernel3<<<grid, block, 0, stream>>>(x, y, norms, norms + M, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

static void distance4(const float *x, const float *y, float *, float *out, int M, int N, int D, cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 128), ceil_div(M, 128));
    auto kernel = D % 4 == 0 ? distance_kernel4<true> : distance_kernel4<false>;
    kernel<<<grid, 256, 0, stream>>>(x, y, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

/* Rungs 5 and 7. */
template <bool FAST_ROOT>
static void distance5(const float *x, const float *y, float *, float *out, int M, int N, int D, cudaStream_t stream)
{
    dim3 grid(ceil_div(N, TILE5), ceil_div(M, TILE5));
    auto kernel = D % 4 == 0 ? distance_kernel5<true, FAST_ROOT> : distance_kernel5<false, FAST_ROOT>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED5));
    kernel<<<grid, 256, SHARED5, stream>>>(x, y, out, M, N, D);
    CUDA_CHECK(cudaGetLastError());
}

static void distance6(const float *x, const float *y, float *scratch, float *out, int M, int N, int D,
                      cudaStream_t stream)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16), turn(ceil_div(N, 256), D);
    float *norm_x = scratch, *norm_y = scratch + M, *turned = scratch + M + N;
    turn_kernel6<<<turn, 256, 0, stream>>>(y, turned, N, D);
    norm_kernel2<<<ceil_div(M, 256), 256, 0, stream>>>(x, norm_x, M, D);
    norm_kernel2<<<ceil_div(N, 256), 256, 0, stream>>>(y, norm_y, N, D);
    vendor_gemm_f32(x, turned, out, (size_t)M, (size_t)N, (size_t)D, stream);
    finish_kernel6<<<grid, block, 0, stream>>>(norm_x, norm_y, out, M, N);
    CUDA_CHECK(cudaGetLastError());
}

static const LabRung rungs[] = {
    {1, "direct", LAB_LAUNCH(Distance, distance1)},
    {2, "expanded, 5 kernels", LAB_LAUNCH(Distance, distance2)},
    {3, "expanded, fused", LAB_LAUNCH(Distance, distance3)},
    {4, "register tiles", LAB_LAUNCH(Distance, distance4)},
    {5, "tensor cores, 3 x tf32", LAB_LAUNCH(Distance, distance5<false>), LAB_F32, LAB_NEEDS_SM80},
    {6, "cuBLAS, 5 kernels", LAB_LAUNCH(Distance, distance6), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY},
    {7, "root in one instruction", LAB_LAUNCH(Distance, distance5<true>), LAB_F32, LAB_NEEDS_SM80},
};

/* For pytorch/cdist.py, through ctypes: rung 4, 5 or 7 on device memory, asynchronous on `stream`. */
extern "C" void distance_rung(int number, const float *x, const float *y, float *out, int M, int N, int D,
                              cudaStream_t stream)
{
    (number == 7 ? distance5<true> : number == 5 ? distance5<false> : distance4)(x, y, NULL, out, M, N, D, stream);
}

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], D = c->dim[2];
    if (M == 0 || N == 0 || D == 0)
        return "M, N and D must be at least 1";
    if (M > 1 << 20 || N > 1 << 20 || M * N > 0x7fffffff || D > 65535)
        return "M and N are at most 1048576, M * N 2147483647, and D 65535";
    lab_input(c, 0, M * D, LAB_F32);
    lab_input(c, 1, N * D, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    c->out_width = N;
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    lab_scratch(c, (M + N + N * D) * sizeof(float));
    c->atol = 1e-3; /* near 0 the root of a cancelled sum is worth no more: sqrt(D 2^-24) */
    return NULL;
}

static void reference(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], D = c->dim[2];
#pragma omp parallel for
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < N; j++)
            c->expect[i * N + j] = lab_sample_row(i, M, (double)N * (double)D)
                                       ? distance_cpu(lab_h_in_f32(c, 0) + i * D, lab_h_in_f32(c, 1) + j * D, D)
                                       : lab_unchecked();
}

static void run(const LabRung *r, LabCase *c)
{
    ((Distance *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), (float *)c->scratch, lab_out_f32(c), (int)c->dim[0],
                            (int)c->dim[1], (int)c->dim[2], c->stream);
}

static double bytes(const LabCase *c) { return 4.0 * (double)(c->in_count[0] + c->in_count[1] + c->out_count); }
static double flops(const LabCase *c) { return 3.0 * (double)c->out_count * (double)c->dim[2]; }

/* The same cloud of points moved away from the origin: distances stay, norms grow, digits cancel. */
static int show(const LabOptions *o)
{
    enum { M = 64, D = 16 };
    float h_x[M * D], h_y[M * D], h_out[M * M], *x, *y, *norms, *out;
    CUDA_CHECK(cudaMalloc(&x, sizeof h_x));
    CUDA_CHECK(cudaMalloc(&y, sizeof h_y));
    CUDA_CHECK(cudaMalloc(&norms, 2 * M * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&out, sizeof h_out));
    Table *t = table_new(">distance from the origin|>direct|>expanded");
    FILE *csv = side_csv(o, "errors", "offset,direct,expanded");
    double direct_worst = 0, expanded_far = 0;
    for (double offset = 0; offset <= 10000; offset = offset ? 10 * offset : 1) {
        for (int i = 0; i < M * D; i++) {
            h_x[i] = (float)(offset + random_uniform(o->seed, (uint64_t)i));
            h_y[i] = (float)(offset + random_uniform(o->seed + 1, (uint64_t)i));
        }
        CUDA_CHECK(cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(y, h_y, sizeof h_y, cudaMemcpyHostToDevice));
        double worst[2] = {0, 0};
        for (int way = 0; way < 2; way++) {
            (way ? distance2 : distance1)(x, y, norms, out, M, M, D, 0);
            CUDA_CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
            for (int i = 0; i < M; i++)
                for (int j = 0; j < M; j++) {
                    double e = distance_cpu(h_x + i * D, h_y + j * D, D), error = fabs(h_out[i * M + j] - e) / e;
                    worst[way] = error > worst[way] || error != error ? error : worst[way];
                }
        }
        table_cell(t, "%g", offset);
        table_cell(t, "%.1e", worst[0]);
        table_cell(t, "%.1e", worst[1]);
        if (csv)
            fprintf(csv, "%g,%.1e,%.1e\n", offset, worst[0], worst[1]);
        direct_worst = fmax(direct_worst, worst[0]);
        expanded_far = worst[1];
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(norms));
    CUDA_CHECK(cudaFree(out));
    lab_close(csv);
    puts("\n    Cancellation: 64 points of 16 coordinates in a cube of side 1, moved away\n"
         "    from the origin. The worst relative error of each form:");
    table_print(t, stdout, 4);
    table_free(t);
    return lab_claim(direct_worst < 1e-5, "the direct form stays exact (%.1e)", direct_worst) +
           lab_claim(expanded_far > 0.1, "the expanded form has lost every digit at 10000 (%.1e)", expanded_far);
}

static const Lab cdist = {
    .order = 4,
    .name = "cdist",
    .title = "one formula, two ways, and where the time goes",
    .look = "Are the distances computed directly, or by expanding the square? Look at the times, then at the\n"
            "profile of rung 2 (./run cdist --profile --rung 2): of its five kernels, one takes most of\n"
            "the time. Then look at the errors: far from the origin the expanded form has no correct digit left.",
    .dims = "M N D",
    .size = "4096x4096x64 8192x8192x64",
    .cpu_size = "512x512x64",
    .test_sizes = "1x1x1 31x33x7 32x32x32 33x17x65 64x100x3 129x260x68 130x131x40",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .show = show,
};
LAB_MAIN(cdist)
