/* Copies between host memory, device memory and arrays of one to three dimensions, by cuMemcpy3D, cuMemcpy2D and
 * their like: each byte of the destination against loops that follow NVIDIA's formulas (the start is (z * height + y)
 * * pitch + x). */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: boxes are copied between host memory, device memory and arrays
// RUN: $exe boxes
// TEST: rows and areas are copied to and from arrays
// RUN: $exe rows
// TEST: arrays say how they were made
// RUN: $exe arrays
// TEST: what does not fit is refused
// RUN: $exe errors
#include <cuda.h>

#include <initializer_list>
#include <string.h>
#include <vector>

#include "../../harness/is.h"

enum { W = 12, H = 5, D = 4, PITCH = 20, HEIGHT = 7, BYTES = PITCH * HEIGHT * D };
typedef std::vector<unsigned char> Bytes;

static Bytes counting(size_t n, int first)
{
    Bytes b(n);
    for (size_t i = 0; i < n; i++)
        b[i] = (unsigned char)(first + i * 7 % 251);
    return b;
}

/* One side of a copy: bytes in rows and slices, somewhere. */
struct Side {
    CUmemorytype type;
    size_t pitch, height; /* an array's are its own */
    Bytes bytes;
    CUdeviceptr device = 0;
    CUarray array = NULL;

    Side(CUmemorytype type, int first) : type(type)
    {
        const bool is_array = type == CU_MEMORYTYPE_ARRAY;
        pitch = is_array ? W : PITCH, height = is_array ? H : HEIGHT;
        bytes = counting(pitch * height * D, first);
        if (is_array) {
            const CUDA_ARRAY3D_DESCRIPTOR a = {W / 4, H, D, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
            IS(cuArray3DCreate(&array, &a), 0);
            CUDA_MEMCPY3D c = {};
            c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = bytes.data();
            c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = array;
            c.WidthInBytes = W, c.Height = H, c.Depth = D;
            IS(cuMemcpy3D(&c), 0);
        } else if (type != CU_MEMORYTYPE_HOST) {
            IS(cuMemAlloc(&device, bytes.size()), 0);
            IS(cuMemcpyHtoD(device, bytes.data(), bytes.size()), 0);
        }
    }
    ~Side()
    {
        if (array)
            IS(cuArrayDestroy(array), 0);
        if (device)
            IS(cuMemFree(device), 0);
    }
    size_t at(size_t x, size_t y, size_t z) const { return (z * height + y) * pitch + x; }
    Bytes now()
    {
        Bytes b = bytes;
        if (device)
            IS(cuMemcpyDtoH(b.data(), device, b.size()), 0);
        for (size_t z = 0; array && z < D; z++) { /* slice by slice */
            CUDA_MEMCPY3D c = {};
            c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = array, c.srcZ = z;
            c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = b.data() + z * W * H, c.dstPitch = W;
            c.WidthInBytes = W, c.Height = H, c.Depth = 1;
            IS(cuMemcpy3D(&c), 0);
        }
        return b;
    }
};

template <class Copy> static void fill_in(Copy &c, Side &from, Side &to)
{
    c = {};
    c.srcXInBytes = 4, c.srcY = 2, c.srcZ = 1, c.dstXInBytes = 0, c.dstY = 1, c.dstZ = 2;
    c.srcMemoryType = from.type, c.srcHost = from.bytes.data(), c.srcDevice = from.device, c.srcArray = from.array;
    c.dstMemoryType = to.type, c.dstHost = to.bytes.data(), c.dstDevice = to.device, c.dstArray = to.array;
    c.srcPitch = c.dstPitch = PITCH, c.srcHeight = c.dstHeight = HEIGHT;
    c.WidthInBytes = 8, c.Height = 3, c.Depth = 2;
}

static Bytes expected_of(const Side &from, const Side &to)
{
    Bytes b = to.bytes;
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            for (size_t x = 0; x < 8; x++)
                b[to.at(x, 1 + y, 2 + z)] = from.bytes[from.at(4 + x, 2 + y, 1 + z)];
    return b;
}

static const CUmemorytype kinds[] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_ARRAY,
                                     CU_MEMORYTYPE_UNIFIED};

