// A kernel that ends in the middle of something leaves no lock of the C library locked: the host's other threads print
// and allocate afterwards. And a kernel that has said why it fails is not ended for another reason meanwhile: here nobody
// reads what it says for a second, and the watchdog would end it after half of one.
// Where the watchdog interrupts a kernel is chance: so each is ended forty times.
// BUILD: $cucc -std=c++17 -O1 -arch=sm_90 -o $exe $case
// TEST: the watchdog ends a kernel that prints
// RUN: for i in $(seq 40); do CUDA_CPU_WATCHDOG=0.05 timeout 20 $exe prints >$work/out || [ $? != 124 ]; tail -n 1 $work/out; done
// COUNT: 40 ^cudaErrorLaunchTimeout$
// TEST: the watchdog ends a kernel that calls a host device function that prints
// RUN: for i in $(seq 40); do CUDA_CPU_WATCHDOG=0.05 timeout 20 $exe calls >$work/out || [ $? != 124 ]; tail -n 1 $work/out; done
// COUNT: 40 ^cudaErrorLaunchTimeout$
// TEST: the watchdog ends a kernel that allocates
// RUN: for i in $(seq 40); do CUDA_CPU_WATCHDOG=0.05 timeout 20 $exe allocates >$work/out || [ $? != 124 ]; tail -n 1 $work/out; done
// COUNT: 40 ^cudaErrorLaunchTimeout$
// TEST: the watchdog ends a kernel that calls the runtime
// RUN: for i in $(seq 40); do CUDA_CPU_WATCHDOG=0.05 timeout 20 $exe asks >$work/out || [ $? != 124 ]; tail -n 1 $work/out; done
// COUNT: 40 ^cudaErrorLaunchTimeout$
// TEST: the watchdog ends a kernel that copies asynchronously
// RUN: for i in $(seq 40); do CUDA_CPU_WATCHDOG=0.05 timeout 20 $exe copies >$work/out || [ $? != 124 ]; tail -n 1 $work/out; done
// COUNT: 40 ^cudaErrorLaunchTimeout$
// TEST: a kernel faults while it prints
// RUN: timeout 20 $exe prints_wild 2>$work/err
// PRINTS: cudaErrorIllegalAddress
// TEST: a kernel prints a long text, and what printf() returns
// RUN: $exe prints_long >$work/out 2>$work/err
// RUN: sed 's/  */ /' $work/out
// PRINTS: 1000 7
// PRINTS: 1
// PRINTS: cudaSuccess
// TEST: the watchdog says once that it ends a kernel
// RUN: $cucc -std=c++17 -O1 -arch=sm_90 --fibers -o $work/fibers $case
// RUN: (CUDA_CPU_WATCHDOG=0.02 timeout 20 $work/fibers full spins 2>&1 >$work/out | (sleep 3; cat); tail -n 1 $work/out)
// COUNT: 1 no progress
// COUNT: 1 ^cudaErrorLaunchTimeout$
// TEST: an assertion fails and nobody reads that
// RUN: (CUDA_CPU_WATCHDOG=0.02 timeout 20 $exe full asserts 2>&1 >$work/out | (sleep 2; cat); tail -n 1 $work/out)
// COUNT: 1 ^cudaErrorAssert$
// TEST: a kernel traps and nobody reads that
// RUN: (CUDA_CPU_WATCHDOG=0.02 timeout 20 $exe full traps 2>&1 >$work/out | (sleep 2; cat); tail -n 1 $work/out)
// COUNT: 1 ^cudaErrorLaunchFailure$
// TEST: a kernel faults and nobody reads that
// RUN: (CUDA_CPU_WATCHDOG=0.02 timeout 20 $exe full null 2>&1 >$work/out | (sleep 2; cat); tail -n 1 $work/out)
// COUNT: 1 ^cudaErrorIllegalAddress$
// TEST: a block is in a deadlock and nobody reads that
// RUN: (CUDA_CPU_WATCHDOG=0.02 timeout 20 $exe full deadlock 2>&1 >$work/out | (sleep 2; cat); tail -n 1 $work/out)
// MATCHES: ^cudaError
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

__global__ void prints(void *)
{
    for (;;)
        printf("x\n");
}

__host__ __device__ void say() { printf("x\n"); }

__global__ void calls(void *)
{
    for (;;)
        say();
}

__global__ void allocates(void *)
{
    for (;;)
        free(malloc(2000));
}

__global__ void asks(void *)
{
    for (;;) {
        void *p = nullptr;
        cudaMalloc(&p, 2000);
        cudaFree(p);
    }
}

__global__ void copies(void *to)
{
    __shared__ alignas(16) char of[4096];
    const unsigned from = (unsigned)__cvta_generic_to_shared(of);
    for (;;) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(to), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Not before a hundred characters does glibc write to the stream.
__global__ void prints_wild(void *) { printf("%300d %s\n", 7, (const char *)16); }

__global__ void prints_long(void *) 
{
    const int arguments = printf("1000%1000d\n", 7);
    printf("%d\n", arguments);
}

__global__ void spins(void *)
{
    __syncthreads();
    for (volatile int i = 0; !threadIdx.x;)
        i = 1;
}

__global__ void asserts(void *p) { assert(!p); }

__global__ void traps(void *) { __trap(); }

__global__ void null(void *) { *(volatile int *)nullptr = 1; }

__global__ void deadlock(void *)
{
    if (threadIdx.x < 8)
        __syncthreads();
    else
        __syncwarp();
}

static void fill_stderr()
{
    const int flags = fcntl(2, F_GETFL);
    fcntl(2, F_SETFL, flags | O_NONBLOCK);
    while (write(2, "\n", 1) == 1)
        ;
    fcntl(2, F_SETFL, flags);
}

int main(int, char **arguments)
{
    static const struct {
        const char *name;
        void (*kernel)(void *);
        int blocks, threads;
    } all[] = {{"prints", prints, 2, 32},     {"calls", calls, 2, 32},     {"allocates", allocates, 1, 1},
               {"copies", copies, 1, 1},     {"asks", asks, 1, 1},         {"spins", spins, 1, 32},     {"prints_wild", prints_wild, 1, 1},
               {"asserts", asserts, 1, 1},   {"traps", traps, 1, 1},     {"prints_long", prints_long, 1, 1},
               {"deadlock", deadlock, 1, 32}, {"null", null, 1, 1}};
    void *memory;
    cudaMalloc(&memory, 4096);
    const char *name = arguments[1];
    if (!strcmp(name, "full")) {
        name = arguments[2];
        fill_stderr();
    }
    for (const auto &each : all)
        if (!strcmp(each.name, name))
            each.kernel<<<each.blocks, each.threads>>>(memory);
    const cudaError_t error = cudaDeviceSynchronize();
    if (!strcmp(name, "asks")) // takes the runtime's locks
        cudaFree(memory);
    void *kept[1000];
    for (int i = 0; i < 1000; i++)
        kept[i] = malloc(48 + 3 * i);
    for (void *p : kept)
        free(p);
    std::thread([=] {
        fputs("the end\n", stderr);
        printf("%s\n", cudaGetErrorName(error));
    }).join();
}
