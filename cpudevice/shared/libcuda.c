/* libcuda.c: what the shared library libcuda.so.1 has besides the runtime, for tools that load the driver while they run:
 * the driver interface's functions that <cuda.h> defines in each program, the names that NVIDIA's driver has for their
 * present versions, and cuGetProcAddress. driver/build.c links it with libcudacpu_pic.a; libcudart.so.13 is the same
 * file, so that a process which loads both has one CPU device. */
#define _GNU_SOURCE
#define CPUDEV_DRIVER __attribute__((visibility("default"))) /* instead of static */
#include "cuda.h"
#include "cudaProfiler.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/beside.h"
#include "device/message.h"

BESIDE_NOTE(BESIDE_SHARED);

/* ---- NVIDIA's names for the versions ---- */

#if defined(__x86_64__)
#define JUMP "jmp"
#else
#define JUMP "b"
#endif
/* NAME with the ending is the function NAME, in this file or another. */
#define VERSION(name, ending)                                                                                          \
    __asm__(".pushsection .text\n.globl " #name #ending "\n.type " #name #ending ",%function\n" #name #ending          \
            ":\n\t" JUMP " " #name "\n.size " #name #ending ", .-" #name #ending "\n.popsection")
VERSION(cuArray3DCreate, _v2);
VERSION(cuArray3DGetDescriptor, _v2);
VERSION(cuArrayCreate, _v2);
VERSION(cuArrayGetDescriptor, _v2);
VERSION(cuCtxDestroy, _v2);
VERSION(cuCtxPopCurrent, _v2);
VERSION(cuCtxPushCurrent, _v2);
VERSION(cuDeviceGetUuid, _v2);
VERSION(cuDevicePrimaryCtxRelease, _v2);
VERSION(cuDevicePrimaryCtxReset, _v2);
VERSION(cuDeviceTotalMem, _v2);
VERSION(cuEventDestroy, _v2);
VERSION(cuEventElapsedTime, _v2);
VERSION(cuIpcOpenMemHandle, _v2);
VERSION(cuLinkAddData, _v2);
VERSION(cuLinkAddFile, _v2);
VERSION(cuLinkCreate, _v2);
VERSION(cuMemAlloc, _v2);
VERSION(cuMemAllocHost, _v2);
VERSION(cuMemAllocPitch, _v2);
VERSION(cuMemFree, _v2);
VERSION(cuMemGetAddressRange, _v2);
VERSION(cuMemGetInfo, _v2);
VERSION(cuMemHostGetDevicePointer, _v2);
VERSION(cuMemHostRegister, _v2);
VERSION(cuMemcpy2D, _v2);
VERSION(cuMemcpy2DAsync, _v2);
VERSION(cuMemcpy2DUnaligned, _v2);
VERSION(cuMemcpy3D, _v2);
VERSION(cuMemcpy3DAsync, _v2);
VERSION(cuMemcpyAtoA, _v2);
VERSION(cuMemcpyAtoD, _v2);
VERSION(cuMemcpyAtoH, _v2);
VERSION(cuMemcpyAtoHAsync, _v2);
VERSION(cuMemcpyDtoA, _v2);
VERSION(cuMemcpyDtoD, _v2);
VERSION(cuMemcpyDtoDAsync, _v2);
VERSION(cuMemcpyDtoH, _v2);
VERSION(cuMemcpyDtoHAsync, _v2);
VERSION(cuMemcpyHtoA, _v2);
VERSION(cuMemcpyHtoAAsync, _v2);
VERSION(cuMemcpyHtoD, _v2);
VERSION(cuMemcpyHtoDAsync, _v2);
VERSION(cuMemsetD16, _v2);
VERSION(cuMemsetD2D16, _v2);
VERSION(cuMemsetD2D32, _v2);
VERSION(cuMemsetD2D8, _v2);
VERSION(cuMemsetD32, _v2);
VERSION(cuMemsetD8, _v2);
VERSION(cuModuleGetGlobal, _v2);
VERSION(cuStreamDestroy, _v2);

/* CUDA 12's */
CPUDEV_DRIVER CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v4(context, NULL, flags, device);
}

/* ---- functions by name ---- */

enum { PER_THREAD = 2 };                          /* of the flags */
typedef enum { FOUND, NOT_FOUND } address_result; /* CUdriverProcAddressQueryResult's */

/* What the name means in a program that was made for that version of CUDA: NULL if there is none. */
static void *function_named(const char *name, int version)
{
    Dl_info here;
    char current[256];
    if (strncmp(name, "cu", 2) || !isupper((unsigned char)name[2]) || strlen(name) > sizeof current - 4)
        return NULL;
    if (!dladdr((void *)cuCtxCreate_v2, &here))
        return NULL;
    void *self = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!strcmp(name, "cuCtxCreate")) /* CUDA 11.4's third version is not here */
        snprintf(current, sizeof current, "%s",
                 version >= 12050  ? "cuCtxCreate_v4"
                 : version < 11040 ? "cuCtxCreate_v2"
                                   : "");
    else
        snprintf(current, sizeof current, "%s", name);
    void *function = self ? dlsym(self, current) : NULL;
    if (self && !function && *current) {
        strcat(current, "_v2");
        function = dlsym(self, current);
    }
    if (self)
        dlclose(self);
    return function;
}

CPUDEV_DRIVER CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                                           address_result *result)
{
    if (!name || !function || flags > PER_THREAD)
        return CUDA_ERROR_INVALID_VALUE;
    *function = NULL;
    if (flags == PER_THREAD) {
        static atomic_flag said = ATOMIC_FLAG_INIT;
        if (!atomic_flag_test_and_set(&said))
            message("cuGetProcAddress: libcuda.so.1 has no functions for default streams of a thread's own");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    *function = function_named(name, version);
    if (result)
        *result = *function ? FOUND : NOT_FOUND;
    return *function || result ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CPUDEV_DRIVER CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
