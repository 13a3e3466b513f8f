/* cuMemsetD2D8, cuMemsetD2D16, cuMemsetD2D32 and their Async forms, against loops on the host; what lies around
 * keeps its values. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: areas are filled with values of 8, 16 and 32 bits
// RUN: $exe
#include <cuda.h>

#include <string.h>

#include "../../harness/is.h"

enum { PITCH = 48, ROWS = 9, BYTES = PITCH * ROWS, X = 8, Y = 2, WIDTH = 5, HEIGHT = 4 };

template <class T> static bool filled(CUdeviceptr p, T value)
{
    unsigned char got[BYTES], expected[BYTES];
    memset(expected, 0x5a, BYTES);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memcpy(expected + (Y + y) * PITCH + X + x * sizeof value, &value, sizeof value);
    return !cuMemcpyDtoH(got, p, BYTES) && !memcmp(got, expected, BYTES) && !cuMemsetD8(p, 0x5a, BYTES);
}

int main()
{
    CUdeviceptr p;
    CUstream s;
    CUcontext context;
    expect(!cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxSetCurrent(context), "a context");
    expect(!cuMemAlloc(&p, BYTES) && !cuStreamCreate(&s, CU_STREAM_NON_BLOCKING), "memory and a stream");
    expect(!cuMemsetD8(p, 0x5a, BYTES) && !cuCtxSynchronize(), "the values around");
    const CUdeviceptr at = p + Y * PITCH + X;
    for (unsigned value : {0x01020304u, 0u, 0xffffffffu, 0x80000001u, 0x77777777u}) {
        const unsigned short half = (unsigned short)value;
        const unsigned char byte = (unsigned char)value;
        expect(!cuMemsetD2D8(at, PITCH, byte, WIDTH, HEIGHT) && filled(p, byte), "cuMemsetD2D8");
        expect(!cuMemsetD2D16(at, PITCH, half, WIDTH, HEIGHT) && filled(p, half), "cuMemsetD2D16");
        expect(!cuMemsetD2D32(at, PITCH, value, WIDTH, HEIGHT) && filled(p, value), "cuMemsetD2D32");
        expect(!cuCtxSynchronize() && !cuMemsetD2D8Async(at, PITCH, byte, WIDTH, HEIGHT, s) &&
                   !cuStreamSynchronize(s) && filled(p, byte),
               "cuMemsetD2D8Async");
        expect(!cuCtxSynchronize() && !cuMemsetD2D16Async(at, PITCH, half, WIDTH, HEIGHT, s) &&
                   !cuStreamSynchronize(s) && filled(p, half),
               "cuMemsetD2D16Async");
        expect(!cuCtxSynchronize() && !cuMemsetD2D32Async(at, PITCH, value, WIDTH, HEIGHT, s) &&
                   !cuStreamSynchronize(s) && filled(p, value),
               "cuMemsetD2D32Async");
    }
    expect(!cuMemsetD2D32(p, 4, 7, 3, 1) && !cuMemsetD2D32(p, 0, 7, 3, 0),
           "one row, whose pitch does not matter, and none");
    expect(cuMemsetD2D32(p + 2, PITCH, 1, 1, 1) == CUDA_ERROR_INVALID_VALUE, "an address that is no multiple of 4");
    expect(cuMemsetD2D16(p, PITCH + 1, 1, 1, 2) == CUDA_ERROR_INVALID_VALUE, "a pitch that is no multiple of 2");
    expect(cuMemsetD2D32(p, 16, 1, 5, 2) == CUDA_ERROR_INVALID_VALUE, "rows that are wider than the pitch");
    return failed;
}
