// probe.cu: measures what the model wants to know of a chip, and writes the chip's file (model/chips/NAME.csv).
//
//     nvcc -O3 -arch=native -o probe cpudevice/model/probe.cu && ./probe > mychip.csv
//     CUDA_CPU_MODEL=./mychip.csv ./program
//
// Nothing here is a program that the model is judged by: each kernel does one thing only, over and over. What cannot be
// measured from a program is asked of the driver or, where it does not know, is a line with the sheet's figure to edit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t e_ = (call);                                                                                       \
        if (e_ != cudaSuccess) {                                                                                       \
            fprintf(stderr, "probe: %s: %s\n", #call, cudaGetErrorString(e_));                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static int repeats = 15;
static cudaEvent_t begin_, end_;
static long long *spun;

__global__ void spin_kernel(long long cycles, long long *spent)
{
    long long start = clock64(), now;
    do
        now = clock64();
    while (now - start < cycles);
    *spent = now - start;
}

// The median time in microseconds of what `work` launches. The device spins until both events and the work between them
// are queued, so that the host's own time is not in it.
template <class Work> static double median_us(Work work)
{
    std::vector<float> ms;
    work();
    for (int i = 0; i < repeats; i++) {
        float t;
        spin_kernel<<<1, 1>>>(repeats > 1 ? 100000 : 1, spun);
        CHECK(cudaEventRecord(begin_));
        work();
        CHECK(cudaEventRecord(end_));
        CHECK(cudaEventSynchronize(end_));
        CHECK(cudaGetLastError());
        CHECK(cudaEventElapsedTime(&t, begin_, end_));
        ms.push_back(t);
    }
    std::sort(ms.begin(), ms.end());
    return 1e3 * ms[ms.size() / 2];
}

__global__ void empty_kernel() {}

__global__ void copy_kernel(const float4 *from, float4 *to, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

// Each block reads all of it, beginning at a place of its own.
__global__ void read_kernel(const float4 *from, unsigned n, unsigned rounds, float *out)
{
    float s = 0;
    unsigned i = (blockIdx.x * 2654435761u % n / blockDim.x * blockDim.x + threadIdx.x) % n;
    for (unsigned r = 0; r < rounds; r += 4) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v[k] = __ldcg(from + i);
            i += blockDim.x;
            i = i >= n ? i - n : i;
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            s += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    if (s == 12345.678f)
        *out = s;
}

// One thread goes from element to element: each load waits for the one before.
__global__ void chase_kernel(const uint32_t *next, int steps, uint32_t *out, long long *cycles)
{
    uint32_t at = 0;
    for (int i = 0; i < steps / 4; i++)
        at = next[at];
    long long start = clock64();
    for (int i = 0; i < steps; i++)
        at = next[at];
    *cycles = clock64() - start;
    *out = at;
}

__global__ void chase_shared_kernel(int steps, uint32_t *out, long long *cycles)
{
    __shared__ volatile uint32_t next[1024];
    for (int i = 0; i < 1024; i++)
        next[i] = (i * 5 + 33) % 1024;
    uint32_t at = 0;
    long long start = clock64();
    for (int i = 0; i < steps; i++)
        at = next[at];
    *cycles = clock64() - start;
    *out = at;
}

__global__ void barrier_kernel(int rounds, long long *cycles)
{
    long long start = clock64();
    for (int i = 0; i < rounds; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

// Each shuffle waits for the one before.
__global__ void shuffle_kernel(int steps, uint32_t *out, long long *cycles)
{
    uint32_t v = threadIdx.x;
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++)
        v = __shfl_xor_sync(0xffffffffu, v, 1);
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
    out[threadIdx.x % 16] = v;
}

// mask 0: all on one address.
__global__ void atomic_kernel(unsigned *a, unsigned mask, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(a + ((i + r * 4096u * 33u) & mask), 1u);
}

// Stores of `bytes` (4 or 16) to places `stride` bytes apart, again and again over `size` bytes.
template <class T> __global__ void store_kernel(char *to, size_t stride, size_t size, int rounds)
{
    const size_t all = (size_t)gridDim.x * blockDim.x * stride;
    size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int r = 0; r < rounds; r++, at += all)
        *(T *)(to + at % size) = T{};
}

// Each block adds to the words of one group of `words`, all blocks to the same group.
__global__ void atomic_group_kernel(unsigned *a, unsigned words, unsigned stride, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(a + (i * stride + (unsigned)r * 7) % words, 1u);
}

// Each warp loads again and again, and each load waits for the one before: as many bytes are in flight as warps ask for.
__global__ void wait_kernel(const float4 *from, size_t n, int rounds, float *out)
{
    const size_t all = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int r = 0; r < rounds; r++) {
        const float4 v = __ldcg(from + i);
        s += v.x + v.y + v.z + v.w; /* 0 */
        i += all + (size_t)(v.x != 0);
        i = i >= n ? i - n : i;
    }
    if (s != 0)
        *out = s;
}

// Four chains of `op` a thread: more than the units take at once. No step can be left out, as `b` is known at run time only.
template <class Op, class T> __global__ void arithmetic_kernel(Op op, T b, int rounds, T *out)
{
    T x[4];
    for (int k = 0; k < 4; k++)
        x[k] = b + (T)(threadIdx.x % 8 + k) * b;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 4; k++)
            x[k] = op(x[k], b);
    const T s = x[0] + x[1] + x[2] + x[3];
    if (s == (T)12345.678)
        *out = s;
}

struct do_fma {
    template <class T> __device__ T operator()(T x, T b) const { return fma(x, b, b); }
};
struct do_convert { // to double, and back; a product alone nvcc would do in float, and it would be the same
    __device__ float operator()(float x, float b) const { return (float)fma((double)x, 0.7, 0.3 * (double)b); }
};
struct do_divide {
    template <class T> __device__ T operator()(T x, T b) const { return b / x; }
};
struct do_root {
    template <class T> __device__ T operator()(T x, T b) const { return sqrt(x) + b; }
};
struct do_exp {
    template <class T> __device__ T operator()(T x, T b) const { return exp(-x * b); }
};
struct do_log {
    template <class T> __device__ T operator()(T x, T b) const { return log(x * x + b); }
};
struct do_sin {
    template <class T> __device__ T operator()(T x, T b) const { return sin(x + b); }
};
struct do_pow {
    template <class T> __device__ T operator()(T x, T b) const { return pow(x * x + b, b); }
};

static void line(const char *figure, double value, const char *unit, const char *source)
{
    printf("%s,%.5g,%s,%s\n", figure, value, unit, source);
}

static int attribute(cudaDeviceAttr a)
{
    int v;
    CHECK(cudaDeviceGetAttribute(&v, a, 0));
    return v;
}

// Cycles per load of a chase through so many bytes, in steps of 128 bytes, in random order.
static double chase(size_t bytes, long long *cycles, uint32_t *out, int steps)
{
    const size_t lines = bytes / 128;
    std::vector<uint32_t> order(lines), next(lines * 32, 0);
    uint32_t seed = 1;
    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        seed = seed * 1664525u + 1013904223u;
        std::swap(order[i], order[(size_t)((uint64_t)seed * (i + 1) >> 32)]);
    }
    for (size_t i = 0; i < lines; i++)
        next[order[i] * (size_t)32] = order[(i + 1) % lines] * 32;
    // The walk begins at element 0, which is some line's first.
    uint32_t *d_next;
    CHECK(cudaMalloc(&d_next, bytes));
    CHECK(cudaMemcpy(d_next, next.data(), bytes, cudaMemcpyHostToDevice));
    chase_kernel<<<1, 1>>>(d_next, steps, out, cycles);
    CHECK(cudaDeviceSynchronize());
    long long c;
    CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_next));
    return (double)c / steps;
}

