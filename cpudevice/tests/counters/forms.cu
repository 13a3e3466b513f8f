// Forms of an access: what a warp's instruction asks of global memory does not depend on how an access is written, nor on the
// tools that watch beside the counters. A kernel's name is followed by its loads and stores, by arithmetic: a struct goes in
// pieces of its members' alignment, as nvcc's instructions do.
// BUILD: $cucc --check -O1 -o $exe $case
// TEST: requests of each form of access
// RUN: counted; metrics 'l1tex__t_requests_pipe_lsu_mem_global_op_' '[ls][dt]' '\.sum' >$work/found
// RUN: case ${CUCC_CXX-} in *clang*) sed 's/^K(\([a-z_0-9]*\),.*clang: \(.*\)$/K(\1, \2)/' $case ;; *) cat $case ;; esac >$work/rows
// RUN: sed -n 's/^K(\([a-z_0-9]*\), \([0-9]*\), \([0-9]*\)).*/\2 \3/p' $work/rows | awk '{print NR " ld " $1; print NR " st " $2}' | diff - $work/found
// TEST: requests and sectors of each form are Nsight Compute's on an H100, but for bit fields and memcpy
// RUN: compiler_is clang || as_recorded h100_forms
// TEST: requests, sectors and bank conflicts are the same with other tools
// RUN: for tools in counters memcheck,counters racecheck,counters memcheck,racecheck,initcheck,synccheck,hostcheck,counters; do CUDA_CPU_TOOLS=$tools CUDA_CPU_COUNTERS=$work/$tools.csv $exe >$work/out 2>&1; diff $work/counters.csv $work/$tools.csv; done
// RUN: test $(grep -c requests $work/counters.csv) -gt 40
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct One {
    float v;
};
struct Three {
    float a, b, c;
};
struct Four {
    float a, b, c, d;
};
struct Large {
    float4 a, b, c;
};
struct Odd {
    char c[3];
};
struct Bits {
    unsigned a : 3, b : 29;
};
union Either {
    float f;
    int i;
};

static __device__ __noinline__ Four made(float v) { return {v, v, v, v}; }
static __device__ __noinline__ float sum(Four f) { return f.a + f.b + f.c + f.d; }

#define K(name, loads, stores) __global__ void name(const float *x, float *y)
// clang-format off
K(assignment, 1, 1)
{ y[threadIdx.x] = x[threadIdx.x]; }
K(of_float4, 1, 1)
{ ((float4 *)y)[threadIdx.x] = ((const float4 *)x)[threadIdx.x]; }
K(struct_of_one, 1, 1)
{ ((One *)y)[threadIdx.x] = ((const One *)x)[threadIdx.x]; }
K(struct_of_three, 3, 3)
{ ((Three *)y)[threadIdx.x] = ((const Three *)x)[threadIdx.x]; }
K(struct_of_four, 4, 4)
{ ((Four *)y)[threadIdx.x] = ((const Four *)x)[threadIdx.x]; }
K(struct_of_float4, 3, 3)
{ ((Large *)y)[threadIdx.x] = ((const Large *)x)[threadIdx.x]; }
K(struct_of_chars, 3, 3)
{ ((Odd *)y)[threadIdx.x] = ((const Odd *)x)[threadIdx.x]; }
K(result_of_a_call, 0, 4)
{ ((Four *)y)[threadIdx.x] = made(1); }
K(argument_of_a_call, 4, 1)
{ y[threadIdx.x] = sum(((const Four *)x)[threadIdx.x]); }
K(initialiser, 4, 1)
{ Four f = ((const Four *)x)[threadIdx.x]; y[threadIdx.x] = sum(f); }
K(capture, 1, 1)
{ const float *p = x + threadIdx.x; auto f = [=] { return *p; }; y[threadIdx.x] = f(); }
// On a GPU the word is loaded first, and by clang; g++ reports the store alone.
K(bit_field, 0, 1) // clang: 1, 1
{ ((Bits *)y)[threadIdx.x].b = 5; }
K(of_a_union, 1, 1)
{ ((Either *)y)[threadIdx.x].i = ((const Either *)x)[threadIdx.x].i; }
K(of_volatile, 1, 1)
{ ((volatile float *)y)[threadIdx.x] = ((const volatile float *)x)[threadIdx.x]; }
K(of_atomics, 0, 0)
{ atomicAdd(y + threadIdx.x, x ? 1.0f : 2.0f); }
K(library_output, 0, 2)
{ sincosf((float)threadIdx.x, y + threadIdx.x, y + 32 + threadIdx.x); }
K(copied, 4, 4)
{ memcpy((Four *)y + threadIdx.x, (const Four *)x + threadIdx.x, sizeof(Four)); }
// clang-format on

int main()
{
    static void (*const kernels[])(const float *, float *) = {
        assignment,      of_float4,        struct_of_one,      struct_of_three, struct_of_four, struct_of_float4,
        struct_of_chars, result_of_a_call, argument_of_a_call, initialiser,     capture,        bit_field,
        of_a_union,      of_volatile,      of_atomics,         library_output,  copied};
    enum { BYTES = 32 * sizeof(Large) };
    float *x, *y;
    cudaMalloc(&x, BYTES), cudaMalloc(&y, BYTES);
    cudaMemset(x, 0, BYTES), cudaMemset(y, 0, BYTES);
    for (auto kernel : kernels)
        kernel<<<1, 32>>>(x, y);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y);
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
