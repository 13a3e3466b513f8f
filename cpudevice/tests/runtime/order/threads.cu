// The order of a block's threads on fibers: each takes a ticket when it begins, so the program sees in which order they came;
// another after what made it wait. That order may then begin in its middle: the thread that comes last to a barrier goes on
// first. Lanes that wait for their warp let its other lanes run, in the same order. Blocks come in one, two and three
// dimensions, whole warps or not.
// BUILD: $cucc --fibers -O1 -std=c++17 -o $exe $case
// TEST: the threads are in forward order by default
// RUN: $exe forward
// TEST: the threads are in forward order
// RUN: CUDA_CPU_ORDER=forward $exe forward
// TEST: the threads are in reverse order
// RUN: CUDA_CPU_ORDER=reverse $exe reverse
// TEST: the threads are in random order
// RUN: CUDA_CPU_ORDER=random:7 $exe random
// RUN: CUDA_CPU_ORDER=random:8 $exe random
// TEST: a seed gives one order of threads, another seed another
// RUN: CUDA_CPU_ORDER=random:7 $exe random >$work/a
// RUN: CUDA_CPU_ORDER=random:7 $exe random >$work/b
// RUN: CUDA_CPU_ORDER=random:8 $exe random >$work/c
// RUN: cmp $work/a $work/b && ! cmp -s $work/a $work/c
// TEST: threads that poll let all others run, in each order
// RUN: for order in forward reverse random:1 random:2 random:3 random:4 random:5 random:6 random:7 random:8; do
// RUN:     CUDA_CPU_WATCHDOG=20 CUDA_CPU_ORDER=$order timeout --foreground 60 $exe polls
// RUN: done
// TEST: threads in another order under the checker
// RUN: $cucc --check --fibers -O1 -std=c++17 -o $work/checked $case
// RUN: CUDA_CPU_ORDER=reverse $work/checked reverse right
// RUN: CUDA_CPU_ORDER=random:3 $work/checked random right
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

enum { MOST = 1024 };

struct came {
    int tickets[2], first[MOST], second[MOST]; // the threads that came, before and after what made them wait
};

__device__ int tid() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__global__ void plain(came *c)
{
    c->first[atomicAdd(&c->tickets[0], 1)] = tid();
    c->second[atomicAdd(&c->tickets[1], 1)] = tid();
}

__global__ void with_barrier(came *c)
{
    c->first[atomicAdd(&c->tickets[0], 1)] = tid();
    __syncthreads();
    c->second[atomicAdd(&c->tickets[1], 1)] = tid();
}

// The first threads that come have ended when the others become fibers. This is an error that the checker finds.
__global__ void with_barrier_of_some(came *c)
{
    const int ticket = atomicAdd(&c->tickets[0], 1);
    c->first[ticket] = tid();
    if (ticket >= 3)
        __syncthreads();
    c->second[atomicAdd(&c->tickets[1], 1)] = tid();
}

// One warp alone: with two, a lane that waits has the rest of its warp come before the threads that are next.
__global__ void with_warp(came *c)
{
    c->first[atomicAdd(&c->tickets[0], 1)] = tid();
    __syncwarp();
    c->second[atomicAdd(&c->tickets[1], 1)] = tid();
}

// Of each of two warps one lane polls for what one lane of warp 0 does, and all other lanes wait for their warp.
__global__ void polls(int *flags)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 17)
        while (atomicAdd(&flags[0], 0) == 0)
            ;
    if (lane == 5 && warp == 0)
        atomicExch(&flags[0], 1);
    __syncwarp();
    atomicAdd(&flags[1], 1);
}

/* Each thread must have come once, in the order that is wished, which may begin in its middle. */
static int wrong(const char *name, const int *came, int n, const char *wish)
{
    std::vector<int> seen(n);
    int rising = 0, falling = 0;
    for (int i = 0; i < n; i++) {
        if (came[i] < 0 || came[i] >= n || seen[came[i]]++)
            return printf("%s: thread %d came twice or does not exist\n", name, came[i]);
        const int next = came[(i + 1) % n];
        rising += next == (came[i] + 1) % n;
        falling += came[i] == (next + 1) % n;
    }
    const bool forward = rising == n, reverse = falling == n;
    if ((forward && !strcmp(wish, "forward")) || (reverse && !strcmp(wish, "reverse")) ||
        (!strcmp(wish, "random") && (n < 8 || (!forward && !reverse))))
        return 0;
    return printf("%s of %d threads: not %s\n", name, n, wish);
}

/* The order after the wait is that before it, but for where it begins. */
static int same(const came &c, int n)
{
    int shift = 0;
    while (shift < n && c.second[shift] != c.first[0])
        shift++;
    for (int i = 0; i < n; i++)
        if (c.second[(i + shift) % n] != c.first[i])
            return 0;
    return 1;
}

static int run_polls(void)
{
    int *flags, got[2] = {0, 0};
    cudaMalloc(&flags, sizeof got);
    cudaMemset(flags, 0, sizeof got);
    polls<<<1, 64>>>(flags);
    const cudaError_t e = cudaMemcpy(got, flags, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(flags);
    return e || got[1] != 64;
}

int main(int argc, char **argv)
{
    const char *wish = argc > 1 ? argv[1] : "forward";
    const bool right = argc > 2; // only what is right in CUDA
    if (!strcmp(wish, "polls"))
        return run_polls();
    const dim3 blocks[] = {1, 2, 31, 32, 33, 64, 200, 1024, dim3(4, 3), dim3(8, 4, 5)};
    void (*const kernels[])(came *) = {plain, with_barrier, with_barrier_of_some, with_warp};
    const char *const names[] = {"plain", "with_barrier", "with_barrier_of_some", "with_warp"};
    came *c, got;
    int failures = 0;
    cudaMalloc(&c, sizeof *c);
    for (int k = 0; k < 4; k++)
        for (const dim3 block : blocks) {
            const int n = block.x * block.y * block.z;
            if ((kernels[k] == with_warp && n > 32) || (kernels[k] == with_barrier_of_some && right))
                continue;
            cudaMemset(c, 0, sizeof *c);
            kernels[k]<<<1, block>>>(c);
            cudaMemcpy(&got, c, sizeof got, cudaMemcpyDeviceToHost);
            const bool plain_order = kernels[k] != with_barrier_of_some;
            const int ended = plain_order ? 0 : n < 3 ? n : 3;
            failures += wrong(names[k], got.first, n, wish) != 0;
            if (plain_order && !same(got, n))
                failures += printf("%s of %d threads: the order changes at the wait\n", names[k], n) != 0;
            for (int i = 0; i < ended; i++)
                if (got.second[i] != got.first[i])
                    failures += printf("%s of %d threads: thread %d did not end first\n", names[k], n, got.first[i]) != 0;
            for (int i = 0; i < n; i++)
                printf("%d ", got.first[i]);
            printf("\n");
        }
    const cudaError_t e = cudaGetLastError();
    cudaFree(c);
    return e || failures ? 1 : 0;
}
