// A kernel that has said why it fails is not ended for another reason while the checker looks for the line: here addr2line
// takes a second to answer, and the watchdog would end the kernel after half of one.
// BUILD: $cucc --check -O1 -o $exe $case; mkdir $work/slow; chmod 755 $work/slow
// BUILD: printf '#!/bin/sh\nsleep 1\nexec %s "$@"\n' "$(command -v addr2line)" >$work/slow/addr2line; chmod 755 $work/slow/addr2line
// TEST: the watchdog says once that it ends a kernel whose line is long in coming
// RUN: CUDA_CPU_REPORT=$work/report CUDA_CPU_WATCHDOG=0.02 PATH=$work/slow:$PATH timeout 60 $exe spins || [ $? = 99 ]
// RUN: grep -o '"kind": "endless"\|"count": .*' $work/report
// COUNT: 1 no progress in
// COUNT: 1 ^"kind": "endless"$
// COUNT: 1 ^"count": 1}$
// COUNT: 1 ^cudaErrorLaunchTimeout$
// TEST: a kernel traps whose line is long in coming
// RUN: CUDA_CPU_WATCHDOG=0.02 PATH=$work/slow:$PATH timeout 60 $exe traps || [ $? = 99 ]
// COUNT: 1 ^cudaErrorLaunchFailure$
// LACKS: no progress
// TEST: a kernel faults whose line is long in coming
// RUN: CUDA_CPU_WATCHDOG=0.02 PATH=$work/slow:$PATH timeout 60 $exe faults || [ $? = 99 ]
// COUNT: 1 ^cudaErrorIllegalAddress$
// LACKS: no progress
// TEST: the watchdog ends a kernel whose line the checker looks for
// RUN: CUDA_CPU_WATCHDOG=0.02 PATH=$work/slow:$PATH timeout 20 $exe reads || [ $? = 99 ]
// COUNT: 1 ^synccheck: the kernel makes no progress$
// COUNT: 1 ^cudaErrorLaunchTimeout$
#include <cstdio>
#include <cstring>
#include <unistd.h>

__global__ void spins(int *)
{
    for (volatile int i = 0;;)
        i = 1;
}

__global__ void reads(int *p)
{
    for (volatile int i = p[1];;)
        i = 1;
}

__global__ void traps(int *) { __trap(); }

// Not watched, so that the CPU refuses it.
__attribute__((noinline, no_sanitize("thread"))) __device__ int look(const volatile int *p) { return *p; }

__global__ void faults(int *p) { *p = look(nullptr); }

int main(int, char **arguments)
{
    int *p;
    cudaMalloc(&p, sizeof *p);
    static const struct {
        const char *name;
        void (*kernel)(int *);
    } all[] = {{"spins", spins}, {"reads", reads}, {"traps", traps}, {"faults", faults}};
    for (const auto &each : all)
        if (!strcmp(each.name, arguments[1]))
            each.kernel<<<1, 1>>>(p);
    while (cudaStreamQuery(0) == cudaErrorNotReady) // another thread runs the kernel
        usleep(1000);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(p);
}
