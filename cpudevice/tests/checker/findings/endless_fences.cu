// A thread waits for a flag that nobody sets. It knows of so many releases that the checker works under its lock of
// releases nearly all the time; the watchdog must not end the kernel there, or the block's end waits for that lock for ever.
// BUILD: $cucc --check -o $exe $case
// TEST: the watchdog ends a kernel whose thread holds a lock of the checker
// RUN: ulimit -t 5; for i in 1 2 3 4 5; do CUDA_CPU_WATCHDOG=0.2 CUDA_CPU_TOOLS=synccheck,racecheck timeout 20 $exe || [ $? = 99 ]; done
// COUNT: 5 ^synccheck: the kernel makes no progress$
// COUNT: 5 ^the launch timed out and was terminated$
#include <cstdio>

enum { FLAGS = 2048 };

__global__ void wait(unsigned *flag)
{
    for (int i = 0; i < FLAGS; i++) {
        __threadfence();
        atomicExch(flag + i, 1u);
    }
    for (int i = 0; i < FLAGS; i++)
        atomicAdd(flag + i, 0u);
    __threadfence();
    __syncthreads(); // what the block knows from here on, and the thread beyond it, are compared at each fence
    atomicExch(flag, 1u);
    atomicAdd(flag, 0u);
    while (atomicAdd(flag + 1, 0u) != 2)
        for (int i = 0; i < 1000; i++)
            __threadfence();
}

int main()
{
    unsigned *flag;
    cudaMalloc(&flag, FLAGS * sizeof *flag);
    cudaMemset(flag, 0, FLAGS * sizeof *flag);
    wait<<<1, 1>>>(flag);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(flag);
}
