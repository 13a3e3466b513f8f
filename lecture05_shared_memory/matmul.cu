/* Matrix multiplication, C = A B, and the tile width that the compiler must know.
 *
 * A is M x K, B is K x N, C is M x N, all fp32 and row-major. The naive kernel reads every row of A N times and
 * every column of B M times. A block that first brings a tile of each into shared memory reads them from there:
 * TILE times fewer loads from global memory. The lecture's discovery is that this is worth little while the tile width
 * is a variable (on the lecture's GPU it was a loss). The compiler then does not know how often the inner loop runs, and
 * spends more instructions on addresses and branches; we think that these cost much of what fewer loads gain.
 *
 *   rung                       idea                                                            ./run matmul --rung N
 *   1  naive                   one thread per element, all from global memory
 *   2  tile of run-time width  tiles in dynamic shared memory, `tile` a kernel argument
 *   3  static tile             the same lines, the width a constant, static shared memory
 *   4  template 8              the width a template argument, memory still dynamic: one kernel for each width,
 *   5  template 16             chosen by a switch: as fast as static, and the launcher may still choose
 *   6  template 32             the widest that 1024 threads allow
 *   7  cuBLAS                  where the ladder of lecture 14 goes
 */
#include "ceil_div.cuh"
#include "lab.h"
#include "product.h"
#include "vendor.h"

typedef void Matmul(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream);

/* 1: x is the column, so that a warp's 32 loads of B are neighbours. */
__global__ void matmul_kernel1(const float *A, const float *B, float *C, int M, int N, int K)
{
    int m = blockIdx.y * blockDim.y + threadIdx.y;
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= M || n >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += A[(size_t)m * K + k] * B[(size_t)k * N + n];
    C[(size_t)m * N + n] = sum;
}

