// A test for the CPU device only.
// CUDA arrays, texture objects and surface objects. What a fetch must give is worked out here by hand from the CUDA C++
// Programming Guide ("Texture Fetching"): which texels, and weights with 8 fractional bits.
#include <check.h>
#include <cuda_runtime.h>
#include <math.h>
#include <string.h>

#include "suite.h"

static const float row[4] = {10, 20, 40, 80};

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized,
                                   cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    cudaTextureObject_t t = 0;
    ck_assert_int_eq(cudaCreateTextureObject(&t, &r, &d, NULL), cudaSuccess);
    return t;
}

__global__ void fetch1(float *o, cudaTextureObject_t t, const float *x) { o[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]); }

// Fetches at n places of an array that holds `row`.
static void expect_row(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized, int n, const float *x, const float *want)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    float *o, *places;
    cudaMallocArray(&a, &f, 4);
    cudaMallocManaged(&o, 64);
    cudaMallocManaged(&places, 64);
    memcpy(places, x, (size_t)n * sizeof(float));
    ck_assert_int_eq(cudaMemcpy2DToArray(a, 0, 0, row, 16, 16, 1, cudaMemcpyHostToDevice), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy2DToArray(a, 0, 0, row, 0, 16, 1, cudaMemcpyHostToDevice), cudaSuccess); /* one row */
    cudaTextureObject_t t = texture(a, mode, filter, normalized);
    fetch1<<<1, n>>>(o, t, places);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < n; i++)
        ck_assert_msg(o[i] == want[i], "at %g: %g instead of %g", x[i], o[i], want[i]);
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    cudaFree(o);
    cudaFree(places);
}

START_TEST(test_address_modes)
{
    const float x[] = {-7, -0.1f, 0, 1.9f, 3.99f, 4, 9}, clamp[] = {10, 10, 10, 20, 80, 80, 80}, border[] = {0, 0, 10, 20, 80, 0, 0};
    expect_row(cudaAddressModeClamp, cudaFilterModePoint, false, 7, x, clamp);
    expect_row(cudaAddressModeBorder, cudaFilterModePoint, false, 7, x, border);
    const float u[] = {-0.375f, 0.125f, 0.375f, 1.125f, 1.375f, 1.875f, 2.125f};
    const float wrap[] = {40, 10, 20, 10, 20, 80, 10}, mirror[] = {20, 10, 20, 80, 40, 10, 10}, clamped[] = {10, 10, 20, 80, 80, 80, 80};
    expect_row(cudaAddressModeWrap, cudaFilterModePoint, true, 7, u, wrap);
    expect_row(cudaAddressModeMirror, cudaFilterModePoint, true, 7, u, mirror);
    expect_row(cudaAddressModeClamp, cudaFilterModePoint, true, 7, u, clamped);
}
END_TEST

START_TEST(test_linear)
{
    // 0.3 has the weight 77/256; at a texel's middle there is only that texel, at the edge it repeats itself
    const float x[] = {1.5f, 1.0f, 1.8f, 0.25f, 3.75f, 3.5f}, want[] = {20, 15, 20 + 20 * (77 / 256.0f), 10, 80, 80};
    expect_row(cudaAddressModeClamp, cudaFilterModeLinear, false, 6, x, want);
    const float u[] = {0, 1}, wrapped[] = {45, 45};
    expect_row(cudaAddressModeWrap, cudaFilterModeLinear, true, 2, u, wrapped);
}
END_TEST

__global__ void fetch3(float *o, cudaTextureObject_t t)
{
    o[0] = tex3D<float>(t, 1.5f, 2.5f, 1.5f);
    tex3D(&o[1], t, 1.0f, 2.0f, 1.0f);        // between eight texels
}
__global__ void fetch_layers(float *o, cudaTextureObject_t t)
{
    o[0] = tex2DLayered<float>(t, 1.5f, 2.5f, 1);
    o[1] = tex2DLayered<float>(t, 0.5f, 0.5f, 0);
}