static double read_gbps(const float4 *d, size_t bytes, float *out, int sms)
{
    const unsigned n = (unsigned)(bytes / 16), rounds = 512, blocks = (unsigned)sms * 4, threads = 512;
    double us = median_us([&] { read_kernel<<<blocks, threads>>>(d, n, rounds, out); });
    return (double)blocks * threads * rounds * 16 / us / 1e3;
}

// How many of `op` a multiprocessor does in a cycle.
template <class T, class Op> static double per_cycle(Op op, int sms, double clock_mhz, float *out)
{
    const bool small = repeats == 1;
    const int rounds = small ? 2 : 512, threads = small ? 32 : 512, blocks = small ? 1 : 4 * sms;
    const double us = median_us([&] { arithmetic_kernel<<<blocks, threads>>>(op, (T)1.25, rounds, (T *)out); });
    return 4.0 * rounds * threads * blocks / sms / (us * clock_mhz);
}

// Arithmetic in double. What the model does not read is for who wants to compare with its sequences (estimate.c).
static void double_arithmetic(int sms, double clock_mhz, float *out, const char *source)
{
    auto rate = [&](auto t, auto op) { return per_cycle<decltype(t)>(op, sms, clock_mhz, out); };
    line("fp64_per_cycle", rate(0.0, do_fma{}), "", source);
    line("fp64_conversions_per_cycle", 2 * rate(0.0f, do_convert{}), "", source);
    printf("# in double, per cycle: %.4g divisions, %.4g square roots, %.4g exp, %.4g log, %.4g sin, %.4g pow\n",
           rate(0.0, do_divide{}), rate(0.0, do_root{}), rate(0.0, do_exp{}), rate(0.0, do_log{}), rate(0.0, do_sin{}),
           rate(0.0, do_pow{}));
    printf(
        "# in float, per cycle: %.4g fma, %.4g divisions, %.4g square roots, %.4g exp, %.4g log, %.4g sin, %.4g pow\n",
        rate(0.0f, do_fma{}), rate(0.0f, do_divide{}), rate(0.0f, do_root{}), rate(0.0f, do_exp{}),
        rate(0.0f, do_log{}), rate(0.0f, do_sin{}), rate(0.0f, do_pow{}));
}

