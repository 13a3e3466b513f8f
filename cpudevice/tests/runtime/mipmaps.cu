// A test for the CPU device only.
// Mipmapped arrays: extents of the levels, and what a fetch at a level of detail gives, worked out by hand from the CUDA C++
// Programming Guide: bias, then clamps, then the nearest level or a weighted mean of two.
#include <check.h>
#include <cuda_runtime.h>

#include "suite.h"

enum { LEVELS = 4 }; // 8 x 8, 4 x 4, 2 x 2, 1 x 1

// Level k is 10 k + (0 or 1: left or right half; the 1 x 1 level is 30).
static cudaMipmappedArray_t filled(void)
{
    cudaMipmappedArray_t m;
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    ck_assert_int_eq(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 8, 0), LEVELS), cudaSuccess);
    for (unsigned k = 0; k < LEVELS; k++) {
        const size_t n = 8u >> k;
        float texels[64];
        cudaArray_t a;
        for (size_t i = 0; i < n * n; i++)
            texels[i] = 10.0f * (float)k + (i % n >= n / 2 && n > 1 ? 1 : 0);
        ck_assert_int_eq(cudaGetMipmappedArrayLevel(&a, m, k), cudaSuccess);
        ck_assert_int_eq(cudaMemcpy2DToArray(a, 0, 0, texels, n * 4, n * 4, n, cudaMemcpyHostToDevice), cudaSuccess);
    }
    return m;
}

static cudaTextureDesc description(cudaTextureFilterMode between, float bias, float least, float most)
{
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.normalizedCoords = 1;
    d.mipmapFilterMode = between;
    d.mipmapLevelBias = bias;
    d.minMipmapLevelClamp = least;
    d.maxMipmapLevelClamp = most;
    return d;
}

__global__ void fetch(float *o, cudaTextureObject_t t, const float *lod)
{
    o[threadIdx.x] = tex2DLod<float>(t, 0.75f, 0.3f, lod[threadIdx.x]);
    if (threadIdx.x == 0)
        o[blockDim.x] = tex2D<float>(t, 0.75f, 0.3f);
}

// Fetches in the right half, at six levels of detail; the seventh value is that of tex2D.
static void expect(const cudaTextureDesc &d, const float want[7])
{
    static const float lods[6] = {-1, 0, 0.25f, 0.75f, 1.5f, 5};
    cudaMipmappedArray_t m = filled();
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureObject_t t = 0;
    float *o, *lod;
    ck_assert_int_eq(cudaCreateTextureObject(&t, &r, &d, NULL), cudaSuccess);
    cudaMallocManaged(&o, 7 * sizeof *o);
    cudaMallocManaged(&lod, sizeof lods);
    for (int i = 0; i < 6; i++)
        lod[i] = lods[i];
    fetch<<<1, 6>>>(o, t, lod);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 7; i++)
        ck_assert_msg(o[i] == want[i], "fetch %d: %g instead of %g", i, o[i], want[i]);
    cudaDestroyTextureObject(t);
    ck_assert_int_eq(cudaFreeMipmappedArray(m), cudaSuccess);
    cudaFree(o);
    cudaFree(lod);
}

START_TEST(test_nearest_level)
{
    const float want[] = {1, 1, 1, 11, 21, 30, 1}, biased[] = {1, 11, 11, 21, 30, 30, 11};
    expect(description(cudaFilterModePoint, 0, 0, 99), want);
    expect(description(cudaFilterModePoint, 1, 0, 99), biased);
}
END_TEST

START_TEST(test_between_levels)
{
    // level 2's right half is 21, level 3 is 30
    const float want[] = {1, 1, 3.5f, 8.5f, 16, 30, 1}, clamped[] = {6, 6, 6, 8.5f, 16, 25.5f, 6};
    expect(description(cudaFilterModeLinear, 0, 0, 99), want);
    expect(description(cudaFilterModeLinear, 0, 0.5f, 2.5f), clamped);
    const float first[] = {1, 1, 1, 1, 1, 1, 1}; // a description of zeros: no level below the first
    expect(description(cudaFilterModeLinear, 0, 0, 0), first);
}
END_TEST

// 12 x 5 x 3 has levels of 6 x 2 x 1, 3 x 1 x 1 and 1 x 1 x 1; of three layers each level has three.
START_TEST(test_extents)
{
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>();
    const size_t want[2][4][3] = {{{12, 5, 3}, {6, 2, 1}, {3, 1, 1}, {1, 1, 1}}, {{12, 5, 3}, {6, 2, 3}, {3, 1, 3}, {1, 1, 3}}};
    for (int layered = 0; layered < 2; layered++) {
        cudaMipmappedArray_t m;
        cudaArray_t a;
        const unsigned flags = layered ? cudaArrayLayered : 0;
        ck_assert_int_eq(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(12, 5, 3), 10, flags), cudaSuccess);
        for (unsigned k = 0; k < 4; k++) {
            cudaExtent e;
            ck_assert_int_eq(cudaGetMipmappedArrayLevel(&a, m, k), cudaSuccess);
            ck_assert_int_eq(cudaArrayGetInfo(NULL, &e, NULL, a), cudaSuccess);
            ck_assert(e.width == want[layered][k][0] && e.height == want[layered][k][1] && e.depth == want[layered][k][2]);
        }
        ck_assert_int_eq(cudaGetMipmappedArrayLevel(&a, m, 4), cudaErrorInvalidValue);
        ck_assert_int_eq(cudaFreeMipmappedArray(m), cudaSuccess);
    }
}
END_TEST

START_TEST(test_refused)
{
    cudaMipmappedArray_t m = filled();
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    cudaTextureDesc d = description(cudaFilterModePoint, 0, 0, 9);
    cudaTextureObject_t t = 0;
    ck_assert_int_ne(cudaCreateTextureObject(&t, &r, &d, NULL), cudaSuccess); // no array
    r.res.mipmap.mipmap = m;
    d.normalizedCoords = 0;
    ck_assert_int_eq(cudaCreateTextureObject(&t, &r, &d, NULL), cudaErrorInvalidValue);
    cudaFreeMipmappedArray(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: mipmaps");
    TCase *tests = tcase_create("mipmaps");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_nearest_level);
    tcase_add_test(tests, test_between_levels);
    tcase_add_test(tests, test_extents);
    tcase_add_test(tests, test_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
