/* driver_pointer.c: what the driver interface says of an address. */
#define _GNU_SOURCE
#include <stdint.h>

#include "device/message.h"
#include "driver_api/context.h"
#include "driver_api/module.h"
#include "memory/memory.h"
#include "memory/owner.h"

/* An address just past an allocation is not in it. */
static bool holds(allocation *a, CUdeviceptr p)
{
    return allocation_of((const void *)(uintptr_t)p, a) && p - a->start < a->size;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    DRIVER;
    allocation a;
    if (!holds(&a, p) || (a.kind != R_DEVICE && a.kind != R_MANAGED))
        RESULT(CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = a.start;
    if (bytes)
        *bytes = a.size;
    RESULT(CUDA_SUCCESS);
}

/* Each attribute has a type of its own, which NVIDIA's documentation says. */
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr p)
{
    DRIVER;
    allocation a;
    const void *at = (const void *)(uintptr_t)p;
    if (!data || !holds(&a, p))
        RESULT(CUDA_ERROR_INVALID_VALUE);
    const bool host = a.kind == R_PINNED || a.kind == R_REGISTERED;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)data = context_primary(memory_owner(at)); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)data = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)data = p; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (a.kind == R_DEVICE)
            RESULT(CUDA_ERROR_INVALID_VALUE);
        *(void **)data = (void *)(uintptr_t)p;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)data = a.kind == R_MANAGED; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = memory_owner(at); break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)data = a.start; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)data = a.size; break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)data = 1; break;
    default:
        message("cuPointerGetAttribute: attribute %d is not supported", (int)attribute);
        RESULT(CUDA_ERROR_NOT_SUPPORTED);
    }
    RESULT(CUDA_SUCCESS);
}