// A multiprocessor's cycles per block of an empty kernel, so many blocks at once (shared memory says how many).
static double block_cycles(int threads, size_t shared, int sms, double clock_mhz, int per_sm)
{
    CHECK(cudaFuncSetAttribute(empty_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    const double few = median_us([&] { empty_kernel<<<(unsigned)sms, threads, shared>>>(); });
    const double many = median_us([&] { empty_kernel<<<(unsigned)(sms * (per_sm + 1)), threads, shared>>>(); });
    return (many - few) * clock_mhz / per_sm;
}

// p, by which (a^p + b^p)^(1/p) is `both`.
static double exponent(double a, double both, double b)
{
    double low = 1, high = 16;
    for (int i = 0; i < 60; i++) {
        const double p = (low + high) / 2;
        (pow(pow(a / both, p) + pow(b / both, p), 1 / p) > 1 ? low : high) = p;
    }
    return low;
}

// Multiply-adds of 16 bits, summed in 32, that a multiprocessor's tensor cores do in a cycle.
static double tensor_rate(int major, int minor)
{
    if (major >= 10)
        return 4096;
    if (major == 9)
        return 2048;
    return major == 8 && minor == 0 ? 1024 : major == 8 ? 256 : 512;
}

// How much later an empty kernel begins if the host has waited for the one before: the median of several rounds, less what a
// launch takes that is queued.
static double wait_us(double launch_us)
{
    std::vector<float> each;
    const int launches = repeats > 1 ? 64 : 2;
    for (int i = 0; i < repeats; i++) {
        float ms;
        CHECK(cudaEventRecord(begin_));
        for (int k = 0; k < launches; k++) {
            empty_kernel<<<1, 32>>>();
            CHECK(cudaStreamSynchronize(0));
        }
        CHECK(cudaEventRecord(end_));
        CHECK(cudaEventSynchronize(end_));
        CHECK(cudaEventElapsedTime(&ms, begin_, end_));
        each.push_back(1e3f * ms / launches);
    }
    std::sort(each.begin(), each.end());
    return std::max(0.0, each[each.size() / 2] - launch_us);
}

int main(int argc, char **argv)
{
    const bool small = argc > 1 && argv[1][0] == 's'; // on the CPU device: that it runs, not how fast
    const size_t mega = 1 << 20, dram = small ? 1 * mega : 1024 * mega;
    if (small)
        repeats = 1;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaEventCreate(&begin_));
    CHECK(cudaEventCreate(&end_));
    char *buffer;
    long long *cycles, c;
    uint32_t *out;
    CHECK(cudaMalloc(&buffer, 2 * dram));
    CHECK(cudaMemset(buffer, 0, 2 * dram));
    CHECK(cudaMalloc(&cycles, sizeof *cycles));
    CHECK(cudaMalloc(&spun, sizeof *spun));
    CHECK(cudaMalloc(&out, 64));
    const int sms = p.multiProcessorCount;
    const char *ours = "cpudevice/model/probe.cu on this chip", *asked = "the driver";
    time_t now = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("# device: %s\n# date: %s\n# command: cpudevice/model/probe.cu\nfigure,value,unit,source\n", p.name, date);
    printf("measured,1,,%s\n", ours);
    line("sms", sms, "", asked);
    spin_kernel<<<1, 1>>>(1000000, cycles);
    double us = median_us([&] { spin_kernel<<<1, 1>>>(small ? 100000 : 20000000, cycles); });
    CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
    const double clock = c / us;
    line("clock_mhz", clock, "MHz", ours);
    line("warps_per_sm", p.maxThreadsPerMultiProcessor / 32, "", asked);
    line("blocks_per_sm", attribute(cudaDevAttrMaxBlocksPerMultiprocessor), "", asked);
    line("registers_per_sm", p.regsPerMultiprocessor, "", asked);
    line("shared_kb", p.sharedMemPerMultiprocessor / 1024.0, "KiB", asked);
    line("shared_reserved", attribute(cudaDevAttrReservedSharedMemoryPerBlock), "bytes", asked);
    line("l1_kb", p.sharedMemPerMultiprocessor / 1024.0 + 28, "KiB",
         "CUDA programming guide: 28 KiB or more over shared_kb");
    line("l2_mb", p.l2CacheSize / 1048576.0, "MiB", asked);
    const size_t n = dram / 16;
    us = median_us([&] {
        copy_kernel<<<(unsigned)((n + 255) / 256), 256>>>((const float4 *)buffer, (float4 *)(buffer + dram), n);
    });
    line("dram_gbps", 2 * dram / us / 1e3, "GB/s", ours);
    line("l2_gbps", read_gbps((const float4 *)buffer, small ? mega / 4 : 16 * mega, (float *)out, small ? 1 : sms),
         "GB/s", ours);
    line("l1_bytes_per_cycle", 128, "bytes", "CUDA programming guide: 32 banks of 4 bytes");
    line("issue_per_cycle", 4, "", "CUDA programming guide: 4 schedulers");
    const char *guide = "CUDA C++ Best Practices Guide 13; Table 5: throughput of native arithmetic instructions";
    line("alu_per_cycle", 64, "", guide);
    line("fma_per_cycle", p.major == 7 || (p.major == 8 && p.minor == 0) ? 64 : 128, "", guide);
    line("imad_per_cycle", 64, "", guide);
    line("xu_per_cycle", 16, "", guide);
    line("tensor_fma_per_cycle", tensor_rate(p.major, p.minor), "",
         "data sheets: dense 16-bit peak / (2 * multiprocessors * clock)");
    double_arithmetic(sms, clock, (float *)out, ours);
    chase_shared_kernel<<<1, 1>>>(small ? 64 : 4096, out, cycles);
    CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
    line("shared_cycles", (double)c / (small ? 64 : 4096), "cycles", ours);
    line("l1_cycles", chase(16384, cycles, out, small ? 64 : 4096), "cycles", ours);
    line("l2_cycles", chase(small ? mega : 4 * mega, cycles, out, small ? 64 : 65536), "cycles", ours);
    line("dram_cycles", chase(small ? mega : 512 * mega, cycles, out, small ? 64 : 65536), "cycles", ours);
    barrier_kernel<<<1, 256>>>(small ? 8 : 1000, cycles);
    CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
    line("barrier_cycles", (double)c / (small ? 8 : 1000), "cycles", ours);
    shuffle_kernel<<<1, 32>>>(small ? 16 : 4096, out, cycles);
    CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
    line("shuffle_cycles", (double)c / (small ? 16 : 4096), "cycles", ours);
    const unsigned blocks = small ? 2 : (unsigned)sms * 8, rounds = small ? 2 : 64;
    us = median_us(
        [&] { atomic_kernel<<<blocks, 256>>>((unsigned *)buffer, (small ? 1u : 4u) * 65536 - 1, (int)rounds); });
    line("atomics_per_ns", blocks * 256.0 * rounds / us / 1e3, "1/ns", ours);
    us = median_us([&] { atomic_kernel<<<blocks, 256>>>((unsigned *)buffer, 0, (int)rounds); });
    line("same_atomics_per_ns", blocks * 256.0 * rounds / us / 1e3, "1/ns", ours);
    auto group = [&](unsigned words, unsigned stride) {
        us = median_us([&] { atomic_group_kernel<<<blocks, 256>>>((unsigned *)buffer, words, stride, (int)rounds); });
        return blocks * 256.0 * rounds / us / 1e3;
    };
    for (unsigned words = 8; !small && words <= 1 << 20; words *= 2)
        printf("# atomics on %u words: %.4g per ns; each lane in another sector: %.4g\n", words, group(words, 1),
               group(words, 8));
    const size_t in_l2 = small ? mega / 4 : 16 * mega;
    auto stores = [&](auto t, size_t stride, size_t size) {
        const int n = small ? 2 : 64;
        us = median_us([&] { store_kernel<decltype(t)><<<blocks, 256>>>(buffer, stride, size, n); });
        return blocks * 256.0 * n / us / 1e3;
    };
    line("l2_write_gbps", stores(float4{}, 16, in_l2) * 16, "GB/s", ours);
    line("partial_writes_per_ns", stores(float{}, 128, in_l2), "1/ns", ours);
    for (size_t stride = 4; !small && stride <= 65536; stride *= 2)
        printf("# stores of 4 bytes, %zu bytes apart: %.4g per ns in L2, %.4g beyond; of 16: %.4g, %.4g\n", stride,
               stores(float{}, stride, in_l2), stores(float{}, stride, dram),
               stride < 16 ? 0 : stores(float4{}, stride, in_l2), stride < 16 ? 0 : stores(float4{}, stride, dram));
    line("block_cycles", block_cycles(256, (size_t)200 * 1024, sms, clock, small ? 1 : 256), "cycles", ours);
    line("blocks_per_us", sms / block_cycles(256, 0, sms, clock, small ? 1 : 1024) * clock, "1/us", ours);
    for (int threads = 32; !small && threads <= 1024; threads *= 2)
        printf("# empty blocks of %d threads: %.4g cycles each, one by one %.4g\n", threads,
               block_cycles(threads, 0, sms, clock, 1024), block_cycles(threads, 200 * 1024, sms, clock, 256));
    auto waiting = [&](int warps, size_t bytes) {
        const unsigned per_block = 8, grid = (unsigned)(sms * warps) / per_block;
        const int n_rounds = small ? 2 : 256;
        const double t = median_us(
            [&] { wait_kernel<<<grid, per_block * 32>>>((const float4 *)buffer, bytes / 16, n_rounds, (float *)out); });
        return t / n_rounds;
    };
    line("overlap", small ? 2 : exponent(waiting(8, dram), waiting(32, dram), waiting(64, dram) / 2), "", ours);
    for (int warps = 8; !small && warps <= 64; warps *= 2)
        printf("# %d warps per multiprocessor, each 512 bytes at a time: %.5g GB/s from DRAM, %.5g from L2\n", warps,
               sms * warps * 512 / waiting(warps, dram) / 1e3, sms * warps * 512 / waiting(warps, in_l2) / 1e3);
    const double launch_us = median_us([&] { empty_kernel<<<1, 32>>>(); });
    line("launch_us", launch_us, "us", ours);
    line("wait_us", wait_us(launch_us), "us", ours);
    for (size_t mb = 1; !small && mb <= 256; mb *= 2) // for who wants to see where L2 ends
        printf("# reads of %zu MiB again and again: %.0f GB/s\n", mb,
               read_gbps((const float4 *)buffer, mb * mega, (float *)out, sms));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
