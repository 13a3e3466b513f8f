/* A program or an extension with a CPU device of its own beside libcuda.so.1: whoever comes later says so, and both work. */
// BUILD: $cucc --build-toolkit
// BUILD: printf 'extern "C" __global__ void twice(int *p) { p[threadIdx.x] *= 2; }' >$work/twice.cu; $cucc -cubin -o $work/twice.cubin $work/twice.cu; $cucc -cubin -Xlinker -soname -Xlinker another -o $work/named.cubin $work/twice.cu
// BUILD: $cucc -DOWN -o $exe $case; $cucc -DOWN -o $work/exports $case -lcuda; $cc -o $work/plain $case -ldl
// BUILD: $cc -fPIC -DOWN -DEXTENSION -I$PWD/cpudevice/include -c -o $work/e.o $case; $cxx -shared -o $work/e.so $work/e.o -L$lib64 -lcudart -lpthread -ldl
// TEST: a program with its own runtime loads the driver
// RUN: with_driver $exe libcuda.so.1
// MATCHES: ^CPU device: two CPU devices are in this process, in .*/libcuda.so.1 and in the program: neither knows
// SAYS: own 42
// SAYS: libcuda.so.1 0 1
// TEST: an extension comes before the driver
// RUN: with_driver $work/plain $work/e.so libcuda.so.1
// COUNT: 1 ^CPU device: two CPU devices are in this process, in .*/libcuda.so.1 and in .*/e.so: neither knows
// SAYS: e.so 42
// SAYS: libcuda.so.1 0 1
// TEST: an extension comes after the driver
// RUN: with_driver $work/plain libcuda.so.1 $work/e.so
// COUNT: 1 ^CPU device: two CPU devices are in this process, in .*/e.so and in .*/libcuda.so.1: neither knows
// SAYS: e.so 42
// TEST: the driver alone, under two names, says nothing
// RUN: with_driver $work/plain libcuda.so.1 libcudart.so.13
// LACKS: CPU device:
// TEST: two extensions with runtimes of their own say nothing, as before
// RUN: cp $work/e.so $work/f.so; $work/plain $work/e.so $work/f.so
// PRINTS: e.so 42
// PRINTS: f.so 42
// TEST: the driver's module has the driver's runtime, though the program shows its own
// RUN: with_driver $work/exports libcuda.so.1 $work/twice.cubin
// SAYS: libcuda.so.1 0 1
// TEST: a module that cannot be told which goes to no other's runtime
// RUN: with_driver $work/exports libcuda.so.1 $work/named.cubin
// SAYS: libcuda.so.1 303 1
// SAYS: another library of the program has a CPU device of its own
// TEST: and to the driver's, where the program has none
// RUN: with_driver $work/plain libcuda.so.1 $work/twice.cubin
// PRINTS: libcuda.so.1 0 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef OWN
#include <cuda_runtime.h>
int own(void)
{
    int value = 42, *p;
    if (cudaMalloc((void **)&p, sizeof *p) || cudaMemcpy(p, &value, sizeof *p, cudaMemcpyHostToDevice))
        return -1;
    value = 0;
    if (cudaMemcpy(&value, p, sizeof *p, cudaMemcpyDeviceToHost) || cudaFree(p))
        return -2;
    return value;
}
#endif

#ifndef EXTENSION
static const char *last(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

/* Loads the libraries; a .cubin with the one before it. */
int main(int argc, char **argv)
{
#ifdef OWN
    printf("own %d\n", own());
#endif
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), *module;
        if (!library)
            return puts(dlerror()), 1;
        int (*call)(void) = (int (*)(void))dlsym(library, "own");
        int (*count)(int *) = (int (*)(int *))dlsym(library, "cuDeviceGetCount"), devices = 0, result = 0;
        int (*load)(void **, const char *) = (int (*)(void **, const char *))dlsym(library, "cuModuleLoad");
        if (call)
            printf("%s %d\n", last(argv[i]), call());
        if (!count || count(&devices))
            continue;
        if (i + 1 < argc && strstr(argv[i + 1], ".cubin"))
            result = load(&module, argv[++i]);
        printf("libcuda.so.1 %d %d\n", result, devices);
    }
}
#endif
