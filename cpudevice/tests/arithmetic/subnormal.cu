// subnormal.cu: what a GPU does with subnormal numbers, with nvcc's -ftz=true and without.
//
//   nvcc -O3 -std=c++17 -arch=sm_90a -ftz=true -o subnormal subnormal.cu && ./subnormal
//
// One line per operation: its name, a hash of its answers to all pairs of operands (half of them subnormal, zero or the
// smallest normal numbers, the rest of any size), and the answers to twelve operands with themselves. All not-a-numbers are one.
// Functions that are not exact answer with what kind of number they give. subnormal.sh compares.
#include "record.h"

#include <cuda_fp16.h>

static float of_bits(u32 bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static std::vector<float> operands()
{
    static const u32 first[] = {0x00000001, 0x80000001, 0x00400000, 0x80400000, 0x007fffff, 0x807fffff, 0x00000000,
                                0x80000000, 0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x01000000, 0x3f800000,
                                0xbf800000, 0x3f000000, 0x40000000, 0xc0400000, 0x0b800000, 0x4b000000, 0x7f7fffff,
                                0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3effffff, 0x7e800000, 0x00000200};
    std::vector<float> list;
    for (u32 bits : first)
        list.push_back(of_bits(bits));
    u64 state = 33;
    for (int i = 0; i < 228; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const u32 bits = (u32)(state >> 32);
        list.push_back(of_bits(i % 3 == 0 ? bits : i % 3 == 1 ? bits & 0x81ffffff : bits & 0x807fffff));
    }
    return list;
}

template <class Op> __global__ void answers(const float *a, int n, u32 *r)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n * n)
        r[i] = Op::of(a[i / n], a[i % n]);
}

static void show(const char *name, const std::vector<u32> &r)
{
    u64 hash = 0xcbf29ce484222325ull;
    for (u32 one : r)
        hash = (hash ^ one) * 0x100000001b3ull;
    printf("%s %016llx ", name, hash);
    for (int i = 0; i < 12; i++)
        printf("%s%x", i ? "," : "", r[(size_t)i * 257 % r.size()]);
    printf("\n");
    if (getenv("SUBNORMAL_ALL")) { // all answers, to see which differ
        FILE *f = fopen(getenv("SUBNORMAL_ALL"), "ab");
        if (!f || fwrite(r.data(), sizeof r[0], r.size(), f) != r.size() || fclose(f))
            exit(1);
    }
}

// launch(blocks, a, n, memory, r): blocks of 256 threads, one thread per pair of operands; memory has a float4 for each.
template <class Launch> static void record(const char *name, Launch launch)
{
    const std::vector<float> a = operands();
    const int n = (int)a.size();
    std::vector<u32> r((size_t)(n * n));
    float *da, *memory;
    u32 *dr;
    OK(cudaMalloc(&da, a.size() * sizeof *da));
    OK(cudaMalloc(&memory, r.size() * sizeof(float4)));
    OK(cudaMalloc(&dr, r.size() * sizeof *dr));
    OK(cudaMemcpy(da, a.data(), a.size() * sizeof *da, cudaMemcpyHostToDevice));
    launch((n * n + 255) / 256, da, n, memory, dr);
    OK(cudaGetLastError());
    OK(cudaMemcpy(r.data(), dr, r.size() * sizeof *dr, cudaMemcpyDeviceToHost));
    cudaFree(da), cudaFree(memory), cudaFree(dr);
    show(name, r);
}

template <class Op> static void record_operation(const char *name)
{
    record(name, [](int blocks, float *a, int n, float *, u32 *r) { answers<Op><<<blocks, 256>>>(a, n, r); });
}

// The value whose bits these are: all not-a-numbers are one.
__device__ static u32 value_of(u32 bits) { return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffffu : bits; }
__device__ static u32 out(float x) { return value_of(__float_as_uint(x)); }
__device__ static u32 out(int x) { return (u32)x; }
__device__ static u32 out(bool x) { return x; }
__device__ static u32 out(long x) { return (u32)x; }
__device__ static u32 out(long long x) { return (u32)x; }
__device__ static u32 out(__half x) { return __hisnan(x) ? 0x7fffu : __half_as_ushort(x); }
// 0: zero, 1: subnormal, 2: normal, 3: infinite, 4: no number, with the sign
__device__ static u32 kind(float x)
{
    const u32 bits = __float_as_uint(x), sign = bits >> 31 << 4, size = bits & 0x7fffffff;
    return size > 0x7f800000 ? 4 : sign | (size == 0 ? 0 : size < 0x00800000 ? 1 : size < 0x7f800000 ? 2 : 3);
}

