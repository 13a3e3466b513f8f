/* NVRTC: programs compiled at run time, with headers, options, name expressions and mistakes. */
// BUILD: $cucc -O1 -o $exe $case -lnvrtc
// TEST: nvrtc
// RUN: $exe
#include <cuda.h>
#include <nvrtc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vector>

#include "../harness/is.h"

static const char source[] =
    "#include <sub/two.h>\n"
    "namespace n {\n"
    "__constant__ int k;\n"
    "template <class T> __global__ void f(T *p) { p[threadIdx.x] = (T)(TWO * threadIdx.x + k + X); }\n"
    "}\n";

static void run(const char *image, const char *kernel, const char *variable)
{
    CUmodule m = NULL;
    CUfunction f = NULL;
    CUdeviceptr k = 0, p = 0;
    size_t bytes = 0;
    const int ten = 10;
    float h[4];
    IS(cuModuleLoadDataEx(&m, image, 0, NULL, NULL), 0);
    IS(cuModuleGetFunction(&f, m, kernel), 0);
    IS(cuModuleGetGlobal(&k, &bytes, m, variable), 0);
    IS(bytes, sizeof ten);
    IS(cuMemcpyHtoD(k, &ten, sizeof ten), 0);
    IS(cuMemAlloc(&p, sizeof h), 0);
    void *arguments[] = {&p};
    IS(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, NULL, arguments, NULL), 0);
    IS(cuMemcpyDtoH(h, p, sizeof h), 0);
    for (int i = 0; i < 4; i++)
        IS(h[i], 2 * i + 10 + 3);
    IS(cuMemFree(p), 0);
    IS(cuModuleUnload(m), 0);
}

static void test_program()
{
    const char *header = "#define TWO 2\n", *header_name = "sub/two.h", *name = NULL, *variable = NULL;
    const char *options[] = {"--gpu-architecture=compute_90", "-DX=3", "--std=c++17", "-default-device"};
    nvrtcProgram p = NULL;
    size_t n = 0;
    IS(nvrtcCreateProgram(&p, source, "f.cu", 1, &header, &header_name), 0);
    IS(nvrtcAddNameExpression(p, "n::f<float>"), 0);
    IS(nvrtcAddNameExpression(p, "&n::k"), 0);
    IS(nvrtcGetLoweredName(p, "&n::k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    IS(nvrtcCompileProgram(p, 4, options), 0);
    IS(nvrtcAddNameExpression(p, "n::f<int>"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    IS(nvrtcGetLoweredName(p, "n::f<int>", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    IS(nvrtcGetLoweredName(p, "n::f<float>", &name), 0);
    IS(nvrtcGetLoweredName(p, "&n::k", &variable), 0);
    if (!failed) {
        IS(nvrtcGetPTXSize(p, &n), 0);
        std::vector<char> ptx(n);
        IS(nvrtcGetPTX(p, ptx.data()), 0);
        IS(strlen(ptx.data()) + 1, (long long)n);
        run(ptx.data(), name, variable);
        IS(nvrtcGetCUBINSize(p, &n), 0);
        std::vector<char> cubin(n);
        IS(nvrtcGetCUBIN(p, cubin.data()), 0);
        run(cubin.data(), name, variable);
    }
    IS(nvrtcDestroyProgram(&p), 0);
    IS(p == NULL, 1);
}

static void test_mistake()
{
    nvrtcProgram p = NULL;
    size_t n = 0;
    const char *unknown = "--no-such-option";
    IS(nvrtcCreateProgram(&p, "\n__global__ void k() { int x = nope; }", "bad.cu", 0, NULL, NULL), 0);
    IS(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
    IS(nvrtcGetProgramLogSize(p, &n), 0);
    std::vector<char> log(n);
    IS(nvrtcGetProgramLog(p, log.data()), 0);
    IS(strstr(log.data(), "bad.cu:2: error: ") && strstr(log.data(), "nope"), 1);
    IS(nvrtcGetPTXSize(p, &n), NVRTC_ERROR_INVALID_PROGRAM);
    for (const char *language : {"zh", "en"}) {
        setenv("COURSE_LANG", language, 1);
        IS(nvrtcCompileProgram(p, 1, &unknown), NVRTC_ERROR_INVALID_OPTION);
    }
    unsetenv("COURSE_LANG");
    IS(nvrtcDestroyProgram(&p), 0);
}

/* A header beside the source, whose folder the program's name says, and not with --no-source-include. */
static void test_beside()
{
    char folder[] = "/tmp/beside.XXXXXX", name[64], header[64];
    const char *without = "--no-source-include";
    nvrtcProgram p = NULL;
    IS(mkdtemp(folder) != NULL, 1);
    snprintf(name, sizeof name, "%s/f.cu", folder);
    snprintf(header, sizeof header, "%s/beside.h", folder);
    FILE *f = fopen(header, "w");
    fputs("#define HERE 1\n", f);
    fclose(f);
    IS(nvrtcCreateProgram(&p, "#include \"beside.h\"\n__global__ void k(int *x) { *x = HERE; }", name, 0, NULL, NULL), 0);
    IS(nvrtcCompileProgram(p, 0, NULL), 0);
    IS(nvrtcDestroyProgram(&p), 0);
    IS(nvrtcCreateProgram(&p, "#include \"beside.h\"\n__global__ void k(int *x) { *x = HERE; }", name, 0, NULL, NULL), 0);
    IS(nvrtcCompileProgram(p, 1, &without), NVRTC_ERROR_COMPILATION);
    IS(nvrtcDestroyProgram(&p), 0);
    remove(header);
    rmdir(folder);
}

int main()
{
    test_program();
    test_beside();
    test_mistake();
    return failed;
}
