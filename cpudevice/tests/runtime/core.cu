// A test for the CPU device only.
/* cpudevice_core.cu: the CPU device's own promises: what the compiler must understand, barriers with and without fibers,
 * warps, streams, errors, memory, graphs, and what it says of a program that is stuck or reaches into the wrong memory.
 * The parts that hold on a GPU too are tested there as well. */
#include <assert.h>
#include <check.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <thread>
#include <vector>

#include "said.h"
#include "suite.h"

#define OK(call) ck_assert_msg((call) == cudaSuccess, "%s", #call)
#define IS(error, call)                                                                                       \
    do {                                                                                                      \
        cudaError_t e_ = (call);                                                                              \
        ck_assert_msg(e_ == (error), "%s gives %s, not %s", #call, cudaGetErrorName(e_), cudaGetErrorName(error)); \
    } while (0)

template <class T> static T *managed(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof(T)));
    memset(p, 0, n * sizeof(T));
    return p;
}

/* ---- the language: forms that the compiler has to find and leave alone ---- */

#define LAUNCH_IN_A_MACRO(kernel, n, ...) kernel<<<1, (n)>>>(__VA_ARGS__)

static const char *const not_code = "k<<<1, 2>>>(3); __global__ void f() {";
static const char *const raw = R"x(__shared__ int s[4]; k<<<1,1>>>(); ")x";

namespace outer {
namespace inner {
__global__ void in_namespace(int *out) { out[threadIdx.x] = (int)threadIdx.x; }
}
template <class T, int N> struct box {
    T value;
    static const int size = N;
};
}

