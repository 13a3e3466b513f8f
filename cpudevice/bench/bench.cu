/* bench.cu: what the CPU device costs, against plain C with OpenMP in the same run on the same cores.
 *
 *   make bench-cpudevice        (or: cucc -O3 -Xcompiler -fopenmp -o bench bench.cu && ./bench)
 *
 * Each row runs the kernel and its C twin in turn, A B A B, and gives the medians and the ratio of the paired runs. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>
#include <cuda_runtime.h>
#include <omp.h>
#include <unistd.h>

static bool markdown; /* --markdown: a table for README.md */
static bool cpu_time; /* --cpu-time: of all threads together; for a busy machine */

static double now_ms()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double clock_ms() { return cpu_time ? clock() * 1e3 / CLOCKS_PER_SEC : now_ms(); }

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    size_t n = v.size();
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static int failed;

/* The C library's tanhf, which an OpenMP loop calls once an element; the CPU device's header lets kernels use the
 * vector version of glibc. */
static float (*volatile tanhf_of_libm)(float) = tanhf;
static inline float scalar_tanhf(float x) { return tanhf_of_libm(x); }

template <class A, class B> static void row(const char *name, double most, double aim, int runs, A device, B host)
{
    std::vector<double> a, b, ratio;
    for (int i = -2; i < runs; i++) {
        double t0 = clock_ms();
        device();
        cudaDeviceSynchronize();
        double t1 = clock_ms();
        host();
        double t2 = clock_ms();
        if (i < 0)
            continue;
        a.push_back(t1 - t0);
        b.push_back(t2 - t1);
        ratio.push_back((t1 - t0) / (t2 - t1));
    }
    double r = median(ratio);
    if (markdown)
        printf("| %s | %.2f | %.2f | %.2f | %g | %g |\n", name, median(a), median(b), r, most, aim);
    else
        printf("%-34s %10.3f %10.3f %8.2f %8.1f %6.1f  %s\n", name, median(a), median(b), r, most, aim,
               r <= most ? r <= aim ? "aim met" : "ok" : "TOO SLOW");
    fflush(stdout);
    failed += r > most;
}

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void gelu(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
    }
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[32][32], b[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int t = 0; t < n / 32; t++) {
        a[ty][tx] = A[row * n + t * 32 + tx];
        b[ty][tx] = B[(t * 32 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

__global__ void reduce(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int o = 128; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

/* Sixteen bytes per thread, without a loop: what makes vectors of it is not the loop over the threads. */
__device__ unsigned scaled(unsigned word)
{
    unsigned out = 0;
    for (int k = 0; k < 4; k++)
        out |= (unsigned)(0.7f * (word >> 8 * k & 255) + 0.5f) << 8 * k;
    return out;
}
__global__ void scale_bytes(const uint4 *in, uint4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 v = in[i];
    out[i] = make_uint4(scaled(v.x), scaled(v.y), scaled(v.z), scaled(v.w));
}

/* A function called through a pointer may have a barrier, so these threads run one by one, and none becomes a fiber. */
__device__ void meet(float *) { __syncthreads(); }
__global__ void add_apart(const float *a, const float *b, float *c, void (*called)(float *))
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
    if (called)
        called(c);
}

__global__ void empty() {}

__global__ void barriers(int count) /* a closure is not understood: this stays on fibers */
{
    for (int i = 0; i < count; i++) {
        __syncthreads();
        [] {}();
    }
}

/* ---- the same in C with OpenMP ---- */

static void add_c(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

static void scale_bytes_c(const unsigned char *__restrict__ in, unsigned char *__restrict__ out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = (unsigned char)(int)(0.7f * in[i] + 0.5f);
}

static void gelu_c(const float *__restrict__ in, float *__restrict__ out, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = in[i];
        out[i] = 0.5f * x * (1.0f + scalar_tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
    }
}

static void matmul_naive_c(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

/* the tiled kernel's loops, split by hand at its barriers */
static void matmul_tiled_c(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n)
{
#pragma omp parallel for collapse(2)
    for (int by = 0; by < n / 32; by++)
        for (int bx = 0; bx < n / 32; bx++) {
            float a[32][32], b[32][32], sum[32][32] = {};
            for (int t = 0; t < n / 32; t++) {
                for (int ty = 0; ty < 32; ty++)
                    for (int tx = 0; tx < 32; tx++) {
                        a[ty][tx] = A[(by * 32 + ty) * n + t * 32 + tx];
                        b[ty][tx] = B[(t * 32 + ty) * n + bx * 32 + tx];
                    }
                for (int ty = 0; ty < 32; ty++)
                    for (int k = 0; k < 32; k++)
                        for (int tx = 0; tx < 32; tx++)
                            sum[ty][tx] += a[ty][k] * b[k][tx];
            }
            for (int ty = 0; ty < 32; ty++)
                for (int tx = 0; tx < 32; tx++)
                    C[(by * 32 + ty) * n + bx * 32 + tx] = sum[ty][tx];
        }
}

static void reduce_c(const float *__restrict__ in, float *__restrict__ out, int blocks)
{
#pragma omp parallel for
    for (int b = 0; b < blocks; b++) {
        float s[256];
        for (int t = 0; t < 256; t++)
            s[t] = in[b * 256 + t];
        for (int o = 128; o > 0; o /= 2)
            for (int t = 0; t < o; t++)
                s[t] += s[t + o];
        out[b] = s[0];
    }
}

static void transpose_c(const float *__restrict__ in, float *__restrict__ out, int n)
{
#pragma omp parallel for collapse(2)
    for (int by = 0; by < n; by += 32)
        for (int bx = 0; bx < n; bx += 32)
            for (int ty = 0; ty < 32; ty++)
                for (int tx = 0; tx < 32; tx++)
                    out[(bx + ty) * n + by + tx] = in[(by + tx) * n + bx + ty];
}

/* OpenMP's threads should sleep between loops: they spin otherwise, for milliseconds, on the cores that the device's
 * workers need by then. libgomp reads the variable before main begins. */
static void openmp_sleeps(char **argv)
{
    if (getenv("OMP_WAIT_POLICY"))
        return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    openmp_sleeps(argv);
    for (int i = 1; i < argc; i++) {
        cpu_time |= !strcmp(argv[i], "--cpu-time");
        markdown |= !strcmp(argv[i], "--markdown");
    }
    const int N = 1 << 24, M = 512, S = 2048;
    float *x, *y, *z;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    cudaMallocManaged(&z, N * sizeof(float));
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 1000) * 0.001f - 0.5f;
        y[i] = (float)(i % 777) * 0.001f - 0.4f;
        z[i] = 0;
    }
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("CPU device against C with OpenMP, %d cores, %d OpenMP threads; medians of %s time in ms\n\n",
           p.multiProcessorCount, omp_get_max_threads(), cpu_time ? "processor" : "wall");
    if (markdown)
        printf("| kernel | device, ms | OpenMP, ms | ratio | at most | aim |\n| --- | --- | --- | --- | --- | --- |\n");
    else
        printf("%-34s %10s %10s %8s %8s %6s\n", "kernel", "device", "OpenMP", "ratio", "at most", "aim");

    const int G = 1 << 22;
    row(
        "vector add 2^24", 1.6, 1.2, 21, [&] { add<<<N / 256, 256>>>(x, y, z, N); }, [&] { add_c(x, y, z, N); });
    row(
        "GELU 2^22", 1.3, 0.3, 15, [&] { gelu<<<G / 256, 256>>>(x, z, G); }, [&] { gelu_c(x, z, G); });
    row(
        "bytes by 0.7, 2^24", 5, 2, 15, [&] { scale_bytes<<<N / 16 / 256, 256>>>((const uint4 *)x, (uint4 *)z); },
        [&] { scale_bytes_c((const unsigned char *)x, (unsigned char *)z, N); });
    row(
        "vector add 2^22, thread by thread", 15, 8, 15, [&] { add_apart<<<G / 256, 256>>>(x, y, z, NULL); },
        [&] { add_c(x, y, z, G); });
    row(
        "naive matmul 512^3", 1.1, 0.9, 9, [&] { matmul_naive<<<dim3(M / 16, M / 16), dim3(16, 16)>>>(x, y, z, M); },
        [&] { matmul_naive_c(x, y, z, M); });
    row(
        "tiled matmul 512^3, 32 x 32", 14, 8, 9,
        [&] { matmul_tiled<<<dim3(M / 32, M / 32), dim3(32, 32)>>>(x, y, z, M); }, [&] { matmul_tiled_c(x, y, z, M); });
    row(
        "block reduction 2^22, 256 threads", 200, 40, 7, [&] { reduce<<<G / 256, 256>>>(x, z); },
        [&] { reduce_c(x, z, G / 256); });
    row(
        "transpose 2048^2, 32 x 32", 40, 6, 11, [&] { transpose<<<dim3(S / 32, S / 32), dim3(32, 32)>>>(x, z, S); },
        [&] { transpose_c(x, z, S); });

    std::vector<double> t;
    for (int i = -20; i < 400; i++) {
        double t0 = now_ms();
        empty<<<1, 1>>>();
        cudaDeviceSynchronize();
        if (i >= 0)
            t.push_back((now_ms() - t0) * 1e3);
    }
    double us = median(t);
    if (markdown)
        printf("| empty launch + synchronize | %.2f µs | | | 15 µs | 3 µs |\n", us);
    else
        printf("%-34s %7.2f us %10s %8s %5.0f us %3.0f us  %s\n", "empty launch + synchronize", us, "", "", 15.0, 3.0,
               us <= 15 ? us <= 3 ? "aim met" : "ok" : "TOO SLOW");
    failed += us > 15;

    for (int threads : {256, 1024}) {
        const int blocks = 2 * p.multiProcessorCount, count = 200;
        std::vector<double> ns;
        for (int i = -1; i < 7; i++) {
            double t0 = clock_ms();
            barriers<<<blocks, threads>>>(count);
            cudaDeviceSynchronize();
            if (i >= 0)
                ns.push_back((clock_ms() - t0) * 1e6 / (cpu_time ? blocks : 2) / count / threads);
        }
        printf("%sbarrier on fibers, %4d threads: %.2f ns per thread\n", markdown ? "\n" : "", threads, median(ns));
    }
    return failed != 0;
}