// A volume of 3 x 4 x 2 with 100 z + 10 y + x, by cudaMemcpy3D.
START_TEST(test_volume_and_layers)
{
    float volume[2][4][3], *o;
    for (int i = 0; i < 24; i++)
        volume[i / 12][i / 3 % 4][i % 3] = (float)(100 * (i / 12) + 10 * (i / 3 % 4) + i % 3);
    cudaMallocManaged(&o, 8);
    for (int layered = 0; layered < 2; layered++) {
        cudaChannelFormatDesc f = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        cudaArray_t a;
        ck_assert_int_eq(cudaMalloc3DArray(&a, &f, make_cudaExtent(3, 4, 2), layered ? cudaArrayLayered : 0), cudaSuccess);
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(volume, 12, 3, 4);
        p.dstArray = a;
        p.extent = make_cudaExtent(3, 4, 2);
        p.kind = cudaMemcpyHostToDevice;
        ck_assert_int_eq(cudaMemcpy3D(&p), cudaSuccess);
        cudaTextureObject_t t = texture(a, cudaAddressModeClamp, cudaFilterModeLinear, false);
        if (layered)
            fetch_layers<<<1, 1>>>(o, t);
        else
            fetch3<<<1, 1>>>(o, t);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        ck_assert(o[0] == 121);
        ck_assert(o[1] == (layered ? 0 : 65.5f));
        float back[2][4][3];
        cudaMemcpy3DParms q = {};
        q.srcArray = a;
        q.dstPtr = make_cudaPitchedPtr(back, 12, 3, 4);
        q.extent = p.extent;
        q.kind = cudaMemcpyDeviceToHost;
        ck_assert_int_eq(cudaMemcpy3D(&q), cudaSuccess);
        ck_assert(!memcmp(back, volume, sizeof(back)));
        cudaDestroyTextureObject(t);
        cudaFreeArray(a);
    }
    cudaFree(o);
}
END_TEST

__global__ void fetch_cube(float *o, cudaTextureObject_t t)
{
    const float d[6][3] = {{1, 0.2f, 0.1f}, {-1, 0.2f, 0.1f}, {0.2f, 1, 0.1f}, {0.2f, -1, 0.1f}, {0.1f, 0.2f, 1}, {0.1f, 0.2f, -1}};
    o[threadIdx.x] = texCubemap<float>(t, d[threadIdx.x][0], d[threadIdx.x][1], d[threadIdx.x][2]);
}

// Texel (x, y) of face f of a cube of 2 x 2 holds 10 f + 2 y + x.
START_TEST(test_cube)
{
    float faces[6][4], *o;
    for (int i = 0; i < 24; i++)
        faces[i / 4][i % 4] = (float)(10 * (i / 4) + i % 4);
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    cudaMallocManaged(&o, 24);
    ck_assert_int_eq(cudaMalloc3DArray(&a, &f, make_cudaExtent(2, 2, 6), cudaArrayCubemap), cudaSuccess);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(faces, 8, 2, 2);
    p.dstArray = a;
    p.extent = make_cudaExtent(2, 2, 6);
    p.kind = cudaMemcpyHostToDevice;
    ck_assert_int_eq(cudaMemcpy3D(&p), cudaSuccess);
    cudaTextureObject_t t = texture(a, cudaAddressModeClamp, cudaFilterModePoint, true);
    fetch_cube<<<1, 6>>>(o, t);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    // by the guide's table: (s, t) is (-z, -y), (z, -y), (x, z), (x, -z), (x, -y), (-x, -y)
    const float want[6] = {0, 11, 23, 31, 41, 50};
    for (int i = 0; i < 6; i++)
        ck_assert_msg(o[i] == want[i], "face %d: %g instead of %g", i, o[i], want[i]);
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    cudaFree(o);
}
END_TEST

__global__ void fetch_bytes(float4 *o, uchar4 *raw, cudaTextureObject_t normal, cudaTextureObject_t plain)
{
    *o = tex2D<float4>(normal, 1, 1);
    *raw = tex2D<uchar4>(plain, 1, 1);
}
__global__ void fetch_linear(int *o, cudaTextureObject_t t) { o[threadIdx.x] = tex1Dfetch<int>(t, (int)threadIdx.x - 1); }

