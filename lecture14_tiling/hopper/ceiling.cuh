/* ceiling.cuh: how fast can wgmma go at all? The main loop of the ring kernels with everything else left out: two
 * warpgroups multiply the same tiles again and again (LOADS = 0), or a producer fetches fresh tiles beside them through
 * a ring, at the addresses a product of 16 x 9 tiles would use (LOADS = 1), alone or as a cluster of CM blocks that
 * share B's tile by multicast. Nothing is stored but a sum, so that the compiler keeps the work.
 *
 * Reported are cycles of the multiprocessor for each wgmma, which do not depend on the clock, and TFLOP/s, which do. */
#ifndef HOPPER_CEILING_CUH
#define HOPPER_CEILING_CUH

#include <cuda_bf16.h>
#include <stdlib.h>

#include "../../common/device.h"
#include "../../common/error.h"
#include "../../common/hopper.cuh"

/* What the operands hold. The tensor cores' power depends on how many bits change from one product to the next. */
enum CeilingData { CEILING_RANDOM, CEILING_CONSTANT, CEILING_ZEROS };

typedef struct Ceiling {
    double cycles; /* per wgmma, on the multiprocessor */
    double tflops; /* after the clock has settled */
    double mhz;    /* cycles over time */
} Ceiling;

__global__ void ceiling_fill(__nv_bfloat16 *p, size_t count, int data)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    const float random = (float)((z ^ z >> 31) >> 40) * (2.0f / 16777216.0f) - 1;
    p[i] = __float2bfloat16(data == CEILING_RANDOM ? random : data == CEILING_CONSTANT ? 0.5f : 0.0f);
}

/* A from registers instead of shared memory: only here, to see what it would be worth. */
template <int N> struct WgmmaFromRegisters;
#define WGMMA_FROM_REGISTERS(N, REGS, OUT, A0, A1, A2, A3, B)                                                          \
    template <> struct WgmmaFromRegisters<N> {                                                                         \
        static __device__ __forceinline__ void run(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b)              \
        {                                                                                                              \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" REGS "}, {%" #A0 ", %" #A1       \
                         ", %" #A2 ", %" #A3 "}, %" #B ", 1, 1, 1, 0;"                                                 \
                         : OUT("+f", d, 0)                                                                             \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                                        \
        }                                                                                                              \
    };
WGMMA_FROM_REGISTERS(64, WGMMA_R32, WGMMA_O32, 32, 33, 34, 35, 36)
WGMMA_FROM_REGISTERS(128, WGMMA_R64, WGMMA_O64, 64, 65, 66, 67, 68)
WGMMA_FROM_REGISTERS(192, WGMMA_R96, WGMMA_O96, 96, 97, 98, 99, 100)
WGMMA_FROM_REGISTERS(256, WGMMA_R128, WGMMA_O128, 128, 129, 130, 131, 132)

/* The same for the sparse instruction. */
template <int N> struct WgmmaSparseFromRegisters;
#define WGMMA_SPARSE_FROM_REGISTERS(N, REGS, OUT, A0, A1, A2, A3, B, META)                                             \
    template <> struct WgmmaSparseFromRegisters<N> {                                                                   \
        static __device__ __forceinline__ void run(float (&d)[N / 2], const uint32_t (&a)[4], uint64_t b,              \
                                                   uint32_t meta)                                                      \
        {                                                                                                              \
            asm volatile("wgmma.mma_async.sp.sync.aligned.m64n" #N "k32.f32.bf16.bf16 {" REGS "}, {%" #A0 ", %" #A1    \
                         ", %" #A2 ", %" #A3 "}, %" #B ", %" #META ", 0, 1, 1, 1, 0;"                                  \
                         : OUT("+f", d, 0)                                                                             \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(meta));                             \
        }                                                                                                              \
    };
WGMMA_SPARSE_FROM_REGISTERS(192, WGMMA_R96, WGMMA_O96, 96, 97, 98, 99, 100, 101)
WGMMA_SPARSE_FROM_REGISTERS(256, WGMMA_R128, WGMMA_O128, 128, 129, 130, 131, 132, 133)

/* Where A is: read by the instruction from shared memory, in registers from the beginning, or brought into registers a
 * round ahead, by ldmatrix from shared memory or by ordinary loads from global memory. */
enum { CEILING_A_SHARED, CEILING_A_REGISTERS, CEILING_A_LDMATRIX, CEILING_A_GLOBAL };

/* A's fragments of a round, for one warpgroup: 16 bytes per thread and instruction. */
template <int FROM, int COUNT>
__device__ __forceinline__ void ceiling_fragments(uint32_t (&a)[COUNT][4], uint32_t smem, const uint4 *global)
{
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (FROM == CEILING_A_LDMATRIX)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                         : "r"(smem + (i * 128 + threadIdx.x % 128) * 16));
        else if (FROM == CEILING_A_GLOBAL)
            asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                         : "l"(global + i * 128));
}

