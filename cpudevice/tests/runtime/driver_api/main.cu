/* Loads an image of kernels.cu and calls what is in it: main IMAGE; main IMAGE KERNEL only launches that one. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: a program that loads modules is built
// RUN: :
// TEST: cubin
// RUN: loads cubin
// TEST: fatbin
// RUN: loads fatbin
// TEST: ptx
// RUN: loads ptx
// TEST: what cucc did not make is refused, with the reason
// RUN: loads ptx
// MATCHES: a GPU.s code does not run here
#include <cuda.h>

#include <fstream>
#include <iterator>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <string>
#include <thread>

#include "../../harness/is.h"

struct Pair {
    char tag;
    double value;
};

static CUdeviceptr to_device(const void *h, size_t bytes)
{
    CUdeviceptr p = 0;
    IS(cuMemAlloc(&p, bytes), 0);
    IS(cuMemcpyHtoD(p, h, bytes), 0);
    return p;
}

/* combine(), its arguments once as pointers and once in a buffer as a compiler lays them out. */
static void test_arguments(CUmodule m)
{
    enum { N = 100 };
    CUfunction f = NULL, again = NULL;
    float a[N], out[N], scale[4] = {0, 2, 0, 0};
    CUdeviceptr symbol = 0;
    size_t bytes = 0;
    IS(cuModuleGetGlobal(&symbol, &bytes, m, "scale"), 0);
    IS(bytes, sizeof scale);
    IS(cuMemcpyHtoD(symbol, scale, bytes), 0);
    const int shift = 1000;
    IS(cuModuleGetGlobal(&symbol, &bytes, m, "shift"), 0);
    IS(cuMemcpyHtoD(symbol, &shift, bytes), 0);
    IS(cuModuleGetFunction(&f, m, "combine"), 0);
    IS(cuModuleGetFunction(&again, m, "combine"), 0);
    IS(f == again, 1);
    for (int i = 0; i < N; i++)
        a[i] = (float)i;
    struct {
        CUdeviceptr out, a;
        int n;
        char c;
        double d;
        Pair p;
    } arguments = {0, 0, N - 10, 5, 0.5, {2, 0.25}};
    arguments.a = to_device(a, sizeof a);
    for (int way = 0; way < 2; way++) {
        memset(out, 0, sizeof out);
        arguments.out = to_device(out, sizeof out);
        void *pointers[] = {&arguments.out, &arguments.a, &arguments.n, &arguments.c, &arguments.d, &arguments.p};
        size_t size = sizeof arguments;
        void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        IS(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, way ? NULL : pointers, way ? extra : NULL), 0);
        IS(cuMemcpyDtoH(out, arguments.out, sizeof out), 0);
        for (int i = 0; i < N; i++)
            IS(out[i] * 4, i < N - 10 ? 4 * (2 * i + 3 + shift + 5 + 2) + 3 : 0);
        size = sizeof arguments - 16;
        IS(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, NULL, extra), CUDA_ERROR_INVALID_VALUE);
        IS(cuMemFree(arguments.out), 0);
    }
    size_t offset = 0;
    IS(cuFuncGetParamInfo(f, 5, &offset, &bytes), 0);
    IS(offset, (char *)&arguments.p - (char *)&arguments);
    IS(bytes, sizeof(Pair));
    IS(cuFuncGetParamInfo(f, 6, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuLaunchKernel(f, 4, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(arguments.a), 0);
}

/* A template's instance, with static and dynamic shared memory, by cuLaunchKernelEx. */
static void test_shared(CUmodule m)
{
    int h[64], add = 7, value = 0;
    CUfunction f = NULL;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    CUdeviceptr p = to_device(h, sizeof h);
    void *arguments[] = {&p, &add};
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 64;
    config.sharedMemBytes = sizeof h;
    IS(cuModuleGetFunction(&f, m, "_Z7reverseIiEvPT_S0_"), 0);
    IS(cuLaunchKernelEx(&config, f, arguments, NULL), 0);
    IS(cuMemcpyDtoH(h, p, sizeof h), 0);
    for (int i = 0; i < 64; i++)
        IS(h[i], 63 - i + 7);
    IS(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f), 0);
    IS(value, sizeof h);
    config.sharedMemBytes = 60000;
    IS(cuLaunchKernelEx(&config, f, arguments, NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000), 0);
    IS(cuLaunchKernelEx(&config, f, arguments, NULL), 0);
    IS(cuCtxSynchronize(), 0);
    IS(cuMemFree(p), 0);
}

