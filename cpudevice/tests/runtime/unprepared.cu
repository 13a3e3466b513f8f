// A test for the CPU device only.
// Only in a program with PTX's exit is a jump prepared for each thread: to prepare one takes longer than a short thread runs.
#include <check.h>
#include <cuda_runtime.h>
#include <setjmp.h>

#include "suite.h"

enum { T = 128 };

#if defined __x86_64__ && defined __GLIBC__
extern "C" unsigned jumps;
unsigned jumps;
/* The C library's _setjmp(), and counts. */
__asm__(".globl _setjmp\n_setjmp: lock incl jumps(%rip)\n xorl %esi, %esi\n jmp __sigsetjmp@PLT\n");

/* Not a loop over threads: a barrier that no thread reaches is in a function that is called through a pointer. */
__device__ void meet(int *out)
{
    __syncthreads();
    *out = -1;
}
__global__ void short_threads(int *out, void (*called)(int *))
{
    if (called)
        called(out + threadIdx.x);
    out[threadIdx.x] = threadIdx.x;
}

START_TEST(unprepared)
{
    int *out;
    ck_assert_int_eq(cudaMallocManaged(&out, T * sizeof *out), cudaSuccess);
    short_threads<<<1, T>>>(out, NULL);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int t = 0; t < T; t++)
        ck_assert_int_eq(out[t], t);
    ck_assert_uint_gt(jumps, 0); /* of the block */
    ck_assert_uint_lt(jumps, T);
    ck_assert_int_eq(cudaFree(out), cudaSuccess);
}
END_TEST
#endif

int main(void)
{
    Suite *s = suite_create("unprepared");
    TCase *t = tcase_create("all");
#if defined __x86_64__ && defined __GLIBC__
    tcase_add_test(t, unprepared);
#endif
    suite_add_tcase(s, t);
    return run_suite(s);
}