enum { CEILING_GROUPS = 2, CEILING_STEPS = 64, CEILING_ROUNDS = 4000 }; /* STEPS: of K, then again from the first */

/* A warpgroup's tile is 64 MI x N NI. */
template <int N, int MI, int SPARSE, int NI = 1> struct CeilingShape {
    enum {
        A_ROW = SPARSE ? 64 : 128,
        BM = CEILING_GROUPS * MI * 64,
        A_BYTES = BM * A_ROW,
        B_BYTES = NI * N * 128,
        STAGES = 200 * 1024 / (A_BYTES + B_BYTES),
        SMEM = 1024 + STAGES * (A_BYTES + B_BYTES) + 16 * STAGES,
        PER_ROUND = (SPARSE ? 2 : 4) * MI * NI, /* wgmma a warpgroup issues in a round */
    };
};

template <int N, int MI, int SPARSE, int FROM_REGISTERS, int LOADS, int CM, int NI>
__global__ void HOPPER_CLUSTER(CM) __launch_bounds__((CEILING_GROUPS + 1) * 128, 1)
    ceiling_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   const uint4 *fragments, long long *cycles, float *out)
{
#ifdef HOPPER_CODE
    using S = CeilingShape<N, MI, SPARSE, NI>;
    static_assert(MI == 1 || NI == 1, "sums of one or the other");
    constexpr bool AHEAD = FROM_REGISTERS >= CEILING_A_LDMATRIX; /* two sets of registers, in turn */
    extern __shared__ uint8_t raw[];
    const uint32_t a_smem = (shared_address(raw) + 1023) & ~1023u, b_smem = a_smem + S::STAGES * S::A_BYTES;
    const uint32_t full = b_smem + S::STAGES * S::B_BYTES, empty = full + 8 * S::STAGES;
    const int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0), t = threadIdx.x % 128;
    const uint32_t rank = CM > 1 ? cluster_rank() : 0;
    if (threadIdx.x == 0) {
        for (int s = 0; s < S::STAGES; s++) {
            mbarrier_init(full + 8 * s, 1);
            mbarrier_init(empty + 8 * s, CEILING_GROUPS * CM);
        }
        mbarrier_init_fence();
    }
    if (CM > 1)
        cluster_sync();
    else
        __syncthreads();

    if (group == CEILING_GROUPS) {
        registers_give<24>();
        if (t == 0) {
            const int row = blockIdx.x / CM % (16 / CM) * CM + rank, col = blockIdx.x / 16 % 9;
            int slot = 0;
            uint32_t parity = 1;
            for (int i = 0; i < (LOADS ? CEILING_ROUNDS : 1); i++) {
                const int k = i % CEILING_STEPS;
                const uint32_t bar = full + 8 * slot, b = b_smem + slot * S::B_BYTES;
                mbarrier_wait(empty + 8 * slot, parity);
                mbarrier_arrive_expect(bar, S::A_BYTES + S::B_BYTES);
                tma_load(a_smem + slot * S::A_BYTES, &map_a, k * (S::A_ROW / 2), row * S::BM, bar);
                for (int ni = 0; ni < NI; ni++)
                    if (CM == 1 || !LOADS)
                        tma_load(b + ni * (N * 128), &map_b, k * 64, (col * NI + ni) * N, bar);
                    else
                        tma_load_multicast(b + (ni * CM + rank) * (N / CM * 128), &map_b, k * 64,
                                           (col * NI + ni) * N + rank * (N / CM), bar, (uint16_t)((1u << CM) - 1));
                if (++slot == S::STAGES) {
                    slot = 0;
                    parity ^= 1;
                }
            }
        }
    } else {
        registers_take<240>();
        float acc[MI * NI][N / 2];
        int slot = 0, last = 0;
        uint32_t parity = 0, from[AHEAD ? 2 : 1][SPARSE ? 2 : 1][4] = {
                                 {{0x3f803f80u + threadIdx.x, 0x3f003f00u + threadIdx.x, 0xbf803f80u, 0x3f80bf00u}}};
        static_assert(!AHEAD || (SPARSE && MI == 1), "fragments are brought for two sparse instructions a round");
        const uint4 *mine = fragments + (size_t)blockIdx.x % 16 * CEILING_STEPS * (2 * CEILING_GROUPS * 128) +
                            group * 256 + t; /* 2 KB for each instruction */
        mbarrier_wait(full, 0);
        if constexpr (AHEAD)
            ceiling_fragments<FROM_REGISTERS>(from[0], a_smem + group * (MI * 64 * S::A_ROW), mine);
        if (FROM_REGISTERS)
#pragma unroll
            for (int mi = 0; mi < MI * NI; mi++)
#pragma unroll
                for (int i = 0; i < N / 2; i++)
                    acc[mi][i] = 0;
        const long long begin = clock64();
        for (int pair = 0; pair < CEILING_ROUNDS; pair += AHEAD ? 2 : 1)
#pragma unroll
            for (int set = 0; set < (AHEAD ? 2 : 1); set++) {
                const int i = pair + set;
                if (LOADS)
                    mbarrier_wait(full + 8 * slot, parity);
                const uint32_t a_here = a_smem + slot * S::A_BYTES + group * (MI * 64 * S::A_ROW);
                const uint64_t a = wgmma_descriptor(a_here, S::A_ROW);
                const uint64_t b = wgmma_descriptor(b_smem + slot * S::B_BYTES, 128);
                wgmma_fence();
#pragma unroll
                for (int kk = 0; kk < (SPARSE ? 2 : 4); kk++)
#pragma unroll
                    for (int mi = 0; mi < MI * NI; mi++) {
                        const uint64_t a_part = a + (NI > 1 ? 0 : mi) * (64 * S::A_ROW / 16) + kk * 2;
                        const uint64_t b_part = b + (NI > 1 ? mi : 0) * (N * 128 / 16) + kk * 4;
                        if constexpr (SPARSE && FROM_REGISTERS)
                            WgmmaSparseFromRegisters<N>::run(acc[mi], from[set][kk], b_part, 0x44444444u);
                        else if constexpr (SPARSE)
                            WgmmaSparse<Bf16, N, 0>::run(acc[mi], a_part, b_part, 0x44444444u, i | kk);
                        else if constexpr (FROM_REGISTERS)
                            WgmmaFromRegisters<N>::run(acc[mi], from[0][0], b + kk * 2);
                        else
                            Wgmma<Bf16, N>::run(acc[mi], a_part, b + kk * 2, i | kk);
                    }
                wgmma_commit();
                wgmma_wait<1>();
                if constexpr (AHEAD)
                    ceiling_fragments<FROM_REGISTERS>(from[set ^ 1], a_here,
                                                      mine + (i + 1) % CEILING_STEPS * (2 * CEILING_GROUPS * 128));
                if (LOADS) {
                    if (i > 0) {
                        if (CM == 1) {
                            if (t == 0)
                                mbarrier_arrive(empty + 8 * last);
                        } else if (t < CM)
                            mbarrier_arrive_cluster(empty + 8 * last, t);
                    }
                    last = slot;
                    if (++slot == S::STAGES) {
                        slot = 0;
                        parity ^= 1;
                    }
                }
            }
        wgmma_wait<0>();
        const long long end = clock64();
#pragma unroll
        for (int mi = 0; mi < MI * NI; mi++)
            wgmma_pin(acc[mi]);
        float sum = 0;
#pragma unroll
        for (int mi = 0; mi < MI * NI; mi++)
#pragma unroll
            for (int i = 0; i < N / 2; i++)
                sum += acc[mi][i];
        out[(size_t)blockIdx.x * CEILING_GROUPS * 128 + threadIdx.x] = sum;
        if (threadIdx.x == 0)
            cycles[blockIdx.x] = end - begin;
    }
    if (CM > 1)
        cluster_sync();
