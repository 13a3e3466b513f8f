/* driver_memory_ops.c: the driver interface's operations on memory that a stream does itself. */
#define _GNU_SOURCE
#include <stdint.h>

#include "memory/copy.h"
#include "memory/memory.h"
#include "stream/memory_ops.h"
#include "driver_api/module.h"
#include "device/process.h"
#include "stream/queue.h"
#include "stream/stream.h"
#include "observe/tell_command.h"

enum { MOST = 255 /* operations of a batch, as an H200 says */ };

static bool is_write(CUstreamBatchMemOpType t)
{
    return t == CU_STREAM_MEM_OP_WRITE_VALUE_32 || t == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}

static size_t bytes_of(CUstreamBatchMemOpType t)
{
    return t == CU_STREAM_MEM_OP_WAIT_VALUE_64 || t == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
}

/* The bytes at p, which the device can reach. */
static bool reachable(CUdeviceptr p, size_t bytes)
{
    const char *at = (const char *)(uintptr_t)p;
    allocation a;
    if (!p || p % bytes)
        return false;
    if (region_of(at) == R_NONE && !allocation_of(at, &a))
        return is_global(at);
    return allocation_of(at, &a) && p + bytes <= a.start + a.size;
}

static CUresult check(const CUstreamBatchMemOpParams *p)
{
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        if (p->waitValue.flags & CU_STREAM_WAIT_VALUE_FLUSH) /* CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES is 0 */
            return CUDA_ERROR_NOT_SUPPORTED;
        if (p->waitValue.flags > CU_STREAM_WAIT_VALUE_NOR)
            return CUDA_ERROR_INVALID_VALUE;
        break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        if (p->writeValue.flags != CU_STREAM_WRITE_VALUE_DEFAULT)
            return CUDA_ERROR_INVALID_VALUE;
        break;
    case CU_STREAM_MEM_OP_BARRIER:
        return p->memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES: return CUDA_ERROR_NOT_SUPPORTED;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return reachable(p->waitValue.address, bytes_of(p->operation)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Observers hear of a write and a wait as of an event that is the address: a wait comes after the writes there that were
 * queued before it. */
static cudaError_t queue(const CUstreamBatchMemOpParams *p, struct CUstream_st *s)
{
    if (p->operation == CU_STREAM_MEM_OP_BARRIER) /* each write has one */
        return cudaSuccess;
    const bool write = is_write(p->operation);
    command *c = command_new(write ? C_WRITE_VALUE : C_WAIT_VALUE);
    c->copy.dst = (char *)(uintptr_t)p->waitValue.address;
    c->copy.width = bytes_of(p->operation);
    c->copy.wide_value = c->copy.width == 8 ? p->waitValue.value64 : p->waitValue.value;
    c->copy.value = (int)p->waitValue.flags;
    const void *address = c->copy.dst;
    const bool told = !s->capture;
    if (told && !write)
        tell_stream_wait(s, address);
    const cudaError_t e = command_queue(c, s);
    if (told && write)
        tell_event_record(address, s);
    return e;
}

/* All are checked before the first is queued. */
static CUresult queue_all(CUstream stream, unsigned count, const CUstreamBatchMemOpParams *list, unsigned flags)
{
    const cudaError_t e = device_ready();
    if (e)
        return (CUresult)e;
    struct CUstream_st *s = stream_of(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!list || count == 0 || count > MOST || flags)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        const CUresult wrong = check(&list[i]);
        if (wrong)
            return wrong;
    }
    if (!memory_ops_ready())
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        const cudaError_t refused = queue(&list[i], s);
        if (refused)
            return (CUresult)refused;
    }
    return CUDA_SUCCESS;
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, CUstreamBatchMemOpParams *list, unsigned flags)
{
    DRIVER;
    RESULT(queue_all(stream, count, list, flags));
}

static CUresult one(CUstreamBatchMemOpType type, CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags)
{
    CUstreamBatchMemOpParams p = {.waitValue = {.operation = type, .address = address, .flags = flags}};
    if (bytes_of(type) == 8)
        p.waitValue.value64 = value;
    else
        p.waitValue.value = (cuuint32_t)value;
    return queue_all(stream, 1, &p, 0);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    DRIVER;
    RESULT(one(CU_STREAM_MEM_OP_WAIT_VALUE_32, stream, address, value, flags));
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    DRIVER;
    RESULT(one(CU_STREAM_MEM_OP_WAIT_VALUE_64, stream, address, value, flags));
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    DRIVER;
    RESULT(one(CU_STREAM_MEM_OP_WRITE_VALUE_32, stream, address, value, flags));
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    DRIVER;
    RESULT(one(CU_STREAM_MEM_OP_WRITE_VALUE_64, stream, address, value, flags));
}
