/* cudalibxt.h: descriptors of memory that lies on several devices, of which the CPU device is one: cufftXt.h. C-clean. */
#ifndef _CUDA_LIB_XT_H_
#define _CUDA_LIB_XT_H_

#include <stddef.h>

#include "cuda_runtime.h"

#define CUDA_XT_DESCRIPTOR_VERSION 0x01000000 /* to which CUDART_VERSION is added */
#define MAX_CUDA_DESCRIPTOR_GPUS 64

enum cudaXtCopyType_t { LIB_XT_COPY_HOST_TO_DEVICE, LIB_XT_COPY_DEVICE_TO_HOST, LIB_XT_COPY_DEVICE_TO_DEVICE };
typedef enum cudaXtCopyType_t cudaLibXtCopyType;
enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 };
typedef enum libFormat_t libFormat;

/* Of each of nGPUs devices: its number, its part of the data in its memory, that part's bytes. */
struct cudaXtDesc_t {
    int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
    void *data[MAX_CUDA_DESCRIPTOR_GPUS];
    size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
    void *cudaXtState; /* the library's own */
};
typedef struct cudaXtDesc_t cudaXtDesc;

struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    libFormat library; /* whose subFormat it is: cufftXtSubFormat */
    int subFormat;
    void *libDescriptor; /* the library's own */
};
typedef struct cudaLibXtDesc_t cudaLibXtDesc;

#endif
