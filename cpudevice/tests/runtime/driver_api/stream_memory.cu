/* Streams that write values into memory and wait for them: written by the host, by another stream, by a kernel; every
 * comparison against its definition, worked out here; what is refused. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: streams write values into memory, and wait for them
// RUN: timeout 60 $exe
#include <cuda.h>

#include <stdint.h>
#include <unistd.h>

#include "../../harness/is.h"

__global__ void store(unsigned *p, unsigned value)
{
    __threadfence_system();
    *(volatile unsigned *)p = value;
}

__global__ void wait_until(volatile unsigned *p, unsigned value)
{
    while (*p != value)
        ;
}

static CUdeviceptr at(const volatile void *p) { return (CUdeviceptr)(uintptr_t)p; }

template <class T> struct functions;
template <> struct functions<unsigned> {
    static CUresult wait(CUstream s, CUdeviceptr p, unsigned v, unsigned how) { return cuStreamWaitValue32(s, p, v, how); }
    static CUresult write(CUstream s, CUdeviceptr p, unsigned v) { return cuStreamWriteValue32(s, p, v, 0); }
};
template <> struct functions<uint64_t> {
    static CUresult wait(CUstream s, CUdeviceptr p, uint64_t v, unsigned how) { return cuStreamWaitValue64(s, p, v, how); }
    static CUresult write(CUstream s, CUdeviceptr p, uint64_t v) { return cuStreamWriteValue64(s, p, v, 0); }
};

/* A wait for `value` begins with memory that does not satisfy it, sees `wrong`, then `right`. */
template <class T> static void compare(CUstream s, volatile T *p, unsigned how, T value, T wrong, T right, int line)
{
    *p = wrong;
    is(functions<T>::wait(s, at(p), value, how), 0, "a wait", line);
    is(functions<T>::write(s, at(p + 1), right), 0, "a write", line);
    usleep(3000);
    is(cuStreamQuery(s), CUDA_ERROR_NOT_READY, "a stream that waits", line);
    is(p[1] == right, 0, "a write behind the wait is done", line);
    *p = right;
    is(cuStreamSynchronize(s), 0, "the wait's end", line);
    is(p[1] == right, 1, "the write behind the wait is done", line);
    p[1] = 0;
}

static void comparisons(CUstream s, void *memory)
{
    volatile unsigned *p = (volatile unsigned *)memory;
    volatile uint64_t *q = (volatile uint64_t *)memory;
    p[1] = 0;
    compare<unsigned>(s, p, CU_STREAM_WAIT_VALUE_GEQ, 7, 6, 8, __LINE__);
    compare<unsigned>(s, p, CU_STREAM_WAIT_VALUE_GEQ, 0xfffffff0u, 0xffffffe0u, 5, __LINE__); /* it goes round */
    compare<unsigned>(s, p, CU_STREAM_WAIT_VALUE_EQ, 7, 8, 7, __LINE__);
    compare<unsigned>(s, p, CU_STREAM_WAIT_VALUE_AND, 6, 9, 4, __LINE__);
    compare<unsigned>(s, p, CU_STREAM_WAIT_VALUE_NOR, 0xffff0000u, 0xffffu, 0xefffu, __LINE__);
    q[1] = 0;
    const uint64_t high = 1ull << 40;
    compare<uint64_t>(s, q, CU_STREAM_WAIT_VALUE_GEQ, high, high - 1, high + 1, __LINE__);
    compare<uint64_t>(s, q, CU_STREAM_WAIT_VALUE_EQ, high + 3, 3, high + 3, __LINE__);
    compare<uint64_t>(s, q, CU_STREAM_WAIT_VALUE_AND, high, high - 1, high | 2, __LINE__);
    compare<uint64_t>(s, q, CU_STREAM_WAIT_VALUE_NOR, ~high, high, 1, __LINE__);
}

static void writers(CUstream s, CUstream t, unsigned *p, CUdeviceptr device)
{
    /* another stream, in device memory, that comes first to the wait and later to the write */
    p[8] = 0;
    IS(cuMemsetD8(device, 0, 16), 0);
    IS(cuCtxSynchronize(), 0);
    IS(cuStreamWaitValue32(s, device, 3, CU_STREAM_WAIT_VALUE_EQ), 0);
    IS(cuMemcpyDtoHAsync(p + 8, device + 4, 4, s), 0);
    IS(cuStreamWriteValue32(t, device + 4, 17, 0), 0);
    IS(cuStreamWriteValue32(t, device, 3, 0), 0);
    IS(cuStreamSynchronize(s), 0);
    IS(p[8], 17);
    /* a kernel that runs after the wait has begun */
    p[0] = 0;
    IS(cuStreamWaitValue32(s, at(p), 5, CU_STREAM_WAIT_VALUE_GEQ), 0);
    IS(cuStreamWriteValue32(s, at(p + 1), 6, 0), 0);
    store<<<1, 1, 0, t>>>(p, 5);
    IS(cuStreamSynchronize(s), 0);
    IS(cuStreamSynchronize(t), 0);
    IS(p[1], 6);
    /* a kernel that waits for a stream's write */
    p[0] = 0;
    wait_until<<<1, 1, 0, s>>>(p, 9);
    IS(cuStreamWriteValue32(t, at(p), 9, 0), 0);
    IS(cuStreamSynchronize(s), 0);
    IS(cuStreamSynchronize(t), 0);
}

