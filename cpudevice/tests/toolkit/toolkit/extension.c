/* A shared library that g++ links with the toolkit's libcuda.a loads modules, though the program loads it for
 * itself alone, as Python loads an extension; and two such libraries in one program do not take each other's runtime
 * unnoticed. */
// BUILD: $cucc --build-toolkit; printf 'extern "C" __global__ void twice(int *p) { p[threadIdx.x] *= 2; }' >$work/twice.cu
// BUILD: $cucc -cubin -o $work/twice.cubin $work/twice.cu; $cc -DPROGRAM -o $exe $case -ldl
// BUILD: $cucc -ptx -o $work/twice.ptx $work/twice.cu; $cucc -cubin -Xlinker -soname -Xlinker another -o $work/named.cubin $work/twice.cu
// BUILD: extension seen -lcuda; extension also_seen -lcuda; extension hidden -lcudart
// TEST: a module runs in a library that is loaded for itself alone
// RUN: $exe $work/twice.cubin $work/seen.so
// PRINTS: seen.so: 0, 42
// TEST: a library that is linked with libcudart.a alone says what to do
// RUN: $exe $work/twice.cubin $work/hidden.so
// SAYS: hidden.so: 303
// MATCHES: does not export its runtime.*--build-toolkit
// TEST: a second such library, loaded after the first's module, has the first's runtime
// RUN: $exe $work/twice.cubin $work/seen.so $work/also_seen.so
// PRINTS: seen.so: 0, 42
// PRINTS: also_seen.so: 0, 42
// TEST: one that is loaded before has its own, and so have its modules
// RUN: $exe $work/twice.cubin +$work/also_seen.so $work/seen.so $work/also_seen.so $work/seen.so
// PRINTS: seen.so: 0, 42
// PRINTS: also_seen.so: 0, 42
// PRINTS: seen.so: 0, 42
// TEST: three of them, the first one's module last, from text
// RUN: cp $work/seen.so $work/third.so; $exe $work/twice.ptx +$work/seen.so +$work/also_seen.so $work/third.so $work/also_seen.so $work/seen.so
// PRINTS: third.so: 0, 42
// PRINTS: also_seen.so: 0, 42
// PRINTS: seen.so: 0, 42
// TEST: an image that has another name for the loader, as an older cucc's, does not take another's runtime unnoticed
// RUN: $exe $work/named.cubin +$work/also_seen.so $work/seen.so $work/also_seen.so
// SAYS: seen.so: 0, 42
// SAYS: also_seen.so: 303
// SAYS: another library of the program has a CPU device of its own
#include <stdio.h>
#include <string.h>

#ifdef PROGRAM
#include <dlfcn.h>
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '+') { /* only loaded */
            if (!dlopen(argv[i] + 1, RTLD_NOW | RTLD_LOCAL))
                return puts(dlerror()), 1;
            continue;
        }
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*run)(const char *, int *) = library ? (int (*)(const char *, int *))dlsym(library, "run") : NULL;
        int value = 21;
        if (!run)
            return puts(dlerror()), 1;
        const int result = run(argv[1], &value);
        printf(result ? "%s: %d\n" : "%s: %d, %d\n", strrchr(argv[i], '/') + 1, result, value);
    }
    return 0;
}
#else
#include <cuda.h>
int run(const char *cubin, int *value)
{
    CUmodule module;
    CUfunction twice;
    CUdeviceptr p;
    void *arguments[] = {&p};
    CUresult e = cuModuleLoad(&module, cubin);
    if (!e)
        e = cuModuleGetFunction(&twice, module, "twice");
    if (!e)
        e = cuMemAlloc(&p, sizeof *value);
    if (!e)
        e = cuMemcpyHtoD(p, value, sizeof *value);
    if (!e)
        e = cuLaunchKernel(twice, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
    return e ? e : cuMemcpyDtoH(value, p, sizeof *value);
}
#endif
