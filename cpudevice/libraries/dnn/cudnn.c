/* cudnn.c: cuDNN's handles, versions and errors: see cudnn.h. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dnn/dnn.h"

typedef cudnnStatus_t Status;

size_t cudnnGetVersion(void) { return CUDNN_VERSION; }
size_t cudnnGetMaxDeviceVersion(void) { return CUDNN_MAX_DEVICE_VERSION; }
size_t cudnnGetCudartVersion(void)
{
    int version = 0;
    cudaRuntimeGetVersion(&version);
    return (size_t)version;
}
Status cudnnOpsVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
Status cudnnCnnVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }

Status cudnnGetProperty(libraryPropertyType type, int *value)
{
    if (!value || (type != MAJOR_VERSION && type != MINOR_VERSION && type != PATCH_LEVEL))
        return CUDNN_STATUS_BAD_PARAM;
    *value = type == MAJOR_VERSION ? CUDNN_MAJOR : type == MINOR_VERSION ? CUDNN_MINOR : CUDNN_PATCHLEVEL;
    return CUDNN_STATUS_SUCCESS;
}

const char *cudnnGetErrorString(Status status)
{
#define NAME(status)                                                                                                   \
    case status: return #status;
    switch (status) {
        NAME(CUDNN_STATUS_SUCCESS)
        NAME(CUDNN_STATUS_NOT_INITIALIZED)
        NAME(CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH)
        NAME(CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH)
        NAME(CUDNN_STATUS_DEPRECATED)
        NAME(CUDNN_STATUS_LICENSE_ERROR)
        NAME(CUDNN_STATUS_RUNTIME_IN_PROGRESS)
        NAME(CUDNN_STATUS_RUNTIME_FP_OVERFLOW)
        NAME(CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED)
        NAME(CUDNN_STATUS_BAD_PARAM)
        NAME(CUDNN_STATUS_INVALID_VALUE)
        NAME(CUDNN_STATUS_BAD_PARAM_NULL_POINTER)
        NAME(CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER)
        NAME(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED)
        NAME(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND)
        NAME(CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT)
        NAME(CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH)
        NAME(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH)
        NAME(CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES)
        NAME(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE)
        NAME(CUDNN_STATUS_BAD_PARAM_CUDA_GRAPH_MISMATCH)
        NAME(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE)
        NAME(CUDNN_STATUS_NOT_SUPPORTED)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_SHAPE)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_LAYOUT)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_SHARED_MEMORY_INSUFFICIENT)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_PADDING)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_BAD_LAUNCH_PARAM)
        NAME(CUDNN_STATUS_NOT_SUPPORTED_CUDA_GRAPH_NATIVE_API)
        NAME(CUDNN_STATUS_INTERNAL_ERROR)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_COMPILATION_FAILED)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_UNEXPECTED_VALUE)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_BAD_LAUNCH_PARAM)
        NAME(CUDNN_STATUS_INTERNAL_ERROR_TEXTURE_CREATION_FAILED)
        NAME(CUDNN_STATUS_EXECUTION_FAILED)
        NAME(CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER)
        NAME(CUDNN_STATUS_EXECUTION_FAILED_CUBLAS)
        NAME(CUDNN_STATUS_EXECUTION_FAILED_CUDART)
        NAME(CUDNN_STATUS_EXECUTION_FAILED_CURAND)
    }
#undef NAME
    return "CUDNN_UNKNOWN_STATUS";
}

/* ---- refusals ---- */

static __thread char last_error[256];

void cudnnGetLastErrorString(char *message, size_t max_size)
{
    if (message && max_size)
        snprintf(message, max_size, "%s", last_error);
    *last_error = 0;
}

Status dnn_refuse(const char *function, const char *what)
{
    snprintf(last_error, sizeof last_error, "%s: %s: the CPU device does not have it", function, what);
    fprintf(stderr, "%s\n", last_error);
    return CUDNN_STATUS_NOT_SUPPORTED;
}

bool dnn_has_type(cudnnDataType_t type)
{
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
           type == CUDNN_DATA_BFLOAT16;
}

Status dnn_tensors(const char *function, int count, const struct cudnnTensorStruct *const *d)
{
    for (int i = 0; i < count; i++)
        if (!d[i] || !d[i]->dims)
            return CUDNN_STATUS_BAD_PARAM;
    for (int i = 0; i < count; i++)
        if (!dnn_has_type(d[i]->type))
            return dnn_refuse(function, "a tensor of a type other than float, double, half and bfloat16");
    return CUDNN_STATUS_SUCCESS;
}

double dnn_factor(const void *p, cudnnDataType_t type)
{
    return type == CUDNN_DATA_DOUBLE ? *(const double *)p : (double)*(const float *)p;
}

/* ---- handles ---- */

Status cudnnCreate(cudnnHandle_t *handle)
{
    if (!handle)
        return CUDNN_STATUS_BAD_PARAM;
    *handle = calloc(1, sizeof **handle);
    return *handle ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}
Status cudnnDestroy(cudnnHandle_t handle)
{
    if (handle)
        cudaDeviceSynchronize(); /* as cuDNN's own does */
    free(handle);
    return CUDNN_STATUS_SUCCESS;
}
Status cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}
Status cudnnGetStream(cudnnHandle_t handle, cudaStream_t *stream)
{
    if (!handle || !stream)
        return handle ? CUDNN_STATUS_BAD_PARAM : CUDNN_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUDNN_STATUS_SUCCESS;
}
/* No kernel here finds out later what its call could not. */
Status cudnnQueryRuntimeError(cudnnHandle_t handle, Status *status, cudnnErrQueryMode_t mode, cudnnRuntimeTag_t *tag)
{
    (void)tag;
    if (!handle || !status)
        return CUDNN_STATUS_BAD_PARAM;
    if (mode == CUDNN_ERRQUERY_BLOCKING)
        cudaStreamSynchronize(handle->stream);
    *status = CUDNN_STATUS_SUCCESS;
    return CUDNN_STATUS_SUCCESS;
}
