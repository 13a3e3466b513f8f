/* matrix.h: products of matrices, for ptx_cost.cu: C (M x N, float) = A (M x K) times the transpose of B (N x K), both
 * bf16 by rows, of small integers, so that sums are exact in any order. In CUDA C the same threads compute the same elements
 * by a loop over K, from where the other kernel's operands lie: global or shared memory. */
#include <mma.h>

enum { M = 128, N = 128, K = 256 };
typedef uint16_t bf16; /* its bits */

static __host__ __device__ inline float number(bf16 x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void make_matrix(Words &in)
{
    in.resize((M + N) * K / 2);
    for (size_t i = 0; i < in.size(); i++) {
        static const uint32_t small[] = {0, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4040, 0, 0x3f80};
        in[i] = small[mix((uint32_t)i) % 8] | small[mix((uint32_t)i + 1000003u) % 8] << 16;
    }
}
static void want_matrix(Words &out, const Words &in)
{
    const bf16 *A = (const bf16 *)in.data(), *B = A + M * K;
    out.resize(M * N);
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += number(A[m * K + k]) * number(B[n * K + k]);
            memcpy(&out[m * N + n], &sum, sizeof sum);
        }
}

static __device__ inline float dot(const bf16 *a, const bf16 *b, int length)
{
    float sum = 0;
    for (int k = 0; k < length; k++)
        sum += number(a[k]) * number(b[k]);
    return sum;
}

/* Launches: the same input, as matrices. */
#define PRODUCT(name, kernel, grid, threads)                                                                           \
    static void name(uint32_t *out, const uint32_t *in)                                                                \
    {                                                                                                                  \
        kernel<<<grid, threads>>>((float *)out, (const bf16 *)in, (const bf16 *)in + M * K);                           \
    }

/* ---- mma.sync: a warp computes 16 x 8 elements, operands from global memory; four warps a block ---- */

#define MMA(d, a0, a1, a2, a3, b0, b1)                                                                                 \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "  \
                 "{%0, %1, %2, %3};"                                                                                   \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                      \
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))

/* Lane 4 g + t has rows g and g + 8, columns 2 t and 2 t + 1. */
static __device__ inline void put(float *C, int row, int col, const float *d)
{
    const int g = (int)threadIdx.x % 32 / 4, t = (int)threadIdx.x % 4;
    for (int i = 0; i < 4; i++)
        C[(row + g + 8 * (i / 2)) * N + col + 2 * t + i % 2] = d[i];
}

static __global__ void mma_kernel_c(float *C, const bf16 *A, const bf16 *B)
{
    const int g = (int)threadIdx.x % 32 / 4, t = (int)threadIdx.x % 4;
    const int row = (int)blockIdx.y * 16, col = (int)blockIdx.x * 32 + (int)threadIdx.x / 32 * 8;
    float d[4];
    for (int i = 0; i < 4; i++)
        d[i] = dot(A + (row + g + 8 * (i / 2)) * K, B + (col + 2 * t + i % 2) * K, K);
    put(C, row, col, d);
}

static __global__ void mma_kernel_ptx(float *C, const bf16 *A, const bf16 *B)
{
    const int g = (int)threadIdx.x % 32 / 4, t = (int)threadIdx.x % 4;
    const int row = (int)blockIdx.y * 16, col = (int)blockIdx.x * 32 + (int)threadIdx.x / 32 * 8;
    float d[4] = {};
    for (int k = 0; k < K; k += 16) {
        const uint32_t *a = (const uint32_t *)(A + (row + g) * K + k) + t, *a8 = a + 8 * K / 2;
        const uint32_t *b = (const uint32_t *)(B + (col + g) * K + k) + t;
        MMA(d, a[0], a8[0], a[4], a8[4], b[0], b[4]);
    }
    put(C, row, col, d);
}

PRODUCT(mma_c, mma_kernel_c, dim3(N / 32, M / 16), 128)
PRODUCT(mma_ptx, mma_kernel_ptx, dim3(N / 32, M / 16), 128)