template <class T> __global__ void deduced(T *out, T value) { out[threadIdx.x] = value; }
template <class T, int N = 3> __global__ void __launch_bounds__(N < 2 ? 64 : 128) with_bounds(T *out) { out[threadIdx.x] = N; }
template <int... N> __global__ void pack_of_values(int *out)
{
    const int all[] = {N...};
    int sum = 0;
    for (int v : all)
        sum += v;
    out[threadIdx.x] = sum;
}
template <class... A> __global__ void pack_of_arguments(int *out, A... a) { out[threadIdx.x] = (int)(0 + ... + a); }
__global__ void unnamed(int *out, int, float) { out[threadIdx.x] = 7; }
__global__ void changes_its_arguments(int *out, int n)
{
    out += threadIdx.x;
    n *= 2;
    *out = n++;
    out[0] += n;
}
__global__ void takes_a_struct(int *out, outer::box<int, 5> b, const dim3 d) { out[threadIdx.x] = b.value + b.size + (int)d.y; }
__global__ void several_shared(int *out)
{
    __shared__ int a[2][32], *p, b;
    __shared__ __align__(16) unsigned char bytes[64];
    __shared__ struct {
        int x, y;
    } pair;
    __shared__ outer::box<int, 4> boxes[4];
    const int t = threadIdx.x;
    a[1][t] = t;
    bytes[t] = 3;
    if (t == 0) {
        p = &a[1][0];
        b = 100;
        pair.y = 1000;
        boxes[3].value = 10000;
    }
    __syncthreads();
    out[t] = p[31 - t] + b + pair.y + boxes[3].value + bytes[(t + 1) % 32];
}
extern __shared__ int dynamic_at_file_scope[];
__global__ void dynamic_outer(int *out)
{
    dynamic_at_file_scope[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic_at_file_scope[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void dynamic_inner(T *out)
{
    extern __shared__ __align__(16) unsigned char room[];
    T *s = reinterpret_cast<T *>(room);
    s[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__device__ int by_reference(int &x) { return x += 5; }
__global__ void lambdas(int *out)
{
    int v = threadIdx.x;
    auto twice = [&](int x) { return by_reference(x) * 2; };
    out[threadIdx.x] = twice(v) + v;
}
template <class F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }
__device__ unsigned where_am_i() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void asks_a_function(int *out) { out[where_am_i()] = (int)where_am_i(); }
__constant__ int table[4] = {2, 3, 5, 7};
__device__ int counter;
__global__ void uses_globals(int *out)
{
    out[threadIdx.x] = table[threadIdx.x % 4];
    atomicAdd(&counter, 1);
}

START_TEST(test_language)
{
    int *p = managed<int>(1024);
    ck_assert(strstr(not_code, "<<<1, 2>>>(3)") && strstr(raw, "k<<<1,1>>>()"));
    outer::inner::in_namespace<<<1, 64>>>(p);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(p[i], i);
    deduced<<<1, 2>>>(p, 41);
    LAUNCH_IN_A_MACRO(deduced<int>, 1, p, 42);
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[0], 42);
    ck_assert_int_eq(p[1], 41);
    with_bounds<int, (4 > 3) ? 1 : 2><<<1, 8>>>(p);
    with_bounds<int><<<dim3(1), dim3{4}>>>(p);
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[7], 1);
    ck_assert_int_eq(p[3], 3);
    pack_of_values<1, 2, 3><<<1, 1>>>(p);
    pack_of_arguments<<<1, 1>>>(p + 1, 1, 2.0f, (short)3);
    unnamed<<<1, 1>>>(p + 2, 1, 2.f);
    takes_a_struct<<<1, 1>>>(p + 3, outer::box<int, 5>{10}, dim3(1, 100));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[0], 6);
    ck_assert_int_eq(p[1], 6);
    ck_assert_int_eq(p[2], 7);
    ck_assert_int_eq(p[3], 115);
    changes_its_arguments<<<1, 64>>>(p, 21);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(p[i], 42 + 43);
    several_shared<<<1, 32>>>(p);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        ck_assert_int_eq(p[i], 31 - i + 100 + 1000 + 10000 + 3);
    dynamic_outer<<<1, 100, 400>>>(p);
    double *d = managed<double>(100);
    dynamic_inner<<<1, 100, 800>>>(d);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(p[i], 99 - i);
        ck_assert(d[i] == 99 - i);
    }
    lambdas<<<1, 32>>>(p);
    apply<<<1, 32>>>(p + 32, [] __device__(int x) { return x * x; });
    asks_a_function<<<4, 32>>>(p + 64);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        ck_assert_int_eq(p[i], (i + 5) * 2 + i);
        ck_assert_int_eq(p[32 + i], i * i);
    }
    for (int i = 0; i < 128; i++)
        ck_assert_int_eq(p[64 + i], i);
    void (*chosen)(int *, int) = p ? deduced<int> : deduced<int>;
    chosen<<<1, 1>>>(p, 77);
    int nine = 9, *q = p + 1;
    void *args[] = {&q, &nine};
    OK(cudaLaunchKernel((void *)deduced<int>, dim3(1), dim3(1), args, 0, 0));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[0], 77);
    ck_assert_int_eq(p[1], 9);
    int zero = 0, got = -1, squares[4] = {1, 4, 9, 16};
    OK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    OK(cudaMemcpyToSymbol(table, squares, sizeof squares));
    uses_globals<<<2, 50>>>(p);
    OK(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    ck_assert_int_eq(got, 100);
    ck_assert_int_eq(p[49], 4);
}
END_TEST

/* ---- barriers: the same kernel as loops between barriers and, with assembly in it, on fibers ---- */
#define ON_FIBERS __asm__ volatile("")


#define REDUCE_BODY                                                           \
    {                                                                         \
        __shared__ int s[256];                                                \
        const int t = threadIdx.x;                                            \
        int i = blockIdx.x * blockDim.x + t;                                  \
        s[t] = i < n ? in[i] : 0;                                             \
        __syncthreads();                                                      \
        for (int o = blockDim.x / 2; o > 0; o >>= 1) {                        \
            if (t < o)                                                        \
                s[t] += s[t + o];                                             \
            __syncthreads();                                                  \
        }                                                                     \
        if (t)                                                                \
            return;                                                           \
        out[blockIdx.x] = s[0];                                               \
    }
__global__ void reduce(const int *in, int *out, int n) REDUCE_BODY
__global__ void reduce_fibers(const int *in, int *out, int n) { ON_FIBERS; REDUCE_BODY }

