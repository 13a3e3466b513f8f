/* 03_tensor_cores.cuh: the products by mma.sync, on units. (Rungs 3 and 4; before: 02_warp_per_row.cuh.)
 *
 * Rung 2 spends its time on turning bits into numbers. Here an OR does it: 0x4300 is 128 in bf16, whose last bit is
 * worth 1, so a code in the lowest four bits makes it 128 + code. One mask and one OR (a single lop3) make two weights,
 * and one subtraction of 128 + zero leaves code - zero of both, exactly. The scale is the same for a whole group:
 * it multiplies the group's sums.
 *
 * W is mma.sync's operand of 16 rows, x its operand of 8 columns: with one row of x seven eighths of the products are
 * with zeros, which costs nothing, because the memory is the limit. A block has 128 rows of W: with N = 8192 that is 64
 * blocks, half of an H100's multiprocessors.
 *
 * Rung 4 cuts K into parts, one for each block of a cluster, until there are blocks enough; the blocks add
 * each other's sums through shared memory, always in the same order. */
#ifndef W4A16_03_TENSOR_CORES_CUH
#define W4A16_03_TENSOR_CORES_CUH

#include "../../common/hopper.cuh"
#include "problem.cuh"
#include "ptx.cuh"

/* 128 + zero twice, as bf16, from byte i of four zero points. */
__device__ __forceinline__ uint32_t zero_pair(uint32_t zeros, int i)
{
    return __byte_perm(zeros, 0x43, (uint32_t)(0x4040 | i | i << 8));
}

// notes: dequantise
/* A word of eight codes as mma.sync's operand of 16 x 16: code - zero, where `zero` is zero_pair() of rows l / 4 and
 * l / 4 + 8. */
__device__ __forceinline__ void unpack_codes(uint32_t word, const uint32_t zero[2], uint32_t a[4])
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint32_t bits; /* two of 128 + code: (word >> 4 i & 0x000f000f) | 0x43004300, two instructions in C */
        asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(bits) : "r"(word >> 4 * i), "r"(0x000f000fu), "r"(0x43004300u));
        __nv_bfloat162 biased, bias;
        memcpy(&biased, &bits, 4);
        memcpy(&bias, &zero[i % 2], 4);
        const __nv_bfloat162 code = __hsub2(biased, bias);
        memcpy(&a[i], &code, 4);
    }
}
// notes end

/* acc += scale * part for the four rows of a lane: rows l / 4, + 8 of strip 0, then of strip 1. */
template <int NT>
__device__ __forceinline__ void add_group(float (&acc)[2][NT][4], const float (&part)[2][NT][4], uint2 scales)
{
    const uint32_t two[2] = {scales.x, scales.y};
#pragma unroll
    for (int s = 0; s < 2; s++) {
        const float low = __uint_as_float(two[s] << 16), high = __uint_as_float(two[s] & 0xffff0000u);
#pragma unroll
        for (int n = 0; n < NT; n++) {
            acc[s][n][0] += low * part[s][n][0];
            acc[s][n][1] += low * part[s][n][1];
            acc[s][n][2] += high * part[s][n][2];
            acc[s][n][3] += high * part[s][n][3];
        }
    }
}

/* The sums of a block on their way to y: [copy][row of x][row of W], with gaps against bank conflicts.
 */
enum { SUM_ROW = UNIT_ROWS + 4 };
template <int NT> __device__ __forceinline__ void leave_sums(float *sums, const float (&acc)[2][NT][4])
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, copy = warp / SET_WARPS * 2 + warp % 2;
    sums += copy * NT * 8 * SUM_ROW + warp % SET_WARPS / 2 * 32;
#pragma unroll
    for (int s = 0; s < 2; s++)
#pragma unroll
        for (int n = 0; n < NT; n++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                sums[(n * 8 + lane % 4 * 2 + e % 2) * SUM_ROW + s * 16 + e / 2 * 8 + lane / 4] = acc[s][n][e];
}

__device__ __forceinline__ float4 sums_of_block(const float *sums, int at, int rank)
{
    uint32_t there;
    float4 v;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(sums + at)), "r"(rank));
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(there)
                 : "memory");
    return v;
}

/* All threads of the block, after a barrier of the cluster (of the block, for one part): each block of the cluster
 * writes its share of the tile's columns of y, four at a time. */