/* ---- ldmatrix and mma.sync: tiles of 64 of K in shared memory, rows padded by 16 bytes ---- */

enum { TILE_K = 64, PADDED = TILE_K + 8 };

/* `rows` rows from `row` on of X, the 64 columns from k on; by all 128 threads. */
static __device__ inline void stage(bf16 *tile, const bf16 *X, int row, int k, int rows)
{
    for (int i = (int)threadIdx.x; i < rows * 8; i += 128)
        *(uint4 *)(tile + i / 8 * PADDED + i % 8 * 8) = *(const uint4 *)(X + (row + i / 8) * K + k + i % 8 * 8);
}

static __global__ void ldmatrix_kernel_c(float *C, const bf16 *A, const bf16 *B)
{
    __shared__ __align__(16) bf16 a[16 * PADDED], b[32 * PADDED];
    const int g = (int)threadIdx.x % 32 / 4, t = (int)threadIdx.x % 4, warp = (int)threadIdx.x / 32 * 8;
    float d[4] = {};
    for (int k = 0; k < K; k += TILE_K) {
        stage(a, A, (int)blockIdx.y * 16, k, 16);
        stage(b, B, (int)blockIdx.x * 32, k, 32);
        __syncthreads();
        for (int i = 0; i < 4; i++)
            d[i] += dot(a + (g + 8 * (i / 2)) * PADDED, b + (warp + 2 * t + i % 2) * PADDED, TILE_K);
        __syncthreads();
    }
    put(C, (int)blockIdx.y * 16, (int)blockIdx.x * 32 + warp, d);
}

static __global__ void ldmatrix_kernel_ptx(float *C, const bf16 *A, const bf16 *B)
{
    __shared__ __align__(16) bf16 a[16 * PADDED], b[32 * PADDED];
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32 * 8;
    /* Lanes 0 to 7, 8 to 15, ... give the rows of A's four matrices; lanes 0 to 15 those of B's two. */
    const uint32_t a_row = shared_address(a + lane % 16 * PADDED + lane / 16 * 8);
    const uint32_t b_row = shared_address(b + (warp + lane % 8) * PADDED + lane / 8 % 2 * 8);
    float d[4] = {};
    for (int k = 0; k < K; k += TILE_K) {
        stage(a, A, (int)blockIdx.y * 16, k, 16);
        stage(b, B, (int)blockIdx.x * 32, k, 32);
        __syncthreads();
        for (int j = 0; j < TILE_K; j += 16) {
            uint32_t fa[4], fb[2];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                         : "r"(a_row + 2 * j)
                         : "memory");
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                         : "=r"(fb[0]), "=r"(fb[1])
                         : "r"(b_row + 2 * j)
                         : "memory");
            MMA(d, fa[0], fa[1], fa[2], fa[3], fb[0], fb[1]);
        }
        __syncthreads();
    }
    put(C, (int)blockIdx.y * 16, (int)blockIdx.x * 32 + warp, d);
}

PRODUCT(ldmatrix_c, ldmatrix_kernel_c, dim3(N / 32, M / 16), 128)
PRODUCT(ldmatrix_ptx, ldmatrix_kernel_ptx, dim3(N / 32, M / 16), 128)

/* ---- wmma: a warp computes 16 x 16 elements by CUDA's fragments ---- */

static __global__ void wmma_kernel_c(float *C, const bf16 *A, const bf16 *B)
{
    const int row = (int)blockIdx.y * 16 + (int)threadIdx.x % 32 / 2;
    const int col = (int)blockIdx.x * 64 + (int)threadIdx.x / 32 * 16 + (int)threadIdx.x % 2 * 8;
    for (int i = 0; i < 8; i++)
        C[row * N + col + i] = dot(A + row * K, B + (col + i) * K, K);
}