/* variables of every kind alive across barriers: scalar, array, pointer, changed in loops, under a uniform branch */
#define MIXED_BODY                                                            \
    {                                                                         \
        extern __shared__ int s[];                                            \
        const int t = threadIdx.x + blockDim.x * threadIdx.y, all = blockDim.x * blockDim.y; \
        int history[3], sum = 0, last;                                        \
        const int *mine = in + t;                                             \
        unsigned count = 0;                                                   \
        for (int round = 0; round < rounds; round++) {                        \
            const int shift = round + 1;                                      \
            int seen = mine[round];                                           \
            s[t] = seen * shift;                                              \
            __syncthreads();                                                  \
            last = s[(t + shift) % all];                                      \
            sum += last;                                                      \
            history[round % 3] = last - seen;                                 \
            if (seen & 1)                                                     \
                count++;                                                      \
            __syncthreads();                                                  \
            if (round + 1 < rounds) {                                         \
                s[t] = sum;                                                   \
                __syncthreads();                                              \
                sum ^= s[all - 1 - t];                                        \
                __syncthreads();                                              \
            } else {                                                          \
                s[t] = -1;                                                    \
                __syncthreads();                                              \
                sum += s[0];                                                  \
            }                                                                 \
        }                                                                     \
        int total = 0;                                                        \
        for (int k = 0; k < 3 && k < rounds; k++)                             \
            total += history[k];                                              \
        out[blockIdx.x * all + t] = sum + 3 * total + (int)count * 1000;      \
    }
__global__ void mixed(const int *in, int *out, int rounds) MIXED_BODY
__global__ void mixed_fibers(const int *in, int *out, int rounds) { ON_FIBERS; MIXED_BODY }

/* a value read from a __device__ variable is read once, although the expression could be computed anew */
__device__ int ticket;
__global__ void reads_once(int *out)
{
    ON_FIBERS;
    const int mine = ticket + threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = 1000;
    __syncthreads();
    out[threadIdx.x] = mine;
}
__global__ void reads_once_split(int *out)
{
    const int mine = ticket + threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = 2000;
    __syncthreads();
    out[threadIdx.x] = mine;
}
__device__ int tally[64];
__device__ int look(int i) { return tally[i]; }
__global__ void reads_once_in_function(int *out)
{
    const int mine = look(threadIdx.x);
    __syncthreads();
    tally[threadIdx.x] += 7;
    __syncthreads();
    out[threadIdx.x] = mine;
}
template <class T> __device__ T look_at(const T *p) { return *p; }
__global__ void reads_once_in_template(int *out, int *p)
{
    const int mine = look_at<int>(p + threadIdx.x);
    const bool in_front = threadIdx.x >= 32; /* this one may be computed anew */
    __syncthreads();
    p[threadIdx.x] = -1;
    __syncthreads();
    out[threadIdx.x] = 2 * mine + in_front;
}

__global__ void draws_once(int *out, curandState *states)
{
    __shared__ float first[64];
    curandState *mine = states + threadIdx.x;
    curand_init(1, threadIdx.x, 0, mine);
    const float number = curand_uniform(mine);
    first[threadIdx.x] = number;
    __syncthreads();
    out[threadIdx.x] = number == first[threadIdx.x];
}

__global__ void early_exit(int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    if ((int)threadIdx.x >= n)
        return;
    s[threadIdx.x] = 1;
    __syncthreads();           /* threads that have ended are not waited for */
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += s[i];
    out[threadIdx.x] = sum;
}
__global__ void votes_at_barriers(int *out)
{
    int t = threadIdx.x;
    out[3 * t] = __syncthreads_count(t % 3 == 0);
    out[3 * t + 1] = __syncthreads_and(t < 1000);
    out[3 * t + 2] = __syncthreads_or(t == 77);
}