static void test_boxes(CUcontext context)
{
    CUstream stream;
    IS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), 0);
    for (CUmemorytype a : kinds)
        for (CUmemorytype b : kinds)
            for (int way = 0; way < 4; way++) {
                Side from(a, 3), to(b, 100);
                const Bytes expected = expected_of(from, to);
                CUDA_MEMCPY3D c;
                CUDA_MEMCPY3D_PEER p;
                fill_in(c, from, to);
                fill_in(p, from, to);
                p.srcContext = p.dstContext = context;
                if (way == 0)
                    IS(cuMemcpy3D(&c), 0);
                if (way == 1)
                    IS(cuMemcpy3DAsync(&c, stream), 0);
                if (way == 2)
                    IS(cuMemcpy3DPeer(&p), 0);
                if (way == 3)
                    IS(cuMemcpy3DPeerAsync(&p, stream), 0);
                IS(cuStreamSynchronize(stream), 0);
                IS(to.now() == expected, 1);
            }
}

/* To and from an array of 12 elements of two bytes, and areas of one with rows of 12. */
static void test_rows(CUcontext context)
{
    CUarray array, other, area;
    CUdeviceptr p, q;
    CUstream stream;
    Bytes h = counting(24, 5), got(24);
    const CUDA_ARRAY_DESCRIPTOR row = {12, 0, CU_AD_FORMAT_SIGNED_INT16, 1},
                                bytes = {12, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2}, rows = {12, 3, CU_AD_FORMAT_HALF, 1};
    IS(cuArrayCreate(&array, &row), 0);
    IS(cuArrayCreate(&other, &bytes), 0);
    IS(cuArrayCreate(&area, &rows), 0);
    IS(cuMemAlloc(&p, 24), 0);
    IS(cuMemAlloc(&q, 24), 0);
    IS(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), 0);
    IS(cuMemcpyHtoA(array, 0, h.data(), 24), 0);
    IS(cuMemcpyAtoH(got.data(), array, 4, 20), 0);
    IS(memcmp(got.data(), h.data() + 4, 20), 0);
    IS(cuMemsetD8(p, 9, 24), 0);
    IS(cuMemcpyAtoD(p + 2, array, 6, 10), 0);
    IS(cuMemcpyDtoH(got.data(), p, 24), 0);
    for (int i = 0; i < 24; i++)
        IS(got[i], i >= 2 && i < 12 ? h[i + 4] : 9);
    IS(cuMemcpyDtoA(array, 20, p, 4), 0); /* its last elements become 9, 9, h[6], h[7] */
    IS(cuMemcpyAtoA(other, 0, array, 0, 24), 0);
    IS(cuMemcpyAtoH(got.data(), other, 0, 24), 0);
    for (int i = 0; i < 24; i++)
        IS(got[i], i < 20 ? h[i] : i < 22 ? 9 : h[i - 16]);
    IS(cuMemcpyHtoAAsync(array, 2, h.data(), 6, stream), 0);
    IS(cuMemcpyAtoHAsync(got.data(), array, 0, 8, stream), 0);
    IS(cuStreamSynchronize(stream), 0);
    for (int i = 0; i < 8; i++)
        IS(got[i], i < 2 ? h[i] : h[i - 2]);

    IS(cuMemcpyHtoD(p, h.data(), 24), 0);
    IS(cuMemcpyPeer(q, context, p, context, 24), 0);
    IS(cuMemcpyDtoH(got.data(), q, 24), 0);
    IS(got == h, 1);
    IS(cuMemsetD8(q, 0, 24), 0);
    IS(cuMemcpyPeerAsync(q, context, p + 8, context, 16, stream), 0);
    IS(cuStreamSynchronize(stream), 0);
    IS(cuMemcpyDtoH(got.data(), q, 24), 0);
    for (int i = 0; i < 24; i++)
        IS(got[i], i < 16 ? h[i + 8] : 0);
    IS(cuMemcpyAsync(p, q, 24, stream), 0);
    IS(cuStreamSynchronize(stream), 0);

    Bytes image = counting(24 * 3, 1), back(24 * 3, 0);
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = image.data(), c.srcPitch = 24;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = area;
    c.WidthInBytes = 24, c.Height = 3;
    IS(cuMemcpy2D(&c), 0);
    /* from array to array: rows 1 and 2 from the third element on, to row 0 */
    c = {};
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = area, c.srcXInBytes = 4, c.srcY = 1;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = back.data(), c.dstPitch = 24, c.dstXInBytes = 2;
    c.WidthInBytes = 20, c.Height = 2;
    IS(cuMemcpy2DUnaligned(&c), 0);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 24; x++)
            IS(back[y * 24 + x], y < 2 && x >= 2 && x < 22 ? image[(y + 1) * 24 + x + 2] : 0);
    c = {};
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = c.dstArray = area;
    c.srcY = 1, c.WidthInBytes = 24, c.Height = 1;
    IS(cuMemcpy2DAsync(&c, stream), 0);
    IS(cuStreamSynchronize(stream), 0);
    IS(cuMemcpyAtoH(back.data(), area, 0, 24), 0);
    IS(memcmp(back.data(), image.data() + 24, 24), 0);
    for (CUarray a : {array, other, area})
        IS(cuArrayDestroy(a), 0);
    IS(cuMemFree(p), 0);
    IS(cuMemFree(q), 0);
}

