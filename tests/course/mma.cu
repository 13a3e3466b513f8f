// The warp's matrix instructions against a plain triple loop, with every fragment loaded by hand as the PTX ISA lays it
// out. The same file runs on a GPU (with -DNO_CHECK there is no need of Check), which shows that the CPU device's
// emulation and the hardware agree. Values are small integers, so every sum is exact and results must be equal.
#include <mma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "../../common/ptx.cuh"

#ifndef NO_CHECK
#include <check.h>

#include "suite.h"
#endif

static unsigned seed;

static int random_int(int low, int high)
{
    seed = seed * 1664525u + 1013904223u;
    return low + (int)((seed >> 8) % (unsigned)(high - low + 1));
}

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

static void *to_device(const void *from, size_t bytes)
{
    void *to;
    must(cudaMalloc(&to, bytes), "cudaMalloc");
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
    return to;
}

static void from_device(void *to, void *from, size_t bytes)
{
    must(cudaGetLastError(), "launch");
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

template <class T> static int mismatches(const char *name, const T *got, const double *want, int rows, int columns)
{
    int bad = 0;
    for (int i = 0; i < rows * columns; i++) {
        if (!((double)got[i] == want[i]) && bad++ == 0)
            printf("%s: (%d, %d) is %g, should be %g\n", name, i / columns, i % columns, (double)got[i], want[i]);
    }
    printf("%-28s %s\n", name, bad ? "WRONG" : "equal");
    return bad;
}

// want (M x N) = A (M x K) B (K x N) + C
static void reference(double *want, const double *A, const double *B, const double *C, int M, int N, int K)
{
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) {
            want[m * N + n] = C[m * N + n];
            for (int k = 0; k < K; k++)
                want[m * N + n] += A[m * K + k] * B[k * N + n];
        }
    }
}

// ---- dense mma.sync -------------------------------------------------------------------------------------------------

enum Type { BF16, F16, TF32, S8 };

template <Type type> struct Traits;
template <> struct Traits<BF16> { enum { K = 16, PER = 2 }; typedef float Sum; };
template <> struct Traits<F16> { enum { K = 16, PER = 2 }; typedef float Sum; };
template <> struct Traits<TF32> { enum { K = 8, PER = 1 }; typedef float Sum; };
template <> struct Traits<S8> { enum { K = 32, PER = 4 }; typedef int Sum; };

// A value of the type, as bits.
static uint32_t encode(Type type, int value)
{
    float f = (float)value;
    uint32_t u;
    memcpy(&u, &f, sizeof(u));
    switch (type) {
    case BF16: return u >> 16;
    case F16: return __half_as_ushort(__float2half(f));
    case TF32: return u;
    default: return (uint32_t)value & 0xff;
    }
}

// Four bytes of a register: `per` values side by side.
__device__ uint32_t pack(const uint32_t *values, int per)
{
    uint32_t packed = 0;
    for (int i = 0; i < per; i++)
        packed |= values[i] << (32 / per * i);
    return packed;
}

