/* Buffers and textures shared with OpenGL. This program is its own OpenGL: it has buffer 5 and texture 7, under the
 * functions' true names, which the runtime finds as it would find libGL's, and counts the copies out and in. */
// TEST: graphics
// RUN: $cucc -O1 -I$folder -Xlinker --export-dynamic -o $exe $case; CUDA_CPU_TOOLS=memcheck,racecheck,initcheck,hostcheck CUDA_CPU_EXIT=racecheck,initcheck,hostcheck $exe
// TEST: OpenGL's buffers and textures as device memory and arrays, under --check
// RUN: $cucc --check -O1 -I$folder -Xlinker --export-dynamic -o $exe $case; CUDA_CPU_TOOLS=memcheck,racecheck,initcheck,hostcheck CUDA_CPU_EXIT=racecheck,initcheck,hostcheck $exe
// Without OpenGL in the program the first call says what is missing.
// TEST: a program without OpenGL is told which function it lacks
// RUN: $cucc -O1 -I$folder -o $exe $case; $exe || :
// SAYS: linked with OpenGL: there is no glBindBuffer
#include <cstdio>
#include <cstring>

#include <cuda_gl_interop.h>
#include <cuda_runtime.h>

enum { N = 100, WIDTH = 5, HEIGHT = 3 };
static int buffer[N];                     /* buffer 5 */
static unsigned char texels[HEIGHT][WIDTH][4]; /* texture 7: RGBA8 */
static unsigned bound_buffer = 1, bound_texture = 2;
static int reads, writes, packing = 4, unpacking = 4, failed;

extern "C" {
void glBindBuffer(unsigned, unsigned number) { bound_buffer = number; }
void glBindTexture(unsigned, unsigned number) { bound_texture = number; }
void glGetIntegerv(unsigned name, int *value)
{
    *value = name == 0x8894 ? (int)bound_buffer : name == 0x8069 ? (int)bound_texture : name == 0x0d05 ? packing : unpacking;
}
void glPixelStorei(unsigned name, int value) { (name == 0x0d05 ? packing : unpacking) = value; }
void glGetBufferParameteriv(unsigned, unsigned, int *value)
{
    if (bound_buffer == 5)
        *value = (int)sizeof buffer;
}
void glGetBufferSubData(unsigned, long offset, long size, void *data)
{
    reads++;
    if (bound_buffer == 5)
        memcpy(data, (char *)buffer + offset, (size_t)size);
}
void glBufferSubData(unsigned, long offset, long size, const void *data)
{
    writes++;
    if (bound_buffer == 5)
        memcpy((char *)buffer + offset, data, (size_t)size);
}
void glGetTexLevelParameteriv(unsigned, int, unsigned name, int *value)
{
    if (bound_texture == 7)
        *value = name == 0x1000 ? WIDTH : name == 0x1001 ? HEIGHT : 0x8058;
}
void glGetTexImage(unsigned, int, unsigned format, unsigned type, void *data)
{
    reads++;
    if (bound_texture == 7 && format == 0x1908 && type == 0x1401 && packing == 1)
        memcpy(data, texels, sizeof texels);
}
void glTexSubImage2D(unsigned, int, int, int, int width, int height, unsigned format, unsigned type, const void *data)
{
    writes++;
    if (bound_texture == 7 && format == 0x1908 && type == 0x1401 && unpacking == 1 && width == WIDTH && height == HEIGHT)
        memcpy(texels, data, sizeof texels);
}
}

static void check(bool right, const char *what)
{
    printf("%s - %s\n", right ? "ok" : "not ok", what);
    failed |= !right;
}

__global__ void twice(int *x, int n)
{
    if ((int)threadIdx.x < n)
        x[threadIdx.x] *= 2;
}

__global__ void invert(cudaSurfaceObject_t image)
{
    uchar4 c = surf2Dread<uchar4>(image, threadIdx.x * 4, threadIdx.y);
    surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), image, threadIdx.x * 4, threadIdx.y);
}