#endif
}

/* How many clusters of CM blocks, one block per multiprocessor, the GPU holds at one time: a cluster is within one
 * group of multiprocessors (GPC), and those groups are not all of one size. */
template <int CM> static int ceiling_clusters(void)
{
    using S = CeilingShape<256, 1, 0>;
    auto kernel = ceiling_kernel<256, 1, 0, 0, 1, CM, 1>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SMEM));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = CM;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)whole_clusters(device_multiprocessors(), CM));
    config.blockDim = dim3((CEILING_GROUPS + 1) * 128);
    config.dynamicSmemBytes = S::SMEM;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
    return clusters;
}

/* Launches a variant for `seconds`, until there are `most` runs; fills in each run's time and returns how many it made. */
template <class Launch> static int ceiling_time(double seconds, float *ms, int most, Launch launch)
{
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    double spent_ms = 0;
    int runs = 0;
    while (spent_ms < 1e3 * seconds && runs < most) {
        CUDA_CHECK(cudaEventRecord(start));
        launch();
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaEventSynchronize(stop));
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventElapsedTime(&ms[runs], start, stop));
        spent_ms += ms[runs++];
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return runs;
}

/* Sorts the values and returns the middle one. */
template <class T> static T ceiling_median(T *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, [](const void *x, const void *y) {
        return (*(const T *)x > *(const T *)y) - (*(const T *)x < *(const T *)y);
    });
    return values[count / 2];
}

