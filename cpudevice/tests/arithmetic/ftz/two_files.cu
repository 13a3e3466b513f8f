// two_files.cu: kernels with -ftz=true and without in one program. This file is compiled in both ways; the names tell which.
//
// BUILD: $cucc -ftz=true -DFLUSH -c -o $work/flush.o $case && $cucc -c -o $work/keep.o $case && $cucc -o $exe $work/flush.o $work/keep.o
// TEST: a kernel with -ftz=true flushes, one without keeps subnormal numbers, and so does the host
// RUN: CUDA_CPU_WORKERS=1 $exe && $exe && CUDA_CPU_WORKERS=3 $exe
// TEST: on fibers, too
// RUN: $cucc --fibers -ftz=true -DFLUSH -c -o $work/flush.o $case && $cucc --fibers -c -o $work/keep.o $case
// RUN: $cucc -o $work/fibers $work/flush.o $work/keep.o && CUDA_CPU_WORKERS=1 $work/fibers && $work/fibers
// TEST: and under --check
// RUN: $cucc --check -ftz=true -DFLUSH -c -o $work/flush.o $case && $cucc --check -c -o $work/keep.o $case
// RUN: $cucc --check -o $work/check $work/flush.o $work/keep.o && $work/check without_failure
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef FLUSH
#define NAME(x) flush_##x
#define OTHER(x) keep_##x
#else
#define NAME(x) keep_##x
#define OTHER(x) flush_##x
#endif

__global__ void OTHER(loop)(float *p);
__global__ void NAME(loop)(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f; }
__global__ void NAME(barrier)(float *p)
{
    __shared__ float s[64];
    s[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x] * 0.75f;
    __syncthreads();
    p[blockIdx.x * blockDim.x + threadIdx.x] = s[63 - threadIdx.x] * 0.75f;
}
__global__ void __cluster_dims__(2) NAME(cluster)(float *p)
{
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    p[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
}
__global__ void NAME(launches)(float *p, float *q) // the other's kernel runs in its own way, and then this one goes on
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        OTHER(loop)<<<1, 64>>>(q);
    p[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
}
__global__ void NAME(sum)(float *p)
{
    __shared__ float s; // an atomic's sum in shared memory is not flushed, in global memory it is
    if (threadIdx.x == 0)
        s = 0.0f;
    __syncthreads();
    if (threadIdx.x < 2)
        atomicAdd(&s, threadIdx.x ? 1.5e-38f : -1.2e-38f);
    __syncthreads();
    p[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void NAME(fails)(float *p)
{
    p[threadIdx.x] *= 0.5f;
    if (threadIdx.x == 63)
        __trap();
}
__global__ void NAME(waits)(float *p, int *flag) // for a block that another OS thread has to run
{
    if (blockIdx.x == 0)
        while (!atomicAdd(flag, 0))
            ;
    atomicExch(flag, 1);
    p[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;
}
template <class T> __global__ void NAME(scale)(T *p, T by) { p[threadIdx.x] *= by; }

// The host's part, in each file: what its kernels have left of subnormal numbers is 0, or not.
static const int N = 256;
static int wrong;
static volatile float small = 1e-39f;
static void judge(const char *what, bool kept, bool keep)
{
    if (kept != keep) {
        printf("%s: subnormal numbers are %s\n", what, kept ? "kept" : "flushed");
        wrong++;
    }
}
static void judge_host(void *what) { judge((const char *)what, small * 0.5f != 0.0f, true); }
static void judge_memory(const char *what, const float *p, int n, bool keep)
{
    float h[N];
    cudaMemcpy(h, p, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &h[i], sizeof bits);
        judge(what, bits << 1 != 0, keep);
    }
    judge_host((void *)"the host");
}
static void fill(float *p)
{
    float h[N];
    for (int i = 0; i < N; i++)
        h[i] = i % 2 ? 1e-39f : 1.2e-38f; // the second becomes subnormal
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
}

#ifdef FLUSH
static const bool keeps = false;
#else
static const bool keeps = true;
#endif
int NAME(host)(bool fail)
{
    float *p, *q;
    cudaMalloc(&p, N * sizeof *p);
    cudaMalloc(&q, N * sizeof *q);
    if (fail) {
        fill(p);
        NAME(fails)<<<4, 64>>>(p);
        judge("the failure", cudaDeviceSynchronize() != cudaSuccess, true);
        judge_host((void *)"the host after a failure");
        return wrong;
    }
    fill(p);
    NAME(loop)<<<4, 64>>>(p);
    cudaLaunchHostFunc(nullptr, judge_host, (void *)"a host function");
    judge_memory("a loop", p, N, keeps);
    fill(p);
    NAME(barrier)<<<4, 64>>>(p);
    judge_memory("a kernel with barriers", p, N, keeps);
    fill(p);
    NAME(cluster)<<<4, 64>>>(p);
    cudaLaunchHostFunc(nullptr, judge_host, (void *)"a host function after a cluster");
    judge_memory("a cluster", p, N, keeps);
    fill(p);
    fill(q);
    NAME(launches)<<<4, 64>>>(p, q);
    judge_memory("a kernel that launches another", p, N, keeps);
    NAME(sum)<<<4, 64>>>(p);
    judge_memory("an atomic in shared memory", p, N, true);
    fill(p);
    cudaMemset(q, 0, sizeof(int));
    NAME(waits)<<<4, 64>>>(p, (int *)q);
    cudaLaunchHostFunc(nullptr, judge_host, (void *)"a host function after blocks that wait");
    judge_memory("blocks that wait for others", p, N, keeps);
    const double tiny = 1e-310;
    double *d, back;
    cudaMalloc(&d, sizeof tiny);
    cudaMemcpy(d, &tiny, sizeof tiny, cudaMemcpyHostToDevice);
    NAME(scale)<<<1, 1>>>(d, 0.5);
    cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost);
    judge("doubles", back != 0, true);
    fill(p);
    NAME(scale)<<<1, 64>>>(p, 0.5f);
    judge_memory("an instance for float", p, 64, keeps);
    cudaFree(p), cudaFree(q), cudaFree(d);
    return wrong;
}

#ifndef FLUSH
int flush_host(bool fail);
int main(int argc, char **)
{
    int all = 0;
    for (int round = 0; round < 10; round++) {
        all += flush_host(false);
        all += keep_host(false);
    }
    if (argc == 1)
        all += flush_host(true);
    return all != 0;
}
#endif
