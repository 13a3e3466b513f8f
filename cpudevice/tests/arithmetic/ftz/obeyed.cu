// obeyed.cu: which options flush, and which files keep subnormal numbers all the same, as one word of their device code needs
// them. -DCASE=n chooses the word. The program's exit status is 0 if its kernel flushes.
//
// TEST: --use_fast_math flushes
// RUN: $cucc --use_fast_math -o $exe $case && $exe
// LACKS: warning
// TEST: -ftz=true flushes
// RUN: $cucc -ftz true -o $exe $case && $exe
// LACKS: warning
// TEST: -ftz=false counts beside --use_fast_math, before it and behind it
// RUN: $cucc -ftz=false --use_fast_math -o $exe $case && ! $exe && $cucc -use_fast_math --ftz=false -o $exe $case && ! $exe
// TEST: of two the last one counts
// RUN: $cucc -ftz=true -ftz=false -o $exe $case && ! $exe && $cucc -ftz=false -ftz=true -o $exe $case && $exe
// TEST: without an option subnormal numbers are kept
// RUN: $cucc -o $exe $case && ! $exe
// TEST: another value is refused in nvcc's words
// RUN: $cucc -ftz=yes -o $exe $case
// STATUS: 1
// SAYS: 'yes': expected true or false
// TEST: a literal without suffix in an expression of float changes nothing
// RUN: $cucc -ftz=true -DCASE=1 -o $exe $case && $exe
// LACKS: warning
// TEST: a double variable keeps subnormal numbers in the whole file
// RUN: $cucc -ftz=true -DCASE=2 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 2}: warning: -ftz=true is not obeyed in this file: "double" keeps subnormal numbers on a GPU
// TEST: a literal that a template may take for a double
// RUN: $cucc -ftz=true -DCASE=3 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 3}: warning: .*: "0.5" keeps
// TEST: a type with a double in it
// RUN: $cucc -ftz=true -DCASE=4 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 4}: warning: .*: "double" keeps
// TEST: a lambda of the device that may catch a double of the host
// RUN: $cucc -ftz=true --extended-lambda -DCASE=5 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 5}: warning: .*: "double" keeps
// TEST: bfloat16
// RUN: $cucc -ftz=true -DCASE=6 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 6}: warning: .*: "__nv_bfloat16" keeps
// TEST: inline PTX of float, which says itself what it flushes
// RUN: $cucc -ftz=true -DCASE=7 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 7}: warning: .*add.f32
// TEST: a function of another file
// RUN: $cucc -ftz=true -DCASE=8 -c -o $work/object.o $case
// MATCHES: obeyed.cu:{line CASE 8}: warning: .*: "elsewhere" is in another file
// TEST: a constant of the host that device code may use
// RUN: $cucc -ftz=true -DCASE=9 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 9}: warning: .*: "double" keeps
// TEST: a product of many factors beside a literal, and a literal of extreme size
// RUN: $cucc -ftz=true -DCASE=10 -o $exe $case && ! $exe && $cucc -ftz=true -DCASE=11 -o $exe $case && ! $exe
// MATCHES: obeyed.cu:{line CASE 10}: warning: .*: "0.5" keeps
// MATCHES: obeyed.cu:{line CASE 11}: warning: .*: "1e-300" keeps
// TEST: the word is said in Chinese too
// RUN: COURSE_LANG=zh $cucc -ftz=true -DCASE=2 -o $exe $case
// SAYS: 本文件不按
#include <cstdio>
#include <ctime>
#ifndef CASE
#define CASE 0
#endif
#if CASE == 4
struct Wide {
    double x; // CASE 4
};
#elif CASE == 6
#include <cuda_bf16.h>
#elif CASE == 8
extern __device__ float elsewhere(float x); // CASE 8
#elif CASE == 9
static const double tiny = 1e-310; // CASE 9
#endif
template <class T> __device__ float product(float x, T y) { return x * (float)y; }

__global__ void halve(float *p, int double_buffer)
{
    float x = p[double_buffer];
#if CASE == 1
    x = x * 0.5 + 0.0;
    if (x > 1.0e+2)
        x = fmaxf(x, 0.25);
#elif CASE == 2
    double y = x; // CASE 2
    x = y * 0.5f;
#elif CASE == 3
    x = product(x, 0.5); // CASE 3
#elif CASE == 6
    __nv_bfloat16 y = __float2bfloat16(x); // CASE 6
    x *= __bfloat162float(y) != 0.0f ? 0.5f : 0.25f;
#elif CASE == 7
    asm("add.f32 %0, %1, %1;" : "=f"(x) : "f"(0.25f * x)); // CASE 7
#elif CASE == 8
    x = elsewhere(x);
#elif CASE == 10
    x = x * 0.5 * (1 + x * x * x * x * x * x * x); // CASE 10
#elif CASE == 11
    x = x * 0.5f + 1e-300; // CASE 11
#else
    x *= 0.5f;
#endif
    p[double_buffer] = x;
}
template <class F> __global__ void apply(F f) { f(); }

static double started = 0.0, starts[2] = {0.5, 1.5}; // variables and functions of the host's, as in any program
static double seconds(void) { return (double)clock() / 1e6; }

int main()
{
    const double start = started = starts[0] = seconds(); // CASE 5
    float h = 1.2e-38f, *p;
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice);
    halve<<<1, 1>>>(p, 0);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
#if CASE == 5
    const float by = 0.5f;
    apply<<<1, 1>>>([=] __device__() { *p = by; });
#endif
    return h != 0.0f || seconds() - start < 0 || started > seconds();
}