START_TEST(test_barriers)
{
    const int n = 256 * 19 + 13, blocks = 20;
    int *in = managed<int>(n + 64), *a = managed<int>(4096), *b = managed<int>(4096);
    for (int i = 0; i < n + 64; i++)
        in[i] = (i * 7919) % 1009 - 500;
    reduce<<<blocks, 256>>>(in, a, n);
    reduce_fibers<<<blocks, 256>>>(in, b, n);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < blocks; k++) {
        int sum = 0;
        for (int i = k * 256; i < (k + 1) * 256 && i < n; i++)
            sum += in[i];
        ck_assert_int_eq(a[k], sum);
        ck_assert_int_eq(b[k], sum);
    }
    for (int rounds = 1; rounds < 6; rounds++)
        for (dim3 shape : {dim3(1), dim3(31), dim3(8, 7), dim3(32, 32)}) {
            const int all = shape.x * shape.y;
            mixed<<<2, shape, all * 4>>>(in, a, rounds);
            mixed_fibers<<<2, shape, all * 4>>>(in, b, rounds);
            OK(cudaDeviceSynchronize());
            for (int i = 0; i < 2 * all; i++)
                ck_assert_msg(a[i] == b[i], "rounds %d, %d threads, [%d]: %d without fibers, %d with", rounds, all, i, a[i], b[i]);
        }
    reads_once<<<1, 64>>>(a);
    reads_once_split<<<1, 64>>>(b);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        ck_assert_int_eq(a[i], i);
        ck_assert_int_eq(b[i], 1000 + i);
    }
    reads_once_in_function<<<1, 64>>>(a);
    draws_once<<<1, 64>>>(b, managed<curandState>(64));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
        ck_assert_int_eq(a[i], 0);
        ck_assert_int_eq(b[i], 1);
    }
    reads_once_in_template<<<1, 64>>>(a, b);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(a[i], 2 + (i >= 32));
    early_exit<<<1, 64>>>(a, 37);
    votes_at_barriers<<<1, 100>>>(b);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 37; i++)
        ck_assert_int_eq(a[i], 37);
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(b[3 * i], 34);
        ck_assert_int_eq(b[3 * i + 1], 1);
        ck_assert_int_eq(b[3 * i + 2], 1);
    }
}
END_TEST

/* ---- warps ---- */

__global__ void shuffles(int *out, int width)
{
    const int lane = threadIdx.x % 32, v = (int)threadIdx.x * 10;
    int *mine = out + threadIdx.x * 4;
    mine[0] = __shfl_sync(~0u, v, lane + 3, width);
    mine[1] = __shfl_up_sync(~0u, v, 2, width);
    mine[2] = __shfl_down_sync(~0u, v, 3, width);
    mine[3] = __shfl_xor_sync(~0u, v, 5, width);
}
__global__ void votes(unsigned *out)
{
    const unsigned t = threadIdx.x;
    unsigned *mine = out + t * 6;
    mine[0] = __ballot_sync(~0u, t % 3 == 0);
    mine[1] = __any_sync(~0u, t == 5);
    mine[2] = __all_sync(~0u, t < 32);
    mine[3] = __match_any_sync(~0u, t / 8);
    if (t % 2)
        mine[4] = __ballot_sync(0xaaaaaaaau, t < 20);
    else
        mine[4] = __ballot_sync(0x55555555u, t < 20);
    mine[5] = t % 4 == 1 ? __activemask() : 0;
}
__global__ void warp_sums(float *out, const float *in)
{
    double v = in[threadIdx.x];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = (float)v;
}
__global__ void lock_between_threads(int *lock, int *value)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)value = *(volatile int *)value + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
__global__ void flag_between_threads(volatile int *flag, int *out)
{
    if (threadIdx.x == 70) {
        out[0] = 5;
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x == 3) {
        while (*flag == 0)
            ;
        out[1] = out[0] + 1;
    }
}

START_TEST(test_warps)
{
    int *p = managed<int>(64 * 6);
    for (int width = 32; width >= 2; width /= 2) {
        shuffles<<<1, 64>>>(p, width);
        OK(cudaDeviceSynchronize());
        for (int t = 0; t < 64; t++) {
            const int lane = t % 32, base = lane / width * width, top = base + width - 1, warp = t / 32 * 32;
            const int up = lane - 2 < base ? lane : lane - 2, down = lane + 3 > top ? lane : lane + 3;
            const int flipped = (lane ^ 5) > top ? lane : lane ^ 5;
            ck_assert_int_eq(p[4 * t], 10 * (warp + base + (lane + 3) % width));
            ck_assert_int_eq(p[4 * t + 1], 10 * (warp + up));
            ck_assert_int_eq(p[4 * t + 2], 10 * (warp + down));
            ck_assert_int_eq(p[4 * t + 3], 10 * (warp + flipped));
        }
    }
    unsigned *u = managed<unsigned>(32 * 6);
    votes<<<1, 32>>>(u);
    OK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 32; t++) {
        ck_assert_uint_eq(u[6 * t], 0x49249249u);
        ck_assert_uint_eq(u[6 * t + 1], 1);
        ck_assert_uint_eq(u[6 * t + 2], 1);
        ck_assert_uint_eq(u[6 * t + 3], 0xffu << t / 8 * 8);
        ck_assert_uint_eq(u[6 * t + 4], (t % 2 ? 0xaaaaaaaau : 0x55555555u) & 0xfffffu);
        ck_assert_uint_eq(u[6 * t + 5], t % 4 == 1 ? 0x22222222u : 0);
    }
    float *f = managed<float>(2048);
    for (int i = 0; i < 1024; i++)
        f[i] = (float)(i % 17);
    warp_sums<<<1, 1024>>>(f + 1024, f);
    OK(cudaDeviceSynchronize());
    for (int w = 0; w < 32; w++) {
        float sum = 0;
        for (int i = 0; i < 32; i++)
            sum += f[32 * w + i];
        ck_assert(f[1024 + w] == sum);
    }
    p[0] = p[1] = 0;
    lock_between_threads<<<8, 64>>>(p, p + 1);
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[1], 512);
    p[0] = p[1] = p[2] = 0;
    flag_between_threads<<<1, 96>>>(p, p + 1);
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(p[2], 6);
}
END_TEST