template <int NT, bool PARTS>
__device__ __forceinline__ void store_sums(const W4a16 &p, const float *sums, int n0, int m0, int rank, int parts)
{
    const int fours = UNIT_ROWS / 4 / parts, rows = min(NT * 8, p.M - m0);
    for (int i = threadIdx.x; i < rows * fours; i += blockDim.x) {
        const int m = i / fours, r = (rank * fours + i % fours) * 4;
        float4 sum = {0, 0, 0, 0};
#pragma unroll 2
        for (int part = 0; part < parts; part++) {
            float4 v[COPIES];
#pragma unroll
            for (int copy = 0; copy < COPIES; copy++) {
                const int at = (copy * NT * 8 + m) * SUM_ROW + r;
                v[copy] = PARTS ? sums_of_block(sums, at, part) : *(const float4 *)(sums + at);
            }
#pragma unroll
            for (int copy = 0; copy < COPIES; copy++) {
                sum.x += v[copy].x, sum.y += v[copy].y;
                sum.z += v[copy].z, sum.w += v[copy].w;
            }
        }
        const float four[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (n0 + r + e < p.N)
                p.y[(size_t)(m0 + m) * p.N + n0 + r + e] = __float2bfloat16(four[e]);
    }
}

/* NT: eights of rows of x. */
template <int NT, bool PARTS> __global__ void __launch_bounds__(WARPS * 32) w4a16_kernel3(W4a16 p, int parts)
{
#ifdef HOPPER_CODE
    extern __shared__ __align__(16) float w4a16_sums[]; /* COPIES * NT * 8 * SUM_ROW */
    const int set = threadIdx.x / 32 / SET_WARPS, warp = threadIdx.x / 32 % SET_WARPS, lane = threadIdx.x % 32,
              rank = PARTS ? (int)cluster_rank() : 0;
    const int n0 = blockIdx.x / parts * UNIT_ROWS, m0 = blockIdx.y * NT * 8, groups = p.K / GROUP;
    const int begin = groups * rank / parts, end = groups * (rank + 1) / parts;
    const uint8_t *units = p.units + (size_t)(n0 / UNIT_ROWS) * groups * UNIT_BYTES;
    float acc[2][NT][4] = {};
    for (int g = begin + set; g < end; g += SETS) {
        const uint8_t *unit = units + (size_t)g * UNIT_BYTES;
        const uint4 words[2] = {((const uint4 *)unit)[warp * 64 + lane], ((const uint4 *)unit)[warp * 64 + 32 + lane]};
        const uint32_t word[2][4] = {{words[0].x, words[0].y, words[0].z, words[0].w},
                                     {words[1].x, words[1].y, words[1].z, words[1].w}}; /* [strip][step] */
        const int rows = warp / 2 * 32 + lane / 4 * 4;
        const uint2 scales = *(const uint2 *)(unit + CODE_BYTES + rows * 2);
        const uint32_t zeros = *(const uint32_t *)(unit + CODE_BYTES + SCALE_BYTES + rows);
        float part[2][NT][4] = {};
#pragma unroll
        for (int step = 0; step < 4; step++) {
            uint32_t b[NT][2];
#pragma unroll
            for (int n = 0; n < NT; n++) {
                const int m = m0 + n * 8 + lane / 4;
                const size_t at = (size_t)m * p.K + g * GROUP + warp % 2 * 64 + step * 16 + lane % 4 * 2;
                b[n][0] = m < p.M ? *(const uint32_t *)(p.x + at) : 0;
                b[n][1] = m < p.M ? *(const uint32_t *)(p.x + at + 8) : 0;
            }
#pragma unroll
            for (int s = 0; s < 2; s++) {
                const uint32_t zero[2] = {zero_pair(zeros, 2 * s), zero_pair(zeros, 2 * s + 1)};
                uint32_t a[4];
                unpack_codes(word[s][step], zero, a);
#pragma unroll
                for (int n = 0; n < NT; n++)
                    mma_m16n8k16_bf16(part[s][n], a, b[n]);
            }
        }
        add_group<NT>(acc, part, scales);
    }
    leave_sums<NT>(w4a16_sums, acc);
    if (PARTS)
        cluster_sync();
    else
        __syncthreads();
    store_sums<NT, PARTS>(p, w4a16_sums, n0, m0, rank, parts);
    if (PARTS)
        cluster_sync(); /* no block leaves while another one reads its sums */
#endif
}

/* How many parts of K: a power of two, at most 8 (a cluster), while all blocks still run at the same time. */
static inline int w4a16_parts(const W4a16 *p, int multiprocessors)
{
    const int blocks = (p->N + UNIT_ROWS - 1) / UNIT_ROWS, groups = p->K / GROUP;
    int parts = 1;
    while (parts < 8 && blocks * parts * 2 <= multiprocessors && parts * 2 <= groups)
        parts *= 2;
    return parts;
}

/* What a launch on clusters of `parts` blocks needs. */
typedef struct Clusters {
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute;
} Clusters;
static inline void clusters_of(Clusters *c, const W4a16 *p, int rows, int parts, int threads, size_t bytes,
                               cudaStream_t stream)
{
    *c = Clusters{};
    c->attribute.id = cudaLaunchAttributeClusterDimension;
    c->attribute.val.clusterDim.x = (unsigned)parts;
    c->attribute.val.clusterDim.y = c->attribute.val.clusterDim.z = 1;
    c->config.gridDim =
        dim3((unsigned)((p->N + UNIT_ROWS - 1) / UNIT_ROWS * parts), (unsigned)((p->M + rows - 1) / rows));
    c->config.blockDim = dim3((unsigned)threads);
    c->config.dynamicSmemBytes = bytes;
    c->config.stream = stream;
    c->config.attrs = &c->attribute;
    c->config.numAttrs = 1;
}

template <int NT, bool PARTS> static void w4a16_3_launch(const W4a16 *p, int parts, cudaStream_t stream)
{
    const int bytes = (int)sizeof(float) * COPIES * NT * 8 * SUM_ROW;
    const auto kernel = w4a16_kernel3<NT, PARTS>;
    Clusters c;
    clusters_of(&c, p, NT * 8, parts, WARPS * 32, (size_t)bytes, stream);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_CHECK(cudaLaunchKernelEx(&c.config, kernel, *p, parts));
}
template <bool PARTS> static void w4a16_by_rows(const W4a16 *p, int parts, cudaStream_t stream)
{
    p->M <= 8    ? w4a16_3_launch<1, PARTS>(p, parts, stream)
    : p->M <= 16 ? w4a16_3_launch<2, PARTS>(p, parts, stream)
                 : w4a16_3_launch<4, PARTS>(p, parts, stream);
}
static const char *w4a16_3(const W4a16 *p, cudaStream_t stream)
{
    w4a16_by_rows<false>(p, 1, stream);
    return NULL;
}
static const char *w4a16_4(const W4a16 *p, cudaStream_t stream)
{
    w4a16_by_rows<true>(p, w4a16_parts(p, device_multiprocessors()), stream);
    return NULL;
}

#endif
