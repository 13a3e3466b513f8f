/* hopper_tiles.cu: each candidate among which rung 12 of the lab `hopper` chooses computes the product, at ragged
 * shapes, with more tiles than blocks and with fewer. The lab's own tests see only the candidate that is chosen. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <vector>

#include <cuda_runtime.h>

#include "error.h"
#include "random.h"
#include "suite.h"
#include "types.h"

#include "../../lecture14_tiling/hopper/12_choose.cuh"

enum { SHAPES = 8 };
static const int shapes[SHAPES][3] = {{257, 520, 264}, {100, 1032, 1160}, {13, 520, 1032}, {30, 264, 136},
                                      {40, 1400, 456}, {64, 8, 8},        {520, 712, 72},  {100, 56, 1096}};

/* bf16 numbers in [-1, 1]. */
static std::vector<uint16_t> numbers(size_t count, uint64_t seed)
{
    std::vector<uint16_t> v(count);
    for (size_t i = 0; i < count; i++)
        v[i] = bf16_from_float((float)(2 * random_uniform(seed, i) - 1));
    return v;
}

static std::vector<float> floats(const std::vector<uint16_t> &bf16)
{
    std::vector<float> v(bf16.size());
    for (size_t i = 0; i < v.size(); i++)
        v[i] = bf16_to_float(bf16[i]);
    return v;
}

static uint16_t *up(const std::vector<uint16_t> &host)
{
    uint16_t *device;
    CUDA_CHECK(cudaMalloc((void **)&device, host.size() * 2));
    CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * 2, cudaMemcpyHostToDevice));
    return device;
}

/* Whether the candidate takes the shape. If so, its product is compared with one in double. */
static bool right_at(const HopperChoice *choice, int M, int N, int K)
{
    const std::vector<uint16_t> a = numbers((size_t)M * K, 1), b = numbers((size_t)N * K, 2);
    std::vector<uint16_t> c((size_t)M * N, 0xffff); /* NaN */
    uint16_t *d_a = up(a), *d_b = up(b), *d_c = up(c);
    const HopperGemm p = {d_a, d_b, d_c, M, N, K, K, K, N};
    const bool takes = choice->launch(&p, 0) == NULL;
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * 2, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_c));
    if (takes) {
        const std::vector<float> fa = floats(a), fb = floats(b), fc = floats(c);
        for (int m = 0; m < M; m++)
            for (int n = 0; n < N; n++) {
                double sum = 0;
                for (int k = 0; k < K; k++)
                    sum += (double)fa[(size_t)m * K + k] * fb[(size_t)n * K + k];
                const double got = (double)fc[(size_t)m * N + n], bound = 1e-6 * K + fabs(sum) / 250;
                if (!(fabs(got - sum) <= bound)) /* Check writes a file for each assertion */
                    ck_abort_msg("%s, %d x %d x %d: C[%d][%d] is %g and not %g", choice->name, M, N, K, m, n, got, sum);
            }
    }
    return takes;
}

START_TEST(every_candidate_multiplies)
{
    const char *why = hopper_here();
    if (why)
        return test_skip("%s: %s", hopper_choices[_i].name, why);
    int taken = 0;
    for (int i = 0; i < SHAPES; i++)
        taken += right_at(&hopper_choices[_i], shapes[i][0], shapes[i][1], shapes[i][2]);
    ck_assert_msg(taken > 0, "no shape here is one for %s", hopper_choices[_i].name);
}
END_TEST

int main(void)
{
    setenv("CUDA_CPU_WORKERS", "2", 1); /* the CPU device has as many multiprocessors: with 16 no block would have two tiles */
    Suite *suite = suite_create("tiles of the Hopper ladder");
    TCase *tests = tcase_create("candidates");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_loop_test(tests, every_candidate_multiplies, 0, HOPPER_CHOICES);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