/* Runs one variant for `seconds` and returns what the second half of the runs measured. */
template <int N, int MI, int SPARSE, int FROM_REGISTERS, int LOADS, int CM, int NI = 1>
static Ceiling ceiling_run(CeilingData data, double seconds)
{
    using S = CeilingShape<N, MI, SPARSE, NI>;
    enum { MAX_BLOCKS = 1024, MAX_RUNS = 4096 };
    const int blocks = whole_clusters(device_multiprocessors(), CM); /* one per multiprocessor */
    if (blocks > MAX_BLOCKS)
        die("more than %d multiprocessors", (int)MAX_BLOCKS);
    const int k_a = CEILING_STEPS * S::A_ROW / 2, k_b = CEILING_STEPS * 64;
    const size_t count_a = (size_t)16 * S::BM * k_a, count_b = (size_t)9 * NI * N * k_b;
    static float ms[MAX_RUNS];
    __nv_bfloat16 *A, *B;
    long long *d_cycles, cycles[MAX_BLOCKS];
    float *out;
    CUtensorMap a, b;
    CUDA_CHECK(cudaMalloc((void **)&A, 2 * count_a));
    CUDA_CHECK(cudaMalloc((void **)&B, 2 * count_b));
    CUDA_CHECK(cudaMalloc((void **)&d_cycles, sizeof cycles));
    CUDA_CHECK(cudaMalloc((void **)&out, sizeof(float) * blocks * CEILING_GROUPS * 128));
    ceiling_fill<<<(unsigned)((count_a + 255) / 256), 256>>>(A, count_a, data);
    ceiling_fill<<<(unsigned)((count_b + 255) / 256), 256>>>(B, count_b, data);
    const char *why =
        tensor_map_2d(&a, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, A, 16 * S::BM, k_a, k_a, S::BM, S::A_ROW / 2, S::A_ROW);
    if (!why)
        why = tensor_map_2d(&b, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, B, 9 * NI * N, k_b, k_b, LOADS ? N / CM : N, 64,
                            128);
    if (why)
        die("%s", why);
    auto kernel = ceiling_kernel<N, MI, SPARSE, FROM_REGISTERS, LOADS, CM, NI>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SMEM));
    const int runs = ceiling_time(seconds, ms, MAX_RUNS, [&] {
        kernel<<<blocks, (CEILING_GROUPS + 1) * 128, S::SMEM>>>(a, b, (const uint4 *)A, d_cycles, out);
    });
    CUDA_CHECK(cudaMemcpy(cycles, d_cycles, sizeof *cycles * blocks, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(A));
    CUDA_CHECK(cudaFree(B));
    CUDA_CHECK(cudaFree(d_cycles));
    CUDA_CHECK(cudaFree(out));

    const double time_ms = ceiling_median(ms + runs / 2, runs - runs / 2),
                 wgmmas = (double)CEILING_ROUNDS * S::PER_ROUND * CEILING_GROUPS;
    const long long middle = ceiling_median(cycles, blocks);
    Ceiling c;
    c.cycles = (double)middle / wgmmas;
    c.tflops = 2.0 * 64 * N * 16 * (SPARSE ? 2 : 1) * wgmmas * blocks / time_ms * 1e-9;
    c.mhz = (double)middle / time_ms * 1e-3;
    return c;
}

#endif