/* ---- streams, events, graphs ---- */

__global__ void append(int *list, int *length, int what, int spin)
{
    int unused = 0;
    for (int i = 0; i < spin; i++)
        unused += i ^ what;
    list[(*length)++] = unused == 123456789 ? -1 : what;
}
static void host_append(void *p)
{
    int *list = (int *)p;
    list[1 + list[0]++] = 1000;
}
__global__ void add_one(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}

START_TEST(test_streams)
{
    int *list = managed<int>(256), *length = list;
    cudaStream_t a, b;
    cudaEvent_t e, f;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
    for (int i = 0; i < 20; i++)
        append<<<1, 1, 0, a>>>(list + 1, length, i, i % 3 ? 0 : 10000);
    OK(cudaLaunchHostFunc(a, host_append, list));
    OK(cudaEventRecord(f, a));
    OK(cudaStreamWaitEvent(b, f, 0));
    append<<<1, 1, 0, b>>>(list + 1, length, 2000, 0);
    OK(cudaStreamSynchronize(b));
    ck_assert_int_eq(list[0], 22);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(list[1 + i], i);
    ck_assert_int_eq(list[21], 1000);
    ck_assert_int_eq(list[22], 2000);
    /* the default stream orders the blocking ones */
    list[0] = 0;
    append<<<1, 1, 0, a>>>(list + 1, length, 1, 100000);
    append<<<1, 1>>>(list + 1, length, 2, 10000);
    append<<<1, 1, 0, a>>>(list + 1, length, 3, 0);
    OK(cudaDeviceSynchronize());
    ck_assert(list[1] == 1 && list[2] == 2 && list[3] == 3);
    float ms;
    OK(cudaEventRecord(e, a));
    OK(cudaEventSynchronize(e));
    IS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, f));
    (void)cudaGetLastError();
    OK(cudaEventRecord(e));
    append<<<1, 1>>>(list + 1, length, 4, 3000000);
    cudaEvent_t g;
    OK(cudaEventCreate(&g));
    OK(cudaEventRecord(g));
    OK(cudaEventSynchronize(g));
    OK(cudaEventElapsedTime(&ms, e, g));
    ck_assert(ms > 0);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaEventDestroy(e));
}
END_TEST

// The record of a destroyed handle is kept for a while, to find out its use, but not for ever.
START_TEST(test_handles_come_back)
{
    const int rounds = 5000;
    std::vector<cudaEvent_t> events(rounds);
    std::vector<cudaStream_t> streams(rounds);
    for (int i = 0; i < rounds; i++) {
        OK(cudaEventCreate(&events[i]));
        OK(cudaStreamCreate(&streams[i]));
        OK(cudaEventRecord(events[i], streams[i]));
        OK(cudaEventDestroy(events[i]));
        OK(cudaStreamDestroy(streams[i]));
        ck_assert_int_eq(cudaEventSynchronize(events[i]), cudaErrorInvalidResourceHandle);
        ck_assert_int_eq(cudaStreamSynchronize(streams[i]), cudaErrorInvalidResourceHandle);
    }
    std::sort(events.begin(), events.end());
    std::sort(streams.begin(), streams.end());
    ck_assert_int_lt(std::unique(events.begin(), events.end()) - events.begin(), rounds / 2);
    ck_assert_int_lt(std::unique(streams.begin(), streams.end()) - streams.begin(), rounds / 2);
}
END_TEST

