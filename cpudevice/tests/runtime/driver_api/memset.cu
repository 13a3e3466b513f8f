/* cuMemsetD16, cuMemsetD32 and their Async forms, against loops on the host; what lies around keeps its values. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: memory is filled with values of 16 and 32 bits
// RUN: $exe
#include <cuda.h>

#include <string.h>

#include "../../harness/is.h"

enum { N = 1000, FIRST = 3, COUNT = 501 };

template <class T> static bool filled(CUdeviceptr p, T value)
{
    static T got[N];
    T around;
    memset(&around, 0x5a, sizeof around);
    if (cuMemcpyDtoH(got, p, sizeof got))
        return false;
    for (int i = 0; i < N; i++)
        if (got[i] != (i >= FIRST && i < FIRST + COUNT ? value : around))
            return false;
    return true;
}

int main()
{
    CUdeviceptr p;
    CUstream stream;
    CUcontext context;
    expect(!cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxSetCurrent(context), "a context");
    expect(!cuMemAlloc(&p, 4 * N) && !cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "memory and a stream");
    for (unsigned value : {0x01020304u, 0u, 0xffffffffu, 0x80000001u, 0x77777777u}) {
        const unsigned short half = (unsigned short)value;
        cuMemsetD8(p, 0x5a, 4 * N);
        expect(!cuMemsetD32(p + 4 * FIRST, value, COUNT) && filled<unsigned>(p, value), "cuMemsetD32");
        cuMemsetD8(p, 0x5a, 4 * N);
        expect(!cuMemsetD16(p + 2 * FIRST, half, COUNT) && filled<unsigned short>(p, half), "cuMemsetD16");
        cuMemsetD8Async(p, 0x5a, 4 * N, stream);
        expect(!cuMemsetD32Async(p + 4 * FIRST, value, COUNT, stream), "cuMemsetD32Async");
        expect(!cuStreamSynchronize(stream) && filled<unsigned>(p, value), "what cuMemsetD32Async writes");
        cuMemsetD8Async(p, 0x5a, 4 * N, stream);
        expect(!cuMemsetD16Async(p + 2 * FIRST, half, COUNT, stream), "cuMemsetD16Async");
        expect(!cuStreamSynchronize(stream) && filled<unsigned short>(p, half), "what cuMemsetD16Async writes");
    }
    expect(cuMemsetD32(p + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE, "an address that is no multiple of 4");
    expect(cuMemsetD16(p + 1, 1, 1) == CUDA_ERROR_INVALID_VALUE, "an address that is no multiple of 2");
    expect(!cuMemsetD32(p, 1, 0), "no value at all");
    return failed;
}