static __global__ void wmma_kernel(float *C, const bf16 *A, const bf16 *B)
{
    using namespace nvcuda;
    const int row = (int)blockIdx.y * 16, col = (int)blockIdx.x * 64 + (int)threadIdx.x / 32 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
    wmma::fill_fragment(d, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, (const __nv_bfloat16 *)A + row * K + k, K);
        wmma::load_matrix_sync(b, (const __nv_bfloat16 *)B + col * K + k, K);
        wmma::mma_sync(d, a, b, d);
    }
    wmma::store_matrix_sync(C + row * N + col, d, N, wmma::mem_row_major);
}

PRODUCT(wmma_c, wmma_kernel_c, dim3(N / 64, M / 16), 128)
PRODUCT(wmma_fragments, wmma_kernel, dim3(N / 64, M / 16), 128)

/* ---- wgmma: a warpgroup computes 64 x 32 elements from tiles of 64 of K in shared memory ---- */

/* 8 x 8 core matrices of 128 bytes, the eight of 64 of K one after the other. */
static __device__ inline void stage_cores(bf16 *tile, const bf16 *X, int row, int k, int rows)
{
    for (int i = (int)threadIdx.x; i < rows * 8; i += 128)
        *(uint4 *)(tile + i / 64 * 512 + i % 8 * 64 + i / 8 % 8 * 8) =
            *(const uint4 *)(X + (row + i / 8) * K + k + i % 8 * 8);
}

static __device__ inline uint64_t core_descriptor(const bf16 *tile, int k)
{
    const uint32_t leading = 128, stride = 1024; /* bytes to the next 8 of K, to the next 8 rows */
    return (uint64_t)((shared_address(tile) + (uint32_t)k / 8 * leading) >> 4 & 0x3fff) |
           (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32;
}

/* Register i of lane 4 g + t of warp w: row 16 w + g + 8 (i / 2 % 2), column 8 (i / 4) + 2 t + i % 2. */
static __device__ inline int wgmma_row(int i)
{
    return (int)threadIdx.x / 32 * 16 + (int)threadIdx.x % 32 / 4 + 8 * (i / 2 % 2);
}
static __device__ inline int wgmma_col(int i) { return 8 * (i / 4) + 2 * ((int)threadIdx.x % 4) + i % 2; }

static __global__ void wgmma_kernel_c(float *C, const bf16 *A, const bf16 *B)
{
    __shared__ __align__(16) bf16 a[64 * PADDED], b[32 * PADDED];
    float d[16] = {};
    for (int k = 0; k < K; k += TILE_K) {
        stage(a, A, (int)blockIdx.y * 64, k, 64);
        stage(b, B, (int)blockIdx.x * 32, k, 32);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            d[i] += dot(a + wgmma_row(i) * PADDED, b + wgmma_col(i) * PADDED, TILE_K);
        __syncthreads();
    }
    for (int i = 0; i < 16; i++)
        C[((int)blockIdx.y * 64 + wgmma_row(i)) * N + (int)blockIdx.x * 32 + wgmma_col(i)] = d[i];
}

static __global__ void wgmma_kernel_ptx(float *C, const bf16 *A, const bf16 *B)
{
#ifdef HOPPER_CODE
    __shared__ __align__(128) bf16 a[64 * TILE_K], b[32 * TILE_K];
    float d[16] = {};
    for (int k = 0; k < K; k += TILE_K) {
        stage_cores(a, A, (int)blockIdx.y * 64, k, 64);
        stage_cores(b, B, (int)blockIdx.x * 32, k, 32);
        fence_proxy_async();
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int j = 0; j < TILE_K; j += 16)
            asm volatile(
                "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
                "%10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, 0, 0;\n}"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                : "l"(core_descriptor(a, j)), "l"(core_descriptor(b, j))
                : "memory");
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 16; i++)
        C[((int)blockIdx.y * 64 + wgmma_row(i)) * N + (int)blockIdx.x * 32 + wgmma_col(i)] = d[i];
#else
    (void)C, (void)A, (void)B;
#endif
}

PRODUCT(wgmma_c, wgmma_kernel_c, dim3(N / 32, M / 64), 128)
PRODUCT(wgmma_ptx, wgmma_kernel_ptx, dim3(N / 32, M / 64), 128)