__global__ void wait_until_set(volatile int *flag)
{
    while (!*flag)
        ;
}

// What waits behind one slow kernel ends in a loop when the kernel does, however much it is: in a stream and in a graph.
START_TEST(test_long_chains)
{
    const int many = 300000;
    int *flag = managed<int>(1);
    cudaStream_t s;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    wait_until_set<<<1, 1, 0, s>>>(flag);
    for (int i = 0; i < many; i++)
        OK(cudaEventRecord(e, s));
    IS(cudaErrorNotReady, cudaEventQuery(e));
    *(volatile int *)flag = 1;
    OK(cudaStreamSynchronize(s));
    OK(cudaEventQuery(e));

    cudaGraphNode_t before, node;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEmptyNode(&before, graph, NULL, 0));
    for (int i = 0; i < many; i++, before = node)
        OK(cudaGraphAddEmptyNode(&node, graph, &before, 1));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}
END_TEST

START_TEST(test_graphs)
{
    const int n = 1000;
    int *p, *q, h[n];
    cudaStream_t s, t;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaMalloc(&p, sizeof h));
    OK(cudaMalloc(&q, sizeof h));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&forked));
    OK(cudaEventCreate(&joined));
    OK(cudaMemset(q, 0, sizeof h));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(p, 0, sizeof h, s));
    OK(cudaEventRecord(forked, s));
    OK(cudaStreamWaitEvent(t, forked, 0));
    add_one<<<4, 256, 0, s>>>(p, n);
    add_one<<<4, 256, 0, t>>>(q, n);
    OK(cudaEventRecord(joined, t));
    OK(cudaStreamWaitEvent(s, joined, 0));
    add_one<<<4, 256, 0, s>>>(p, n);
    OK(cudaStreamEndCapture(s, &graph));
    size_t nodes;
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    ck_assert_uint_eq(nodes, 4);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
    ck_assert_int_eq(h[0], 0);
    for (int i = 0; i < 10; i++)
        OK(cudaGraphLaunch(exec, s));
    add_one<<<4, 256, 0, s>>>(p, n);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    ck_assert(h[0] == 3 && h[n - 1] == 3);
    OK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
    ck_assert(h[0] == 10 && h[n - 1] == 10);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    IS(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    IS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    (void)cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
}
END_TEST

START_TEST(test_host_threads)
{
    std::vector<std::thread> threads;
    int *p = managed<int>(8 * 1000);
    for (int k = 0; k < 8; k++)
        threads.emplace_back([=] {
            cudaStream_t s;
            cudaStreamCreate(&s);
            for (int i = 0; i < 50; i++)
                add_one<<<4, 256, 0, s>>>(p + k * 1000, 1000);
            cudaStreamSynchronize(s);
            cudaStreamDestroy(s);
        });
    for (std::thread &t : threads)
        t.join();
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8000; i++)
        ck_assert_int_eq(p[i], 50);
}
END_TEST

/* ---- memory ---- */

/* Which side a copy calls the device's: an H200 (CUDA 13.0) copies between any two kinds of memory and looks at one thing only,
 * whether pageable memory is called the device's. */
static void any_direction(void)
{
    const size_t bytes = 64;
    int *memory[4][2], value = 0; /* pageable, pinned, device, managed */
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_nonnull(memory[0][i] = (int *)malloc(bytes));
        OK(cudaMallocHost(&memory[1][i], bytes));
        OK(cudaMalloc(&memory[2][i], bytes));
        OK(cudaMallocManaged(&memory[3][i], bytes));
    }
    for (int to = 0; to < 4; to++)
        for (int from = 0; from < 4; from++)
            for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDeviceToDevice; kind++) {
                int *dst = memory[to][0], *src = memory[from][1], was = ++value, is = ++value, got = 0;
                OK(cudaMemcpy(src, &is, sizeof is, cudaMemcpyDefault));
                OK(cudaMemcpy(dst, &was, sizeof was, cudaMemcpyDefault));
                bool device_dst = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
                bool device_src = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
                bool refused = (device_dst && to == 0) || (device_src && from == 0);
                IS(refused ? cudaErrorInvalidValue : cudaSuccess, cudaMemcpy(dst, src, sizeof is, (cudaMemcpyKind)kind));
                OK(cudaMemcpy(&got, dst, sizeof got, cudaMemcpyDefault));
                ck_assert_int_eq(got, refused ? was : is);
            }
    cudaGetLastError();
    for (int i = 0; i < 2; i++) {
        free(memory[0][i]);
        OK(cudaFreeHost(memory[1][i]));
        OK(cudaFree(memory[2][i]));
        OK(cudaFree(memory[3][i]));
    }
}