static void buffers()
{
    cudaGraphicsResource_t shared = 0;
    int *d = 0;
    size_t bytes = 0;
    for (int i = 0; i < N; i++)
        buffer[i] = i;
    check(cudaGraphicsGLRegisterBuffer(&shared, 6, 0) == cudaErrorInvalidGraphicsContext, "a buffer that is not there");
    check(!cudaGraphicsGLRegisterBuffer(&shared, 5, cudaGraphicsRegisterFlagsNone), "a buffer is registered");
    check(cudaGraphicsResourceGetMappedPointer((void **)&d, &bytes, shared) == cudaErrorNotMapped, "not mapped yet");
    check(!cudaGraphicsMapResources(1, &shared) && cudaGraphicsMapResources(1, &shared) == cudaErrorAlreadyMapped,
          "mapped once");
    check(!cudaGraphicsResourceGetMappedPointer((void **)&d, &bytes, shared) && bytes == sizeof buffer, "its size");
    twice<<<1, 128>>>(d, N);
    check(buffer[3] == 3, "OpenGL's copy stays while it is mapped");
    check(!cudaGraphicsUnmapResources(1, &shared), "unmapped");
    bool right = true;
    for (int i = 0; i < N; i++)
        right &= buffer[i] == 2 * i;
    check(right && reads == 1 && writes == 1, "what the kernel made is OpenGL's");
    check(!cudaGraphicsResourceSetMapFlags(shared, cudaGraphicsMapFlagsReadOnly), "read only");
    buffer[3] = 50;
    cudaGraphicsMapResources(1, &shared);
    int three = 0;
    cudaMemcpy(&three, d + 3, sizeof three, cudaMemcpyDeviceToHost);
    cudaGraphicsUnmapResources(1, &shared);
    check(three == 50 && reads == 2 && writes == 1, "read only: read anew, and not written");
    cudaGraphicsResourceSetMapFlags(shared, cudaGraphicsMapFlagsWriteDiscard);
    cudaGraphicsMapResources(1, &shared);
    cudaMemset(d, 0, sizeof buffer);
    cudaGraphicsUnmapResources(1, &shared);
    check(buffer[3] == 0 && reads == 2 && writes == 2, "write discard: written, and not read");
    check(!cudaGraphicsUnregisterResource(shared) && bound_buffer == 1, "OpenGL's own binding stays");
}

static void textures()
{
    cudaGraphicsResource_t shared = 0;
    for (int i = 0; i < (int)sizeof texels; i++)
        (&texels[0][0][0])[i] = (unsigned char)(i * 7);
    check(cudaGraphicsGLRegisterImage(&shared, 7, GL_TEXTURE_3D, 0) == cudaErrorNotSupported, "other targets are refused");
    check(!cudaGraphicsGLRegisterImage(&shared, 7, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore),
          "a texture is registered");
    cudaArray_t array = 0;
    check(!cudaGraphicsMapResources(1, &shared) && !cudaGraphicsSubResourceGetMappedArray(&array, shared, 0, 0),
          "a texture is mapped");
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    cudaCreateSurfaceObject(&surface, &what);
    invert<<<1, dim3(WIDTH, HEIGHT)>>>(surface);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(surface);
    check(!cudaGraphicsUnmapResources(1, &shared), "a texture is unmapped");
    bool right = true;
    for (int i = 0; i < (int)sizeof texels; i++) {
        const unsigned char was = (unsigned char)(i * 7);
        right &= (&texels[0][0][0])[i] == (i % 4 == 3 ? was : 255 - was);
    }
    check(right, "what the kernel made of the texture is OpenGL's");
    check(!cudaGraphicsUnregisterResource(shared) && bound_texture == 2 && packing == 4 && unpacking == 4,
          "OpenGL's own settings stay");
}

int main()
{
    unsigned n = 0;
    int device = -1;
    check(!cudaGLGetDevices(&n, &device, 1, cudaGLDeviceListAll) && n == 1 && device == 0, "the device of a context");
    buffers();
    textures();
    return failed;
}