START_TEST(test_what_is_stored)
{
    // bytes with a pitch, read as they are and as fractions of 255
    uchar4 *bytes, *raw;
    float4 *o;
    cudaMallocManaged(&bytes, 2 * 512);
    cudaMallocManaged(&o, sizeof *o);
    cudaMallocManaged(&raw, sizeof *raw);
    bytes[128 + 1] = make_uchar4(0, 51, 102, 255);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = bytes;
    r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    r.res.pitch2D.width = 2;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = 512;
    cudaTextureDesc d = {};
    cudaTextureObject_t plain, normal, whole;
    ck_assert_int_eq(cudaCreateTextureObject(&plain, &r, &d, NULL), cudaSuccess);
    d.readMode = cudaReadModeNormalizedFloat;
    ck_assert_int_eq(cudaCreateTextureObject(&normal, &r, &d, NULL), cudaSuccess);
    fetch_bytes<<<1, 1>>>(o, raw, normal, plain);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(o->x == 0 && o->y == 51 / 255.0f && o->z == 102 / 255.0f && o->w == 1);
    ck_assert(raw->x == 0 && raw->y == 51 && raw->z == 102 && raw->w == 255);
    // integers cannot be interpolated as such
    d.readMode = cudaReadModeElementType;
    d.filterMode = cudaFilterModeLinear;
    ck_assert_int_eq(cudaCreateTextureObject(&whole, &r, &d, NULL), cudaErrorInvalidFilterSetting);
    cudaGetLastError();
    // linear memory: nothing outside
    int *ints = (int *)bytes, *got = (int *)o;
    ints[0] = 5;
    ints[1] = -6;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = ints;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = 8;
    d.filterMode = cudaFilterModePoint;
    ck_assert_int_eq(cudaCreateTextureObject(&whole, &r, &d, NULL), cudaSuccess);
    fetch_linear<<<1, 4>>>(got, whole);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(got[0] == 0 && got[1] == 5 && got[2] == -6 && got[3] == 0);
    cudaDestroyTextureObject(plain);
    cudaDestroyTextureObject(normal);
    cudaDestroyTextureObject(whole);
    cudaFree(bytes);
    cudaFree(o);
    cudaFree(raw);
}
END_TEST

__global__ void surface(short *o, cudaSurfaceObject_t s)
{
    short old = surf2Dread<short>(s, 2 * sizeof(short), 1);
    surf2Dwrite((short)(old + 1), s, 2 * sizeof(short), 1);
    surf2Dwrite((short)77, s, 9 * sizeof(short), 1, cudaBoundaryModeZero);        // nowhere
    o[0] = surf2Dread<short>(s, 9 * sizeof(short), 1, cudaBoundaryModeZero);
    o[1] = surf2Dread<short>(s, 9 * sizeof(short), 9, cudaBoundaryModeClamp);
}

__global__ void gather(float4 *o, uchar4 *b, cudaTextureObject_t floats, cudaTextureObject_t bytes)
{
    o[0] = tex2Dgather<float4>(floats, 1.0f, 1.0f);      // between the texels (0,0) and (1,1)
    o[1] = tex2Dgather<float4>(floats, 2.6f, 0.2f, 0);   // beyond two edges: clamped
    tex2Dgather(&b[0], bytes, 1.9f, 1.1f, 2);
}

/* The order of the programming guide: (0,1), (1,1), (1,0), (0,0). */
START_TEST(test_gather)
{
    const float host[2][3] = {{10, 11, 12}, {20, 21, 22}};
    unsigned char rgba[2][3][4], *b;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), g = cudaCreateChannelDesc<uchar4>();
    cudaArray_t a, c;
    float *o;
    for (int i = 0; i < 24; i++)
        (&rgba[0][0][0])[i] = (unsigned char)(i * 5);
    cudaMallocManaged(&o, 8 * sizeof *o);
    cudaMallocManaged(&b, 4);
    cudaMallocArray(&a, &f, 3, 2);
    cudaMallocArray(&c, &g, 3, 2);
    cudaMemcpy2DToArray(a, 0, 0, host, 12, 12, 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(c, 0, 0, rgba, 12, 12, 2, cudaMemcpyHostToDevice);
    cudaTextureObject_t t = texture(a, cudaAddressModeClamp, cudaFilterModeLinear, 0);
    cudaTextureObject_t u = texture(c, cudaAddressModeClamp, cudaFilterModePoint, 0);
    gather<<<1, 1>>>((float4 *)o, (uchar4 *)b, t, u);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(o[0] == 20 && o[1] == 21 && o[2] == 11 && o[3] == 10);
    ck_assert(o[4] == 12 && o[5] == 12 && o[6] == 12 && o[7] == 12);
    ck_assert(b[0] == rgba[1][1][2] && b[1] == rgba[1][2][2] && b[2] == rgba[0][2][2] && b[3] == rgba[0][1][2]);
    cudaDestroyTextureObject(t), cudaDestroyTextureObject(u);
    cudaFreeArray(a), cudaFreeArray(c), cudaFree(o), cudaFree(b);
}
END_TEST