static void batches(CUstream s, unsigned *p)
{
    CUstreamBatchMemOpParams op[4] = {};
    op[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op[0].writeValue.address = at(p);
    op[0].writeValue.value = 1;
    op[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    op[1].waitValue.address = at(p);
    op[1].waitValue.value = 2;
    op[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    op[2].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    op[3].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    op[3].writeValue.address = at(p + 2);
    op[3].writeValue.value64 = 0x300000004ull;
    p[0] = p[2] = p[3] = 0;
    IS(cuStreamBatchMemOp(s, 4, op, 0), 0);
    while (*(volatile unsigned *)p != 1)
        ;
    IS(p[2], 0);
    *(volatile unsigned *)p = 2;
    IS(cuStreamSynchronize(s), 0);
    IS(p[2], 4);
    IS(p[3], 3);
    /* one that is wrong: none is done */
    p[0] = 0;
    op[3].writeValue.address += 4;
    IS(cuStreamBatchMemOp(s, 4, op, 0), CUDA_ERROR_INVALID_VALUE);
    op[3].writeValue.address -= 4;
    CUstreamBatchMemOpParams many[256];
    for (CUstreamBatchMemOpParams &one : many)
        one = op[3];
    IS(cuStreamBatchMemOp(s, 256, many, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamBatchMemOp(s, 255, many, 0), 0);
#ifdef __CUCC__ /* NVIDIA's library reads it */
    IS(cuStreamBatchMemOp(s, 4, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
#endif
    IS(cuStreamBatchMemOp(s, 4, op, 1), CUDA_ERROR_INVALID_VALUE);
    op[3].operation = (CUstreamBatchMemOpType)77;
    IS(cuStreamBatchMemOp(s, 4, op, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamSynchronize(s), 0);
    IS(p[0], 0);
}

static void captured(CUstream s, unsigned *p)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    p[0] = p[1] = 0;
    IS(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal), 0);
    IS(cuStreamWaitValue32(s, at(p), 1, CU_STREAM_WAIT_VALUE_EQ), 0);
    IS(cuStreamWriteValue32(s, at(p), 0, 0), 0);
    IS(cuStreamWriteValue32(s, at(p + 1), 8, 0), 0);
    IS(cudaStreamEndCapture(s, &graph), 0);
    IS(cudaGraphInstantiate(&exec, graph, 0), 0);
    for (int i = 0; i < 3; i++) {
        p[1] = 0;
        IS(cudaGraphLaunch(exec, s), 0);
        usleep(1000);
        IS(p[1], 0);
        *(volatile unsigned *)p = 1;
        IS(cuStreamSynchronize(s), 0);
        IS(p[0], 0);
        IS(p[1], 8);
    }
    IS(cudaGraphExecDestroy(exec), 0);
    IS(cudaGraphDestroy(graph), 0);
}

int main()
{
    /* CUDA 11's functions have gone: an H200 says 0 of them */
    static const struct {
        CUdevice_attribute of;
        int value;
    } attributes[] = {{CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 0},
                      {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
                      {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1}};
    CUcontext context;
    CUstream s, t;
    CUdeviceptr device;
    unsigned *p = nullptr;
    IS(cuInit(0), 0);
    IS(cuDevicePrimaryCtxRetain(&context, 0), 0);
    IS(cuCtxSetCurrent(context), 0);
    for (auto a : attributes) {
        int can = -1;
        IS(cuDeviceGetAttribute(&can, a.of, 0), 0);
        IS(can, a.value);
    }
    IS(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING), 0);
    IS(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING), 0);
    IS(cuMemAlloc(&device, 64), 0);
    IS(cuMemAllocHost((void **)&p, 64), 0);
    store<<<1, 1, 0, s>>>(p, 0); /* the module is loaded before any stream waits */
    IS(cuStreamSynchronize(s), 0);
    comparisons(s, p);
    writers(s, t, p, device);
    batches(s, p);
    captured(s, p);
    IS(cuStreamWriteValue32(s, device + 2, 1, 0), CUDA_ERROR_INVALID_VALUE); /* no multiple of 4 */
    IS(cuStreamWriteValue64(s, device + 4, 1, 0), CUDA_ERROR_INVALID_VALUE); /* no multiple of 8 */
    IS(cuStreamWriteValue32(s, 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuStreamWaitValue32(s, device, 1, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemFree(device), 0);
    return failed;
}