START_TEST(test_memory)
{
    const int w = 100, h = 7;
    float src[h][w], dst[h][w];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            src[y][x] = (float)(y * w + x);
    float *d;
    size_t pitch;
    OK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
    ck_assert(pitch >= w * sizeof(float) && pitch % 256 == 0);
    OK(cudaMemset2D(d, pitch, 0, w * sizeof(float), h));
    OK(cudaMemcpy2D(d, pitch, src, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(dst, w * sizeof(float), d, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(src, dst, sizeof src);
    char *big;
    OK(cudaMalloc(&big, 1000));
    ck_assert_uint_eq((uintptr_t)big % 256, 0);
    IS(cudaErrorInvalidValue, cudaMemcpy(big, src, 1001, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(big + 500, src, 501, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemset(big, 0, 1001));
    IS(cudaErrorInvalidValue, cudaMemcpy(dst, src, 8, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidValue, cudaMemcpy(NULL, src, 8, cudaMemcpyHostToDevice));
    IS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(big, src, 8, (cudaMemcpyKind)9));
    any_direction();
    IS(cudaErrorInvalidValue, cudaFree(big + 4));
    OK(cudaFree(big));
    IS(cudaErrorInvalidValue, cudaFree(big));
    OK(cudaFree(NULL));
    void *p;
    IS(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 46));
    (void)cudaGetLastError();
    cudaPointerAttributes a;
    OK(cudaPointerGetAttributes(&a, d));
    ck_assert_int_eq(a.type, cudaMemoryTypeDevice);
    OK(cudaPointerGetAttributes(&a, src));
    ck_assert_int_eq(a.type, cudaMemoryTypeUnregistered);
    int *pinned;
    OK(cudaMallocHost(&pinned, 4000));
    OK(cudaPointerGetAttributes(&a, pinned + 10));
    ck_assert_int_eq(a.type, cudaMemoryTypeHost);
    OK(cudaFreeHost(pinned));
    size_t before, after, total;
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMalloc(&p, 64 << 20));
    OK(cudaMemGetInfo(&after, &total));
    ck_assert(before - after >= 64 << 20);
    OK(cudaFree(p));
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaMallocAsync(&p, 4000, s));
    OK(cudaMemsetAsync(p, 1, 4000, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamSynchronize(s));
}
END_TEST

/* ---- errors ---- */

__global__ void nothing() {}
__global__ void __launch_bounds__(64) small_blocks() {}
__global__ void writes_to(int *p) { *p = 1; }
__global__ void asserts(int x) { assert(x == 1); }
__global__ void traps() { __trap(); }

START_TEST(test_launch_errors)
{
    struct {
        dim3 grid, block;
        size_t shared;
    } wrong[] = {{dim3(1), dim3(1025), 0}, {dim3(1), dim3(64, 32), 0}, {dim3(1), dim3(1, 1, 65), 0}, {dim3(0), dim3(1), 0},
                 {dim3(1), dim3(0), 0}, {dim3(1, 65536), dim3(1), 0}, {dim3(1, 1, 65536), dim3(1), 0}, {dim3(1), dim3(1), 1 << 20}, {dim3(1), dim3(1), 49153}};
    for (auto &w : wrong) {
        nothing<<<w.grid, w.block, w.shared>>>();
        IS(cudaErrorInvalidValue, cudaPeekAtLastError());
        IS(cudaErrorInvalidValue, cudaGetLastError());
        IS(cudaSuccess, cudaGetLastError());
    }
    nothing<<<1, 1024, 49152>>>();
    OK(cudaGetLastError());
    OK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    nothing<<<1, 1, 100000>>>();
    OK(cudaGetLastError());
    small_blocks<<<1, 64>>>();
    OK(cudaGetLastError());
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, small_blocks));
    ck_assert_int_eq(a.maxThreadsPerBlock, 64);
    OK(cudaFuncGetAttributes(&a, several_shared));
    ck_assert_uint_ge(a.sharedSizeBytes, 64 * 4 + 64 + 16);
    int blocks;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
    ck_assert_int_eq(blocks, 8);
    IS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&blocks));
    IS(cudaErrorInvalidDevice, cudaSetDevice(99));
    ck_assert_str_eq(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    ck_assert_str_eq(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
}
END_TEST

/* after an error in a kernel nothing works any more: each in a process of its own (CK_FORK). What each call says is what
   it says on an H200 (CUDA 13.0): the last error is forgotten once told, the device's is not. */
static void sticky(cudaError_t expected)
{
    IS(expected, cudaDeviceSynchronize());
    IS(expected, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());
    void *p;
    int device;
    IS(expected, cudaMalloc(&p, 4));
    IS(expected, cudaPeekAtLastError());
    IS(expected, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());
    writes_to<<<1, 1>>>(NULL);
    IS(expected, cudaPeekAtLastError());
    IS(expected, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());
    IS(expected, cudaDeviceSynchronize());
    IS(cudaSuccess, cudaGetDevice(&device));
    IS(cudaSuccess, cudaSetDevice(0));
    IS(expected, cudaFree(NULL));
}
START_TEST(test_null_pointer)
{
    writes_to<<<1, 32>>>(nullptr);
    sticky(cudaErrorIllegalAddress);
}
END_TEST
START_TEST(test_assert)
{
    asserts<<<1, 32>>>(2);
    sticky(cudaErrorAssert);
}
END_TEST

#ifdef __CUCC__
START_TEST(test_trap)
{
    traps<<<1, 32>>>();
    sticky(cudaErrorLaunchFailure);
}
END_TEST

__global__ void half_a_barrier()
{
    if (threadIdx.x < 10)
        __syncthreads();
    else
        __syncwarp();
}
static void deadlocks()
{
    half_a_barrier<<<1, 32>>>();
    _exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1);
}
__global__ void never_ends(volatile int *p)
{
    while (*p == 0)
        ;
}
static void endless()
{
    setenv("CUDA_CPU_WATCHDOG", "0.5", 1);
    int *p;
    cudaMallocManaged(&p, 4);
    *p = 0;
    never_ends<<<1, 40>>>(p);
    _exit(cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1);
}