__device__ static u32 frexp_of(float x)
{
    int e = 0;
    const float m = frexpf(x, &e);
    return isfinite(x) ? out(m) ^ (u32)e * 0x01000193u : out(m);
}
__device__ static u32 modf_of(float x)
{
    float whole;
    const float rest = modff(x, &whole);
    return out(rest) ^ out(whole) * 5u;
}

#define OP(NAME, EXPRESSION)                                                                                           \
    struct NAME {                                                                                                      \
        static __device__ u32 of(float x, float y)                                                                     \
        {                                                                                                              \
            (void)y;                                                                                                   \
            return EXPRESSION;                                                                                         \
        }                                                                                                              \
    };
#include "subnormal_operations.h"
#undef OP

// ---- atomics: the value left in memory, and the value returned ----

enum { GLOBAL, SHARED, GENERIC_GLOBAL, GENERIC_SHARED };
__device__ __noinline__ float generic_add(float *p, float v) { return atomicAdd(p, v); }
template <int space, bool uses> __global__ void atomics(const float *a, int n, float *memory, u32 *r)
{
    __shared__ float s[256];
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n * n)
        return;
    float *p = space == GLOBAL || space == GENERIC_GLOBAL ? memory + i : s + threadIdx.x;
    *(volatile u32 *)p = __float_as_uint(a[i / n]);
    float old = 0.0f;
    if (space == GLOBAL && uses)
        old = atomicAdd(memory + i, a[i % n]);
    else if (space == GLOBAL)
        atomicAdd(memory + i, a[i % n]);
    else if (space == SHARED && uses)
        old = atomicAdd(&s[threadIdx.x], a[i % n]);
    else if (space == SHARED)
        atomicAdd(&s[threadIdx.x], a[i % n]);
    else
        old = generic_add(p, a[i % n]);
    r[i] = value_of(*(volatile u32 *)p) ^ (isnan(old) ? 7u : __float_as_uint(old) * 5u);
}
template <int width> __global__ void wide_atomics(const float *a, int n, float4 *memory, u32 *r)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n * n)
        return;
    const float x = a[i / n], y = a[i % n];
    memory[i] = make_float4(x, y, x, y);
    __threadfence();
    if (width == 2)
        atomicAdd((float2 *)(memory + i), make_float2(y, x));
    else
        atomicAdd(memory + i, make_float4(y, x, y, x));
    r[i] = value_of(*((volatile u32 *)(memory + i) + width - 1));
}
__global__ void scoped_atomics(const float *a, int n, float *memory, u32 *r, bool block)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n * n)
        return;
    memory[i] = a[i / n];
    if (block)
        atomicAdd_block(memory + i, a[i % n]);
    else
        atomicAdd_system(memory + i, a[i % n]);
    r[i] = value_of(*(volatile u32 *)(memory + i));
}

int main()
{
#define OP(NAME, EXPRESSION) record_operation<NAME>(#NAME);
#include "subnormal_operations.h"
#undef OP
#define ATOMICS(NAME, SPACE, USES)                                                                                     \
    record(NAME,                                                                                                       \
           [](int blocks, float *a, int n, float *m, u32 *r) { atomics<SPACE, USES><<<blocks, 256>>>(a, n, m, r); });
    ATOMICS("AtomicGlobal", GLOBAL, true)
    ATOMICS("ReduceGlobal", GLOBAL, false)
    ATOMICS("AtomicShared", SHARED, true)
    ATOMICS("ReduceShared", SHARED, false)
    ATOMICS("AtomicGenericGlobal", GENERIC_GLOBAL, true)
    ATOMICS("AtomicGenericShared", GENERIC_SHARED, true)
    record("AtomicFloat2", [](int blocks, float *a, int n, float *m, u32 *r) {
        wide_atomics<2><<<blocks, 256>>>(a, n, (float4 *)m, r);
    });
    record("AtomicFloat4", [](int blocks, float *a, int n, float *m, u32 *r) {
        wide_atomics<4><<<blocks, 256>>>(a, n, (float4 *)m, r);
    });
    record("AtomicBlock",
           [](int blocks, float *a, int n, float *m, u32 *r) { scoped_atomics<<<blocks, 256>>>(a, n, m, r, true); });
    record("AtomicSystem",
           [](int blocks, float *a, int n, float *m, u32 *r) { scoped_atomics<<<blocks, 256>>>(a, n, m, r, false); });
    return 0;
}
