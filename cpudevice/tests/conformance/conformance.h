/* conformance.h: what the cases share. A case is a program of legal CUDA C++ about one construct: its kernels write to
 * managed memory, its host code computes by plain sequential C++ what they must have written, and main returns
 * check()'s verdict. Nothing of the expected values comes from a kernel or from another way to run it. A case is valid:
 * no race, no read of what nobody wrote, no barrier in divergent code.
 *
 * Many cases share a translation unit (group.awk): each stands in a namespace of its own and its main is renamed, so a
 * case includes headers by <name> and this one, and its macros are its own. One that cannot stand in a namespace has
 * the line "// alone". By hand: cpudevice/cucc -Icpudevice/tests/conformance -o case cpudevice/tests/conformance/THEME/NAME.cu && ./case */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { T = 64 }; // threads in a block, where the case does not say otherwise

static void *conformance_memory[32];
static int conformance_count;

/* n elements of managed memory, filled with bytes 0xa5 so that what a kernel leaves out is seen. */
template <class V = int> static V *managed(int n)
{
    V *p;
    if (cudaMallocManaged(&p, n * sizeof *p) != cudaSuccess) {
        printf("no managed memory\n");
        exit(2);
    }
    for (size_t i = 0; i < n * sizeof *p; i++)
        ((unsigned char *)p)[i] = 0xa5;
    conformance_memory[conformance_count++] = p;
    return p;
}

/* Waits for the kernels, compares got[0..n) with want(i), prints the first that differs. Returns main's exit status. */
template <class V, class F> static int check(const V *got, int n, F want)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorString(error));
        return 1;
    }
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        V expected = (V)want(i);
        if (!(got[i] == expected) && !wrong++)
            printf("WRONG [%d]: %.17g, not %.17g", i, (double)got[i], (double)expected);
    }
    if (wrong)
        printf(" (%d of %d wrong)\n", wrong, n);
    while (conformance_count)
        cudaFree(conformance_memory[--conformance_count]);
    return wrong != 0;
}

#endif