START_TEST(test_what_it_says)
{
    char text[4096];
    int status = said(deadlocks, text, sizeof text);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d: %s", status, text);
    ck_assert_msg(strstr(text, "deadlock") && strstr(text, "half_a_barrier") && strstr(text, "10 at __syncthreads") && strstr(text, "22 at __syncwarp"), "%s", text);
    status = said(endless, text, sizeof text);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d: %s", status, text);
    ck_assert_msg(strstr(text, "no progress") && strstr(text, "never_ends"), "%s", text);
}
END_TEST

START_TEST(test_host_access_faults)
{
    char text[4096];
    unsetenv("CUDA_CPU_HOST_ACCESS");
    int status = said([] {
        float *d;
        cudaMalloc(&d, 400);
        *(volatile float *)(d + 10) = 1;
    }, text, sizeof text);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %d", status);
    ck_assert_msg(strstr(text, "host code touched device memory") && strstr(text, "40 bytes into the 400 bytes"), "%s", text);
}
END_TEST

/* A child of a process that has used the device cannot use it, as with CUDA. */
START_TEST(test_fork)
{
    char text[1024];
    OK(cudaFree(NULL));
    int status = said([] { _exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 0 : 1); }, text, sizeof text);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("cpudevice: core");
    TCase *tests = tcase_create("core");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_language);
    tcase_add_test(tests, test_barriers);
    tcase_add_test(tests, test_warps);
    tcase_add_test(tests, test_streams);
    tcase_add_test(tests, test_handles_come_back);
    tcase_add_test(tests, test_long_chains);
    tcase_add_test(tests, test_graphs);
    tcase_add_test(tests, test_host_threads);
    tcase_add_test(tests, test_memory);
    tcase_add_test(tests, test_launch_errors);
    tcase_add_test(tests, test_null_pointer);
    tcase_add_test(tests, test_assert);
#ifdef __CUCC__
    tcase_add_test(tests, test_trap);
    tcase_add_test(tests, test_what_it_says);
    tcase_add_test(tests, test_host_access_faults);
    tcase_add_test(tests, test_fork);
#endif
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