static void test_arrays()
{
    CUarray array;
    const CUDA_ARRAY3D_DESCRIPTOR made[] = {{7, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0},
                                            {7, 3, 0, CU_AD_FORMAT_HALF, 2, CUDA_ARRAY3D_SURFACE_LDST},
                                            {7, 3, 2, CU_AD_FORMAT_SIGNED_INT8, 4, 0},
                                            {6, 6, 6, CU_AD_FORMAT_UNSIGNED_INT32, 4, CUDA_ARRAY3D_CUBEMAP},
                                            {7, 3, 5, CU_AD_FORMAT_UNSIGNED_INT16, 1, CUDA_ARRAY3D_LAYERED}};
    for (const CUDA_ARRAY3D_DESCRIPTOR &m : made) {
        CUDA_ARRAY3D_DESCRIPTOR d;
        CUDA_ARRAY_DESCRIPTOR flat;
        IS(cuArray3DCreate(&array, &m), 0);
        IS(cuArray3DGetDescriptor(&d, array), 0);
        IS(cuArrayGetDescriptor(&flat, array), 0);
        IS(d.Width, m.Width), IS(d.Height, m.Height), IS(d.Depth, m.Depth), IS(d.Format, m.Format);
        IS(d.NumChannels, m.NumChannels), IS(d.Flags, m.Flags);
        IS(flat.Width, m.Width), IS(flat.Height, m.Height), IS(flat.Format, m.Format),
            IS(flat.NumChannels, m.NumChannels);
        if (m.Flags == CUDA_ARRAY3D_SURFACE_LDST) {
            CUsurfObject surface;
            CUDA_RESOURCE_DESC r = {};
            r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = array;
            IS(cuSurfObjectCreate(&surface, &r), 0);
            IS(cuSurfObjectDestroy(surface), 0);
            r.resType = CU_RESOURCE_TYPE_LINEAR;
            IS(cuSurfObjectCreate(&surface, &r), CUDA_ERROR_INVALID_VALUE);
        }
        IS(cuArrayDestroy(array), 0);
    }
    const CUDA_ARRAY3D_DESCRIPTOR three = {7, 3, 2, CU_AD_FORMAT_FLOAT, 3, 0},
                                  no_rows = {7, 0, 2, CU_AD_FORMAT_FLOAT, 1, 0},
                                  empty = {0, 3, 2, CU_AD_FORMAT_FLOAT, 1, 0};
    for (const CUDA_ARRAY3D_DESCRIPTOR *m : {&three, &no_rows, &empty, (const CUDA_ARRAY3D_DESCRIPTOR *)NULL})
        IS(cuArray3DCreate(&array, m), CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR d;
    IS(cuArray3DGetDescriptor(&d, NULL), CUDA_ERROR_INVALID_HANDLE);
    IS(cuArray3DGetDescriptor(NULL, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void refused(void (*change)(CUDA_MEMCPY3D &), int line)
{
    for (CUmemorytype a : kinds)
        for (CUmemorytype b : kinds) {
            Side from(a, 3), to(b, 100);
            CUDA_MEMCPY3D c;
            fill_in(c, from, to);
            c.srcXInBytes = c.srcY = c.srcZ = c.dstY = c.dstZ = 0;
            c.WidthInBytes = W, c.Height = H, c.Depth = D;
            IS(cuMemcpy3D(&c), 0);
            change(c);
            is(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE, "what cuMemcpy3D() returns", line);
        }
}
#define REFUSED(change) refused([](CUDA_MEMCPY3D &c) { change; }, __LINE__)

static void test_errors(CUcontext context)
{
    REFUSED(c.srcXInBytes = c.srcMemoryType == CU_MEMORYTYPE_ARRAY ? 4 : PITCH - W + 4);
    REFUSED(c.dstXInBytes = c.dstMemoryType == CU_MEMORYTYPE_ARRAY ? 4 : PITCH - W + 4);
    REFUSED(c.srcY = c.srcMemoryType == CU_MEMORYTYPE_ARRAY ? 1 : HEIGHT - H + 1);
    REFUSED(c.dstY = c.dstMemoryType == CU_MEMORYTYPE_ARRAY ? 1 : HEIGHT - H + 1);
    REFUSED(c.srcXInBytes = (size_t)-4);
    REFUSED(c.dstY = (size_t)-1);
    REFUSED(c.srcLOD = 1);
    REFUSED(c.dstLOD = 1);
    REFUSED(c.srcMemoryType = (CUmemorytype)0);
    REFUSED(c.dstMemoryType = (CUmemorytype)5);
    REFUSED((c.srcHost = NULL, c.srcDevice = 0, c.srcArray = NULL));
    REFUSED((c.dstHost = NULL, c.dstDevice = 0, c.dstArray = NULL));
    IS(cuMemcpy3D(NULL), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);

    Side memory(CU_MEMORYTYPE_DEVICE, 1), array(CU_MEMORYTYPE_ARRAY, 2);
    CUDA_MEMCPY3D c;
    fill_in(c, array, memory);
    c.srcXInBytes = 2; /* half an element */
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    fill_in(c, array, memory);
    c.srcZ = D - 1;
    IS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
    CUDA_MEMCPY3D_PEER p;
    fill_in(p, array, memory);
    p.srcContext = context;
    IS(cuMemcpy3DPeer(&p), CUDA_ERROR_INVALID_CONTEXT);
    IS(cuMemcpyPeer(memory.device, context, memory.device, NULL, 4), CUDA_ERROR_INVALID_CONTEXT);
    const CUDA_ARRAY_DESCRIPTOR floats = {12, 0, CU_AD_FORMAT_FLOAT, 1}, bytes = {48, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUarray a, b;
    IS(cuArrayCreate(&a, &floats), 0);
    IS(cuArrayCreate(&b, &bytes), 0);
    IS(cuMemcpyAtoA(a, 0, b, 0, 4), CUDA_ERROR_INVALID_VALUE); /* elements of other sizes */
    IS(cuMemcpyAtoA(a, 0, a, 44, 8), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyAtoD(memory.device, a, 2, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyAtoD(memory.device, a, 0, 6), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemcpyDtoA(NULL, 0, memory.device, 4), CUDA_ERROR_INVALID_VALUE);
    IS(cuArrayDestroy(a), 0);
    IS(cuArrayDestroy(b), 0);
}

int main(int argc, char **argv)
{
    CUcontext context;
    const char *which = argc > 1 ? argv[1] : "";
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return 2;
    if (!strcmp(which, "boxes"))
        test_boxes(context);
    else if (!strcmp(which, "rows"))
        test_rows(context);
    else if (!strcmp(which, "arrays"))
        test_arrays();
    else if (!strcmp(which, "errors"))
        test_errors(context);
    else
        return 2;
    return failed;
}