START_TEST(test_surface)
{
    short host[2][3] = {{1, 2, 3}, {4, 5, 6}}, *o;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<short>();
    cudaArray_t a;
    cudaMallocManaged(&o, 4);
    cudaMallocArray(&a, &f, 3, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(a, 0, 0, host, 6, 6, 2, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    ck_assert_int_eq(cudaCreateSurfaceObject(&s, &r), cudaSuccess);
    surface<<<1, 1>>>(o, s);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert(o[0] == 0 && o[1] == 7);
    ck_assert_int_eq(cudaMemcpy2DFromArray(host, 6, a, 0, 0, 6, 2, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert(host[0][0] == 1 && host[0][2] == 3 && host[1][1] == 5 && host[1][2] == 7);
    ck_assert_int_eq(cudaMemcpy2DFromArray(host, 6, a, 2, 0, 6, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    cudaGetLastError();
    cudaDestroySurfaceObject(s);
    cudaFreeArray(a);
    cudaFree(o);
}
END_TEST

// All of the following as an H200 gives it (driver 580.159.04, CUDA 13.0): the weights of the texels around a place, in
// 256ths, and what is left of a filtered value in each format.
__global__ void fetch_at(float *o, cudaTextureObject_t t, float3 p, bool volume)
{
    *o = volume ? tex3D<float>(t, p.x, p.y, p.z) : tex2D<float>(t, p.x, p.y);
}

static float fetched(const void *texels, size_t bytes, cudaChannelFormatDesc f, bool volume, float3 p)
{
    cudaArray_t a;
    float *o, value;
    cudaMallocManaged(&o, 4);
    ck_assert_int_eq(cudaMalloc3DArray(&a, &f, make_cudaExtent(2, 2, volume ? 2 : 0)), cudaSuccess);
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr((void *)texels, 2 * bytes, 2, 2);
    c.dstArray = a;
    c.extent = make_cudaExtent(2, 2, volume ? 2 : 1);
    c.kind = cudaMemcpyHostToDevice;
    ck_assert_int_eq(cudaMemcpy3D(&c), cudaSuccess);
    cudaTextureObject_t t = texture(a, cudaAddressModeBorder, cudaFilterModeLinear, false,
                                    f.f == cudaChannelFormatKindFloat ? cudaReadModeElementType : cudaReadModeNormalizedFloat);
    fetch_at<<<1, 1>>>(o, t, p, volume);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    value = *o;
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    cudaFree(o);
    return value;
}

__global__ void fetch_late(float *o, cudaTextureObject_t t)
{
    for (long long until = clock64() + 20000000; clock64() < until;)
        __nanosleep(1000);
    o[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

/* NVIDIA's samples destroy an object as soon as the kernel is launched that uses it. */
START_TEST(test_destroyed_behind_a_launch)
{
    float *x, *o;
    ck_assert_int_eq(cudaMallocManaged(&x, 32 * sizeof *x), cudaSuccess);
    ck_assert_int_eq(cudaMallocManaged(&o, 32 * sizeof *o), cudaSuccess);
    for (int i = 0; i < 32; i++)
        x[i] = (float)(3 * i + 1);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = x;
    what.res.linear.sizeInBytes = 32 * sizeof *x;
    what.res.linear.desc = cudaCreateChannelDesc<float>();
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    ck_assert_int_eq(cudaCreateTextureObject(&t, &what, &how, NULL), cudaSuccess);
    fetch_late<<<1, 32>>>(o, t);
    ck_assert_int_eq(cudaDestroyTextureObject(t), cudaSuccess);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 32; i++)
        ck_assert_float_eq(o[i], (float)(3 * i + 1));
    cudaFree(x);
    cudaFree(o);
}
END_TEST

START_TEST(test_as_on_a_gpu)
{
    static const int place[][3] = {{100, 200, 0}, {37, 29, 0}, {250, 3, 0}, {48, 80, 128}, {144, 192, 224}, {167, 82, 71}};
    static const int weight[][8] = {{34, 22, 122, 78}, {194, 33, 25, 4}, {6, 247, 0, 3},
                                    {72, 16, 32, 8, 72, 16, 32, 8}, {4, 4, 10, 14, 25, 31, 73, 95}, {44, 82, 20, 39, 17, 31, 8, 15}};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < (i < 3 ? 4 : 8); k++) {
            float texels[8] = {};
            texels[k] = 256;
            const float got = fetched(texels, 4, cudaCreateChannelDesc<float>(), i >= 3,
                                      make_float3(0.5f + (float)place[i][0] / 256, 0.5f + (float)place[i][1] / 256, 0.5f + (float)place[i][2] / 256));
            ck_assert_msg(got == (float)weight[i][k], "place %d, texel %d: %g, not %d", i, k, got, weight[i][k]);
        }
    const unsigned char u8[4] = {3, 250, 77, 128};
    const signed char s8[4] = {3, -128, 77, -100};
    const unsigned short u16[4] = {300, 65000, 7700, 12800}, half[4] = {0x34cd, 0x6114, 0xc7b3, 0x1419}; // 0.3, 650, -7.7, 0.001
    const float want[4][3] = {{0.151766226f, 0.571755528f, 0.968902111f}, {-0.125461593f, -0.572710335f, -0.996063113f},
                              {0.147264823f, 0.575341403f, 0.980209053f}, {94.1875f, 376, 642.5f}};
    const float across[3] = {37, 148, 259};
    for (int i = 0; i < 3; i++) {
        const float3 p = make_float3(0.5f + across[i] / 256, 0.5f, 0);
        ck_assert_float_eq_tol(fetched(u8, 1, cudaCreateChannelDesc<unsigned char>(), false, p), want[0][i], 1e-7f);
        ck_assert_float_eq_tol(fetched(s8, 1, cudaCreateChannelDesc<signed char>(), false, p), want[1][i], 1e-7f);
        ck_assert_float_eq_tol(fetched(u16, 2, cudaCreateChannelDesc<unsigned short>(), false, p), want[2][i], 1e-7f);
        ck_assert_float_eq(fetched(half, 2, cudaCreateChannelDescHalf(), false, p), want[3][i]);
    }
}
END_TEST

// As an H100 (cpudevice/tests/arithmetic/h100.txt): memory begins at a multiple of 512 bytes, and rows at multiples of 32.
START_TEST(test_alignment)
{
    float *p;
    cudaTextureDesc how = {};
    cudaTextureObject_t object;
    ck_assert_int_eq(cudaMalloc(&p, 16000), cudaSuccess);
    const struct {
        int offset, pitch;
        cudaError_t want;
    } row[] = {{0, 40, cudaErrorInvalidValue}, {0, 48, cudaErrorInvalidValue}, {0, 64, cudaSuccess}, {0, 96, cudaSuccess},
               {1, 64, cudaErrorInvalidValue}, {64, 64, cudaErrorInvalidValue}, {128, 64, cudaSuccess},
               {1, 0, cudaErrorInvalidValue}, {64, 0, cudaErrorInvalidValue}, {128, 0, cudaSuccess}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cudaResourceDesc memory = {};
        if (row[i].pitch) {
            memory.resType = cudaResourceTypePitch2D;
            memory.res.pitch2D = {p + row[i].offset, cudaCreateChannelDesc<float>(), 8, 40, (size_t)row[i].pitch};
        } else {
            memory.resType = cudaResourceTypeLinear;
            memory.res.linear = {p + row[i].offset, cudaCreateChannelDesc<float>(), 400};
        }
        const cudaError_t got = cudaCreateTextureObject(&object, &memory, &how, NULL);
        ck_assert_msg(got == row[i].want, "offset %d, pitch %d: %s", row[i].offset, row[i].pitch, cudaGetErrorName(got));
        if (!got)
            cudaDestroyTextureObject(object);
    }
    cudaFree(p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: textures");
    TCase *tests = tcase_create("textures");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_address_modes);
    tcase_add_test(tests, test_linear);
    tcase_add_test(tests, test_as_on_a_gpu);
    tcase_add_test(tests, test_volume_and_layers);
    tcase_add_test(tests, test_cube);
    tcase_add_test(tests, test_what_is_stored);
    tcase_add_test(tests, test_gather);
    tcase_add_test(tests, test_surface);
    tcase_add_test(tests, test_destroyed_behind_a_launch);
    tcase_add_test(tests, test_alignment);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