static void matmul1(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(16, 16), grid(ceil_div(N, 16), ceil_div(M, 16));
    matmul_kernel1<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

/* 2: a block walks along K tile by tile. A thread outside the matrix still loads (a zero) and still meets both
 * barriers: a thread that returned early would leave the others waiting. */
__global__ void matmul_kernel2(const float *A, const float *B, float *C, int M, int N, int K, int tile)
{
    // notes: cut
    extern __shared__ float shared[];
    float *As = shared;               /* tile x tile */
    float *Bs = shared + tile * tile; /* tile x tile: one array, cut in two by hand */
    // notes end
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * tile + ty, n = blockIdx.x * tile + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += tile) {
        As[ty * tile + tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty * tile + tx] = n < N && k0 + ty < K ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads(); /* the tile is complete before anyone reads it */
        for (int k = 0; k < tile; k++)
            sum += As[ty * tile + k] * Bs[k * tile + tx];
        __syncthreads(); /* everyone has read it before anyone overwrites it */
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static void matmul2(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    int tile = 16;
    dim3 block(tile, tile), grid(ceil_div(N, tile), ceil_div(M, tile));
    matmul_kernel2<<<grid, block, 2 * tile * tile * sizeof(float), stream>>>(A, B, C, M, N, K, tile);
}

/* 3: the width is a constant, so the inner loop unrolls into 16 multiply-adds whose addresses are immediates. */
enum { TILE = 16 };

__global__ void matmul_kernel3(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * TILE + ty, n = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty][tx] = n < N && k0 + ty < K ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static void matmul3(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    dim3 block(TILE, TILE), grid(ceil_div(N, TILE), ceil_div(M, TILE));
    matmul_kernel3<<<grid, block, 0, stream>>>(A, B, C, M, N, K);
}

/* 4 to 6: rung 2 with `tile` a template argument. What was slow was not dynamic memory, it was not knowing. */
template <int tile> __global__ void matmul_kernel4(const float *A, const float *B, float *C, int M, int N, int K)
{
    static_assert(tile * tile <= 1024, "a block has at most 1024 threads");
    extern __shared__ float shared[];
    float *As = shared;
    float *Bs = shared + tile * tile;
    int ty = threadIdx.y, tx = threadIdx.x;
    int m = blockIdx.y * tile + ty, n = blockIdx.x * tile + tx;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += tile) {
        As[ty * tile + tx] = m < M && k0 + tx < K ? A[(size_t)m * K + k0 + tx] : 0;
        Bs[ty * tile + tx] = n < N && k0 + ty < K ? B[(size_t)(k0 + ty) * N + n] : 0;
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += As[ty * tile + k] * Bs[k * tile + tx];
        __syncthreads();
    }
    if (m < M && n < N)
        C[(size_t)m * N + n] = sum;
}

static void matmul4(const float *A, const float *B, float *C, int M, int N, int K, int tile, cudaStream_t stream)
{
    dim3 block(tile, tile), grid(ceil_div(N, tile), ceil_div(M, tile));
    size_t bytes = 2 * tile * tile * sizeof(float);
    switch (tile) {
    case 8: matmul_kernel4<8><<<grid, block, bytes, stream>>>(A, B, C, M, N, K); break;
    case 16: matmul_kernel4<16><<<grid, block, bytes, stream>>>(A, B, C, M, N, K); break;
    case 32: matmul_kernel4<32><<<grid, block, bytes, stream>>>(A, B, C, M, N, K); break;
    default: die("matmul4: no kernel for tile width %d", tile);
    }
}

static void matmul_8(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    matmul4(A, B, C, M, N, K, 8, stream);
}
static void matmul_16(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    matmul4(A, B, C, M, N, K, 16, stream);
}
static void matmul_32(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    matmul4(A, B, C, M, N, K, 32, stream);
}

static void matmul_vendor(const float *A, const float *B, float *C, int M, int N, int K, cudaStream_t stream)
{
    vendor_gemm_f32(A, B, C, M, N, K, stream);
}

static const LabRung rungs[] = {
    {1, "naive", LAB_LAUNCH(Matmul, matmul1), LAB_F32, 0, 0},
    {2, "tile of run-time width", LAB_LAUNCH(Matmul, matmul2), LAB_F32, 0, 16},
    {3, "static tile", LAB_LAUNCH(Matmul, matmul3), LAB_F32, 0, 16},
    {4, "template 8", LAB_LAUNCH(Matmul, matmul_8), LAB_F32, 0, 8},
    {5, "template 16", LAB_LAUNCH(Matmul, matmul_16), LAB_F32, 0, 16},
    {6, "template 32", LAB_LAUNCH(Matmul, matmul_32), LAB_F32, 0, 32},
    {7, "cuBLAS", LAB_LAUNCH(Matmul, matmul_vendor), LAB_F32, LAB_VENDOR | LAB_CUDA_ONLY, 0},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 65535u * 8) /* the grid's y is at most 65535 blocks, and the smallest block is 8 rows */
        return "M is at most 524280: rows lie on the grid's y";
    if (N > INT32_MAX || K > INT32_MAX)
        return "N and K must fit 31 bits";
    lab_input(c, 0, M * K, LAB_F32);
    lab_input(c, 1, K * N, LAB_F32);
    lab_output(c, M * N, LAB_F32);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4; /* K rounded additions of terms below 1 */
    c->rtol = 1e-5;
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    ((Matmul *)r->launch)(lab_in_f32(c, 0), lab_in_f32(c, 1), lab_out_f32(c), (int)c->dim[0], (int)c->dim[1],
                          (int)c->dim[2], c->stream);
}

static const Lab lab = {
    .order = 2,
    .name = "matmul",
    .title = "a tile fetched once serves a whole block, if its width is known",
    .look = "Rung 2 loads a sixteenth of what rung 1 loads from global memory, and gains little: we think that its\n"
            "inner loop, which is not unrolled, is why. Rungs 3 and 5 are the same lines with a width that the "
            "compiler knows.",
    .dims = "M N K",
    .size = "5120x5120x256",
    .cpu_size = "320x320x256",
    .test_sizes = "1x1x1 31x33x32 32x32x32 33x31x17 64x48x80 7x130x61 37x1x5 0x5x3 5x0x3 5x7x0",
    .sweep = "5120x5120x32:512:32",
    .cpu_sweep = "256x256x32:512:32",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
};
LAB_MAIN(lab)