/* Each load has its own variables, and an unloaded module's kernels are gone. */
static void test_two(const char *image, CUmodule first)
{
    CUmodule second = NULL;
    CUfunction f = NULL;
    CUdeviceptr p = 0;
    size_t bytes = 0;
    int base[2] = {0, 0};
    IS(cuModuleLoad(&second, image), 0);
    IS(cuModuleGetFunction(&f, second, "_Z5countv"), 0);
    IS(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), 0);
    IS(cuModuleGetGlobal(&p, &bytes, second, "base"), 0);
    IS(cuMemcpyDtoH(base + 1, p, bytes), 0);
    IS(cuModuleGetGlobal(&p, &bytes, first, "base"), 0);
    IS(cuMemcpyDtoH(base, p, bytes), 0);
    IS(base[0], 3);
    IS(base[1], 3 + 64);
    IS(cuModuleUnload(second), 0);
    IS(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    IS(cuModuleUnload(second), CUDA_ERROR_INVALID_HANDLE);
}

static void test_errors(CUmodule m)
{
    static const char text[] = "//\n.version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }     \n";
    CUmodule none = NULL;
    CUfunction f = NULL;
    CUdeviceptr p = 0;
    size_t bytes = 0;
    IS(cuModuleGetFunction(&f, m, "host_function"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetFunction(&f, m, "_Z13host_functionv"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleGetGlobal(&p, &bytes, m, "combine"), CUDA_ERROR_NOT_FOUND);
    IS(cuModuleLoad(&none, "no-such-file.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
    IS(cuModuleLoadData(&none, text), CUDA_ERROR_NO_BINARY_FOR_GPU);
    IS(cuModuleLoad(&none, "/proc/self/exe"), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

/* Images in memory, by the linker and as libraries. */
static void test_data(const char *file)
{
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    CUlinkState link = NULL;
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    void *image = NULL;
    size_t size = 0;
    IS(cuLinkCreate(0, NULL, NULL, &link), 0);
    IS(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)bytes.c_str(), bytes.size() + 1, NULL, 0, NULL, NULL), 0);
    bytes.assign(bytes.size(), 'x');
    IS(cuLinkComplete(link, &image, &size), 0);
    IS(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0), 0);
    IS(cuLinkDestroy(link), 0);
    IS(cuLibraryGetKernel(&kernel, library, "_Z5countv"), 0);
    IS(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 0);
    IS(cuCtxSynchronize(), 0);
    IS(cuLibraryUnload(library), 0);
}

/* A stack of contexts a thread. */
static void test_contexts(CUcontext first)
{
    CUcontext second = NULL, seen = NULL;
    IS(cuCtxCreate(&second, (CUctxCreateParams *)NULL, CU_CTX_SCHED_SPIN, 0), 0);
    IS(cuCtxGetCurrent(&seen), 0);
    IS(seen == second, 1);
    IS(cuCtxPopCurrent(&seen), 0);
    IS(seen == second, 1);
    IS(cuCtxGetCurrent(&seen), 0);
    IS(seen == first, 1);
    std::thread([] { IS(cuCtxPopCurrent(NULL), CUDA_ERROR_INVALID_CONTEXT); }).join();
    IS(cuCtxDestroy(second), 0);
    IS(cuCtxPushCurrent(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    IS(cuCtxCreate(&second, (CUctxCreateParams *)NULL, 0, 1), CUDA_ERROR_INVALID_DEVICE);
}

int main(int count, char **word)
{
    CUcontext context = NULL;
    CUmodule m = NULL;
    IS(cuInit(0), 0);
    IS(cuCtxCreate(&context, (CUctxCreateParams *)NULL, 0, 0), 0);
    IS(cuModuleLoad(&m, word[1]), 0);
    if (count > 2) {
        CUfunction f = NULL;
        CUdeviceptr p = 0;
        IS(cuMemAlloc(&p, 64 * sizeof(int)), 0);
        void *arguments[] = {&p};
        IS(cuModuleGetFunction(&f, m, word[2]), 0);
        IS(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL), 0);
        IS(cuCtxSynchronize(), 0);
        IS(cuMemFree(p), 0);
        return failed;
    }
    if (m) {
        test_arguments(m);
        test_shared(m);
        test_two(word[1], m);
        test_data(word[1]);
        test_errors(m);
        test_contexts(context);
    }
    return failed;
}
