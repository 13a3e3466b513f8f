/* CUDA 3's launches, of kernels.cu's kernels: a function's block shape, shared memory and parameters are set
 * before it is launched. */
// BUILD: $cucc -O1 -o $exe $case -lcuda; $cucc -cubin -O1 -o $work/kernels.cubin $folder/kernels.cu
// TEST: a kernel is launched with a block of parameters
// RUN: $exe $work/kernels.cubin
#include <cuda.h>

#include <stddef.h>

#include "../../harness/is.h"

struct Pair {
    char tag;
    double value;
};
/* combine()'s parameters as a compiler lays them out. */
struct Parameters {
    CUdeviceptr out, a;
    int n;
    char c;
    double d;
    Pair p;
};

static void test_combine(CUmodule m)
{
    enum { N = 100 };
    CUfunction f;
    CUdeviceptr out, a, scale;
    CUstream stream;
    float h[N], scales[4] = {0, 2, 0, 0};
    Pair pair = {2, 0.25};
    double d = 0.5;
    char c = 5;
    IS(cuModuleGetFunction(&f, m, "combine"), 0);
    IS(cuModuleGetGlobal(&scale, NULL, m, "scale"), 0);
    IS(cuMemcpyHtoD(scale, scales, sizeof scales), 0);
    IS(cuMemAlloc(&out, sizeof h), 0);
    IS(cuMemAlloc(&a, sizeof h), 0);
    IS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), 0);
    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    IS(cuMemcpyHtoD(a, h, sizeof h), 0);
    IS(cuFuncSetBlockShape(f, 32, 1, 1), 0);
    IS(cuParamSetSize(f, sizeof(Parameters)), 0);
    IS(cuParamSetv(f, offsetof(Parameters, out), &out, sizeof out), 0);
    IS(cuParamSetv(f, offsetof(Parameters, a), &a, sizeof a), 0);
    IS(cuParamSeti(f, offsetof(Parameters, n), N - 10), 0);
    IS(cuParamSetv(f, offsetof(Parameters, c), &c, 1), 0);
    IS(cuParamSetv(f, offsetof(Parameters, d), &d, sizeof d), 0);
    IS(cuParamSetv(f, offsetof(Parameters, p), &pair, sizeof pair), 0);
    const int of_grid[] = {1, 4, 4}; /* blocks of the three launches */
    for (int way = 0; way < 3; way++) {
        IS(cuMemsetD8(out, 0, sizeof h), 0);
        IS(cuCtxSynchronize(), 0);
        IS(way == 0 ? cuLaunch(f) : way == 1 ? cuLaunchGrid(f, 4, 1) : cuLaunchGridAsync(f, 4, 1, stream), 0);
        IS(cuStreamSynchronize(stream), 0);
        IS(cuMemcpyDtoH(h, out, sizeof h), 0);
        for (int i = 0; i < N; i++) /* base is 3, shift 0 */
            IS(h[i] * 4, i < N - 10 && i < 32 * of_grid[way] ? 4 * (2 * i + 3 + 5 + 2) + 3 : 0);
    }
    IS(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(f, -4, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(f, 32761, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSeti(f, 32760, 1), 0);
    IS(cuParamSetv(f, 0, &out, 32765), CUDA_ERROR_INVALID_VALUE);
    IS(cuParamSetSize(f, 32765), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchGrid(f, 0, 1), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunch(NULL), CUDA_ERROR_INVALID_HANDLE);
    IS(cuFuncSetSharedMemConfig(f, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE), 0);
    IS(cuFuncSetSharedMemConfig(f, (CUsharedconfig)3), CUDA_ERROR_INVALID_VALUE);
    IS(cuFuncSetBlockShape(f, 2048, 1, 1), 0);
    IS(cuLaunch(f), CUDA_ERROR_INVALID_VALUE);
    IS(cuFuncSetBlockShape(f, 32, 1, 1), 0);
    IS(cuParamSetSize(f, sizeof(Parameters) - 8), 0); /* too few bytes */
    IS(cuLaunch(f), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(out), 0);
    IS(cuMemFree(a), 0);
}

/* A template's instance, whose dynamic shared memory holds its 64 values. */
static void test_shared(CUmodule m)
{
    int h[64];
    CUfunction f;
    CUdeviceptr p;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    IS(cuModuleGetFunction(&f, m, "_Z7reverseIiEvPT_S0_"), 0);
    IS(cuMemAlloc(&p, sizeof h), 0);
    IS(cuMemcpyHtoD(p, h, sizeof h), 0);
    IS(cuParamSetv(f, 0, &p, sizeof p), 0);
    IS(cuParamSeti(f, sizeof p, 7), 0);
    IS(cuParamSetSize(f, sizeof p + sizeof(int)), 0);
    IS(cuFuncSetBlockShape(f, 64, 1, 1), 0);
    IS(cuFuncSetSharedSize(f, sizeof h), 0);
    IS(cuLaunch(f), 0);
    IS(cuMemcpyDtoH(h, p, sizeof h), 0);
    for (int i = 0; i < 64; i++)
        IS(h[i], 63 - i + 7);
    IS(cuFuncSetSharedSize(f, 60000), 0); /* beyond what a kernel has without asking */
    IS(cuLaunch(f), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(p), 0);
}

int main(int argc, char **argv)
{
    CUcontext context;
    CUmodule m;
    if (argc < 2 || cuInit(0) || cuCtxCreate(&context, (CUctxCreateParams *)NULL, 0, 0) || cuModuleLoad(&m, argv[1]))
        return 2;
    test_combine(m);
    test_shared(m);
    return failed;
}