// A is 16 x K, B is K x 8; one value a word.
template <Type type> __global__ void mma_kernel(typename Traits<type>::Sum *D, const uint32_t *A, const uint32_t *B)
{
    constexpr int K = Traits<type>::K, PER = Traits<type>::PER;
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t a[4], b[2];
    for (int i = 0; i < 4; i++) {
        uint32_t values[PER];
        for (int j = 0; j < PER; j++)
            values[j] = A[(g + 8 * (i % 2)) * K + i / 2 * (K / 2) + t * PER + j];
        a[i] = pack(values, PER);
    }
    for (int i = 0; i < 2; i++) {
        uint32_t values[PER];
        for (int j = 0; j < PER; j++)
            values[j] = B[(i * (K / 2) + t * PER + j) * 8 + g];
        b[i] = pack(values, PER);
    }
    typename Traits<type>::Sum d[4];
    for (int i = 0; i < 4; i++)
        d[i] = D[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2];
    if constexpr (type == BF16)
        mma_m16n8k16_bf16(d, a, b);
    else if constexpr (type == F16)
        mma_m16n8k16_f16(d, a, b);
    else if constexpr (type == TF32)
        mma_m16n8k8_tf32(d, a, b);
    else
        mma_m16n8k32_s8(d, a, b);
    for (int i = 0; i < 4; i++)
        D[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = d[i];
}

template <Type type> static int dense(const char *name)
{
    constexpr int K = Traits<type>::K;
    typedef typename Traits<type>::Sum Sum;
    static double A[16 * K], B[K * 8], C[16 * 8], want[16 * 8];
    static uint32_t bits_a[16 * K], bits_b[K * 8];
    Sum D[16 * 8];
    int span = type == S8 ? 127 : 15;
    for (int i = 0; i < 16 * K; i++)
        bits_a[i] = encode(type, (int)(A[i] = random_int(-span, span)));
    for (int i = 0; i < K * 8; i++)
        bits_b[i] = encode(type, (int)(B[i] = random_int(-span, span)));
    for (int i = 0; i < 16 * 8; i++)
        D[i] = (Sum)(C[i] = random_int(-1000, 1000));
    reference(want, A, B, C, 16, 8, K);
    Sum *d = (Sum *)to_device(D, sizeof(D));
    uint32_t *a = (uint32_t *)to_device(bits_a, sizeof(bits_a)), *b = (uint32_t *)to_device(bits_b, sizeof(bits_b));
    mma_kernel<type><<<1, 32>>>(d, a, b);
    from_device(D, d, sizeof(D));
    cudaFree(d);
    cudaFree(a);
    cudaFree(b);
    return mismatches(name, D, want, 16, 8);
}

// tf32 reads the upper 19 bits of a float and no more.
__global__ void tf32_kernel(float *D)
{
    uint32_t a[4] = {0x3f801fffu, 0x3f801fffu, 0, 0}, b[2] = {0x3f801fffu, 0};
    float d[4] = {0, 0, 0, 0};
    mma_m16n8k8_tf32(d, a, b);
    for (int i = 0; i < 4; i++)
        D[threadIdx.x * 4 + i] = d[i];
}

static int tf32_truncates()
{
    float D[128];
    double want[128];
    for (int i = 0; i < 128; i++) {
        D[i] = -1;
        want[i] = 4; // four lanes a row, 1 * 1 each
    }
    float *d = (float *)to_device(D, sizeof(D));
    tf32_kernel<<<1, 32>>>(d);
    from_device(D, d, sizeof(D));
    cudaFree(d);
    return mismatches("tf32 operands are cut", D, want, 32, 4);
}

// ---- ldmatrix -------------------------------------------------------------------------------------------------------

// bf16: A (16 x 16) by ldmatrix_x4; B given as N x K by ldmatrix_x2, or as K x N by ldmatrix_x2_trans.
__global__ void ldmatrix_kernel(float *D, const uint16_t *A, const uint16_t *B, int transposed)
{
    __shared__ __align__(16) uint16_t sA[16 * 16];
    __shared__ __align__(16) uint16_t sB[16 * 8];
    int lane = threadIdx.x;
    for (int i = lane; i < 16 * 16; i += 32)
        sA[i] = A[i];
    for (int i = lane; i < 16 * 8; i += 32)
        sB[i] = B[i];
    __syncwarp();
    uint32_t a[4], b[2];
    ldmatrix_x4(a, &sA[(lane % 16) * 16 + lane / 16 * 8]);
    if (transposed)
        ldmatrix_x2_trans(b, &sB[(lane % 16) * 8]);
    else
        ldmatrix_x2(b, &sB[(lane % 8) * 16 + lane / 8 % 2 * 8]);
    float d[4] = {0, 0, 0, 0};
    mma_m16n8k16_bf16(d, a, b);
    int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; i++)
        D[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = d[i];
}

static int ldmatrix(int transposed)
{
    double A[256], B[128], C[128], want[128];
    uint16_t bits_a[256], bits_b[128];
    float D[128];
    for (int i = 0; i < 256; i++)
        bits_a[i] = (uint16_t)encode(BF16, (int)(A[i] = random_int(-15, 15)));
    for (int k = 0; k < 16; k++) {
        for (int n = 0; n < 8; n++) {
            B[k * 8 + n] = random_int(-15, 15);
            bits_b[transposed ? k * 8 + n : n * 16 + k] = (uint16_t)encode(BF16, (int)B[k * 8 + n]);
        }
    }
    for (int i = 0; i < 128; i++) {
        C[i] = 0;
        D[i] = -1e30f;
    }
    reference(want, A, B, C, 16, 8, 16);
    float *d = (float *)to_device(D, sizeof(D));
    uint16_t *a = (uint16_t *)to_device(bits_a, sizeof(bits_a)), *b = (uint16_t *)to_device(bits_b, sizeof(bits_b));
    ldmatrix_kernel<<<1, 32>>>(d, a, b, transposed);
    from_device(D, d, sizeof(D));
    cudaFree(d);
    cudaFree(a);
    cudaFree(b);
    return mismatches(transposed ? "ldmatrix x4, x2.trans" : "ldmatrix x4, x2", D, want, 16, 8);
}

// What each lane receives from four numbered matrices, as they lie and transposed.
__global__ void ldmatrix_lanes_kernel(uint32_t *out)
{
    __shared__ __align__(16) uint16_t s[4 * 64];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        s[i] = (uint16_t)i;
    __syncwarp();
    ldmatrix_x4(out + lane * 8, &s[lane * 8]);
    ldmatrix_x4_trans(out + lane * 8 + 4, &s[lane * 8]);
}

static int ldmatrix_lanes()
{
    uint32_t out[256];
    double want[256];
    for (int lane = 0; lane < 32; lane++) {
        for (int i = 0; i < 4; i++) {
            int g = lane / 4, c = 2 * (lane % 4);
            want[lane * 8 + i] = (64 * i + 8 * g + c) + 65536.0 * (64 * i + 8 * g + c + 1);
            want[lane * 8 + 4 + i] = (64 * i + 8 * c + g) + 65536.0 * (64 * i + 8 * (c + 1) + g);
        }
    }
    memset(out, 0xff, sizeof(out));
    uint32_t *d = (uint32_t *)to_device(out, sizeof(out));
    ldmatrix_lanes_kernel<<<1, 32>>>(d);
    from_device(out, d, sizeof(out));
    cudaFree(d);
    return mismatches("ldmatrix x4, x4.trans lanes", out, want, 32, 8);
}

// ---- mma.sp ---------------------------------------------------------------------------------------------------------

// A is 16 x K with 2 nonzeros of every 4, given as values (16 x K/2) and places (16 x K/2, 0..3, rising within a group).
// Lanes whose metadata the instruction should not look at hold junk.
template <Type type, int SELECTOR>
__global__ void mma_sp_kernel(typename Traits<type>::Sum *D, const uint32_t *values, const uint32_t *places, const uint32_t *B)
{
    constexpr int K = 2 * Traits<type>::K, PER = Traits<type>::PER;
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t a[4], b[4], meta = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t v[PER];
        for (int j = 0; j < PER; j++)
            v[j] = values[(g + 8 * (i % 2)) * (K / 2) + i / 2 * (K / 4) + t * PER + j];
        a[i] = pack(v, PER);
        for (int j = 0; j < PER; j++)
            v[j] = B[(i * (K / 4) + t * PER + j) * 8 + g];
        b[i] = pack(v, PER);
    }
    if (type == S8) { // lane 4g + 2h + r: half h of row g + 8r
        int row = g + 8 * (t % 2), half = t / 2;
        for (int i = 0; i < 16; i++)
            meta |= places[row * (K / 2) + half * 16 + i] << (2 * i);
    } else if (t / 2 == SELECTOR) { // lane 4g + 2 SELECTOR + h: half h of row g below, of row g + 8 above
        int half = t % 2;
        for (int i = 0; i < 8; i++) {
            meta |= places[g * (K / 2) + half * 8 + i] << (2 * i);
            meta |= places[(g + 8) * (K / 2) + half * 8 + i] << (16 + 2 * i);
        }
    } else {
        meta = 0x44444444u; // legal, and somebody else's
    }
    typename Traits<type>::Sum d[4];
    for (int i = 0; i < 4; i++)
        d[i] = D[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2];
    if constexpr (type == S8)
        mma_sp_m16n8k64_s8<SELECTOR>(d, a, b, meta);
    else
        mma_sp_m16n8k32_bf16<SELECTOR>(d, a, b, meta);
    for (int i = 0; i < 4; i++)
        D[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = d[i];
}

template <Type type, int SELECTOR> static int sparse(const char *name)
{
    constexpr int K = 2 * Traits<type>::K;
    typedef typename Traits<type>::Sum Sum;
    static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    static double A[16 * K], B[K * 8], C[128], want[128];
    static uint32_t values[16 * K / 2], places[16 * K / 2], bits_b[K * 8];
    Sum D[128];
    int span = type == S8 ? 127 : 15, bad = 0;
    for (int round = 0; round < 8; round++) { // six rounds with one pattern everywhere, two with random ones
        memset(A, 0, sizeof(A));
        for (int group = 0; group < 16 * K / 4; group++) {
            const int *pair = pairs[round < 6 ? round : random_int(0, 5)];
            for (int j = 0; j < 2; j++) {
                int value = random_int(-span, span);
                A[group * 4 + pair[j]] = value;
                values[group * 2 + j] = encode(type, value);
                places[group * 2 + j] = (uint32_t)pair[j];
            }
        }
        for (int i = 0; i < K * 8; i++)
            bits_b[i] = encode(type, (int)(B[i] = random_int(-span, span)));
        for (int i = 0; i < 128; i++)
            D[i] = (Sum)(C[i] = random_int(-1000, 1000));
        reference(want, A, B, C, 16, 8, K);
        Sum *d = (Sum *)to_device(D, sizeof(D));
        uint32_t *v = (uint32_t *)to_device(values, sizeof(values)), *p = (uint32_t *)to_device(places, sizeof(places));
        uint32_t *b = (uint32_t *)to_device(bits_b, sizeof(bits_b));
        mma_sp_kernel<type, SELECTOR><<<1, 32>>>(d, v, p, b);
        from_device(D, d, sizeof(D));
        cudaFree(d);
        cudaFree(v);
        cudaFree(p);
        cudaFree(b);
        char line[64];
        snprintf(line, sizeof(line), "%s pattern %d", name, round);
        bad += mismatches(line, D, want, 16, 8);
    }
    return bad;
}

// ---- cp.async -------------------------------------------------------------------------------------------------------

// Four groups in flight, waited for one by one; the last copy of each thread is invalid and must give zeros.
__global__ void cp_async_kernel(uint32_t *out, const uint32_t *in)
{
    __shared__ __align__(16) uint32_t s[4 * 32 * 4];
    int lane = threadIdx.x;
    for (int stage = 0; stage < 4; stage++) {
        cp_async_16(&s[(stage * 32 + lane) * 4], &in[(stage * 32 + lane) * 4], stage < 3);
        cp_async_commit();
    }
    cp_async_wait<3>();
    __syncwarp();
    for (int i = 0; i < 4; i++)
        out[lane * 4 + i] = s[(lane ^ 1) * 4 + i];
    cp_async_wait<1>();
    __syncwarp();
    for (int i = 0; i < 8; i++)
        out[128 + lane * 8 + i] = s[128 + (lane ^ 1) * 8 + i];
    cp_async_wait<0>();
    __syncwarp();
    for (int i = 0; i < 4; i++)
        out[384 + lane * 4 + i] = s[384 + (lane ^ 1) * 4 + i];
    __syncwarp();
    cp_async_8(&s[lane * 2], &in[lane * 2 + 64]);
    cp_async_4(&s[64 + lane], &in[lane]);
    cp_async_commit();
    cp_async_wait<0>();
    __syncwarp();
    for (int i = 0; i < 3; i++)
        out[512 + lane * 3 + i] = s[lane + 32 * i];
}

static int cp_async()
{
    uint32_t in[512], out[608];
    double want[608];
    for (int i = 0; i < 512; i++)
        in[i] = (uint32_t)(1000 + i);
    for (int lane = 0; lane < 32; lane++) {
        for (int i = 0; i < 4; i++) {
            want[lane * 4 + i] = 1000 + (lane ^ 1) * 4 + i;
            want[384 + lane * 4 + i] = 0;
        }
        for (int i = 0; i < 8; i++)
            want[128 + lane * 8 + i] = 1000 + 128 + (lane ^ 1) * 8 + i;
        for (int i = 0; i < 3; i++)
            want[512 + lane * 3 + i] = i < 2 ? 1000 + 64 + lane + 32 * i : 1000 + lane;
    }
    memset(out, 0xff, sizeof(out));
    uint32_t *d_in = (uint32_t *)to_device(in, sizeof(in)), *d_out = (uint32_t *)to_device(out, sizeof(out));
    cp_async_kernel<<<1, 32>>>(d_out, d_in);
    from_device(out, d_out, sizeof(out));
    cudaFree(d_in);
    cudaFree(d_out);
    return mismatches("cp.async", out, want, 152, 4);
}

// ---- wmma -----------------------------------------------------------------------------------------------------------

using namespace nvcuda;

template <class T, class E, class S, int M, int N, int K, class LA, class LB>
__global__ void wmma_kernel(S *D, const E *A, const E *B, int lda, int ldb)
{
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> a;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> b;
    wmma::fragment<wmma::accumulator, M, N, K, S> c, d;
    wmma::load_matrix_sync(a, A, lda);
    wmma::load_matrix_sync(b, B, ldb);
    wmma::load_matrix_sync(c, D, N, wmma::mem_row_major);
    wmma::mma_sync(d, a, b, c);
    for (int i = 0; i < d.num_elements; i++)
        d.x[i] = d.x[i] + d.x[i];
    wmma::store_matrix_sync(D, d, N, wmma::mem_row_major);
}

// One lane of row or column padding in each operand, so that a leading dimension taken for the size is seen.
template <class T, class E, class S, int M, int N, int K, bool a_rows, bool b_rows> static int wmma_test(const char *name)
{
    typedef typename std::conditional<a_rows, wmma::row_major, wmma::col_major>::type LA;
    typedef typename std::conditional<b_rows, wmma::row_major, wmma::col_major>::type LB;
    constexpr int PAD = 16;
    constexpr int lda = (a_rows ? K : M) + PAD, ldb = (b_rows ? N : K) + PAD;
    static double A[M * K], B[K * N], C[M * N], want[M * N];
    static E bits_a[(M > K ? M : K) * (32 + PAD)], bits_b[(N > K ? N : K) * (32 + PAD)];
    static S D[M * N];
    for (int m = 0; m < M; m++) {
        for (int k = 0; k < K; k++) {
            A[m * K + k] = random_int(0, 7);
            bits_a[a_rows ? m * lda + k : k * lda + m] = (E)(float)A[m * K + k];
        }
    }
    for (int k = 0; k < K; k++) {
        for (int n = 0; n < N; n++) {
            B[k * N + n] = random_int(0, 7);
            bits_b[b_rows ? k * ldb + n : n * ldb + k] = (E)(float)B[k * N + n];
        }
    }
    for (int i = 0; i < M * N; i++)
        D[i] = (S)(float)(C[i] = random_int(-100, 100));
    reference(want, A, B, C, M, N, K);
    for (int i = 0; i < M * N; i++)
        want[i] *= 2;
    S *d = (S *)to_device(D, sizeof(D));
    E *a = (E *)to_device(bits_a, sizeof(bits_a)), *b = (E *)to_device(bits_b, sizeof(bits_b));
    wmma_kernel<T, E, S, M, N, K, LA, LB><<<1, 32>>>(d, a, b, lda, ldb);
    from_device(D, d, sizeof(D));
    cudaFree(d);
    cudaFree(a);
    cudaFree(b);
    static float got[M * N];
    for (int i = 0; i < M * N; i++)
        got[i] = (float)D[i];
    return mismatches(name, got, want, M, N);
}

// Sums in half are rounded once, from the exact sum: 2049 + 2^-14 lies above the tie between 2048 and 2050, and a float
// cannot hold it.
static int wmma_rounds_once()
{
    static half A[256], B[256], D[256];
    static double want[256];
    static float got[256];
    for (int i = 0; i < 16; i++) {
        A[16 * i] = 2048.0f;
        A[16 * i + 1] = 1.0f;
        A[16 * i + 2] = 1.0f / 128;
        for (int k = 0; k < 3; k++) // of B, stored by columns
            B[16 * i + k] = k < 2 ? 1.0f : i % 2 ? 1.0f / 128 : 0.0f;
    }
    for (int i = 0; i < 256; i++)
        want[i] = i % 2 ? 4100 : 4096;
    half *d = (half *)to_device(D, sizeof(D)), *a = (half *)to_device(A, sizeof(A)), *b = (half *)to_device(B, sizeof(B));
    wmma_kernel<half, half, half, 16, 16, 16, wmma::row_major, wmma::col_major><<<1, 32>>>(d, a, b, 16, 16);
    from_device(D, d, sizeof(D));
    cudaFree(d);
    cudaFree(a);
    cudaFree(b);
    for (int i = 0; i < 256; i++)
        got[i] = (float)D[i];
    return mismatches("wmma f16 rounds once", got, want, 16, 16);
}

static int wmma_all()
{
    int bad = wmma_rounds_once();
    bad += wmma_test<half, half, float, 16, 16, 16, true, true>("wmma f16 16x16x16 row row");
    bad += wmma_test<half, half, float, 16, 16, 16, true, false>("wmma f16 16x16x16 row col");
    bad += wmma_test<half, half, float, 16, 16, 16, false, true>("wmma f16 16x16x16 col row");
    bad += wmma_test<half, half, float, 16, 16, 16, false, false>("wmma f16 16x16x16 col col");
    bad += wmma_test<half, half, half, 16, 16, 16, true, false>("wmma f16 sums in f16");
    bad += wmma_test<half, half, float, 32, 8, 16, true, false>("wmma f16 32x8x16");
    bad += wmma_test<half, half, float, 8, 32, 16, false, true>("wmma f16 8x32x16");
    bad += wmma_test<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, true, false>("wmma bf16 16x16x16");
    bad += wmma_test<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16, true, true>("wmma bf16 32x8x16");
    bad += wmma_test<wmma::precision::tf32, float, float, 16, 16, 8, true, false>("wmma tf32 16x16x8");
    bad += wmma_test<signed char, signed char, int, 16, 16, 16, true, false>("wmma s8 16x16x16");
    bad += wmma_test<unsigned char, unsigned char, int, 8, 32, 16, false, false>("wmma u8 8x32x16");
    bad += wmma_test<double, double, double, 8, 8, 4, true, false>("wmma double 8x8x4");
    return bad;
}

// ---- the list -------------------------------------------------------------------------------------------------------

static int dense_all()
{
    return dense<BF16>("mma m16n8k16 bf16") + dense<F16>("mma m16n8k16 f16") + dense<TF32>("mma m16n8k8 tf32") +
           dense<S8>("mma m16n8k32 s8") + tf32_truncates();
}

static int ldmatrix_all()
{
    return ldmatrix(0) + ldmatrix(1) + ldmatrix_lanes();
}

static int sparse_all()
{
    return sparse<BF16, 0>("mma.sp m16n8k32 bf16, 0") + sparse<BF16, 1>("mma.sp m16n8k32 bf16, 1") +
           sparse<S8, 0>("mma.sp m16n8k64 s8");
}

static const struct {
    const char *name;
    int (*run)();
} subjects[] = {{"dense", dense_all}, {"ldmatrix", ldmatrix_all}, {"sparse", sparse_all}, {"cp_async", cp_async}, {"wmma", wmma_all}};
enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

#ifdef NO_CHECK
int main()
{
    int bad = 0;
    for (int i = 0; i < SUBJECTS; i++)
        bad += subjects[i].run();
    printf(bad ? "%d values wrong\n" : "all equal\n", bad);
    return bad != 0;
}
#else
START_TEST(test_subject)
{
    seed = 1;
    ck_assert_int_eq(subjects[_i].run(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: matrix instructions");
    TCase *tests = tcase_create("mma");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, test_subject, 0, SUBJECTS);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
#endif
