/* Property tests of the sparse kernels on random shapes: what the device compresses is, bit for bit, what the host
 * compresses; and products by mma.sp agree with sums in double, for every type and layout. CUDA is touched inside tests only. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <vector>

#include "error.h"
#include "random.h"
#include "sparse.h"
#include "types.h"

#include "../../lecture11_sparsity/prune24/rows.cuh"
#include "../../lecture11_sparsity/prune24/runtime.cuh"
#include "../../lecture11_sparsity/spgemm24/decode.cuh"
#include "../../lecture11_sparsity/spgemm24/mma.cuh"
#include "suite.h"

template <class T> static T *up(const std::vector<T> &host)
{
    T *device;
    CUDA_CHECK(cudaMalloc((void **)&device, host.size() * sizeof(T) + 16));
    CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <class T> static T *poisoned(size_t count)
{
    T *device;
    CUDA_CHECK(cudaMalloc((void **)&device, count * sizeof(T) + 16));
    CUDA_CHECK(cudaMemset(device, 0xff, count * sizeof(T) + 16));
    return device;
}

template <class T> static std::vector<T> down(const T *device, size_t count)
{
    std::vector<T> host(count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

/* Any 16 bits: NaN of all payloads, infinities, subnormals and both zeros included. */
static std::vector<uint16_t> any_bits(size_t count, uint64_t seed)
{
    std::vector<uint16_t> w(count);
    for (size_t i = 0; i < count; i++)
        w[i] = (uint16_t)random_u64(seed, i);
    return w;
}

static size_t pick(uint64_t seed, uint64_t i, size_t least, size_t most)
{
    return least + random_u64(seed, i) % (most - least + 1);
}

START_TEST(device_compresses_as_the_host_does)
{
    size_t rows = pick(1, (uint64_t)_i, 1, 90), columns = pick(2, (uint64_t)_i, 1, 300);
    if (_i % 3 == 0)
        rows = rows / 16 * 16 + 16, columns = columns / 64 * 64 + 64;
    std::vector<uint16_t> w = any_bits(rows * columns, (uint64_t)_i), values(sparse24_value_count(rows, columns));
    std::vector<uint32_t> meta(sparse24_meta_words(rows, columns));
    sparse24_compress_bf16(w.data(), rows, columns, columns, values.data(), meta.data());
    uint16_t *d_w = up(w), *d_values = poisoned<uint16_t>(values.size());
    uint32_t *d_meta = poisoned<uint32_t>(meta.size());
    for (int fast = 0; fast < (_i % 3 == 0 ? 2 : 1); fast++) {
        CUDA_CHECK(cudaMemset(d_values, 0xff, values.size() * 2));
        CUDA_CHECK(cudaMemset(d_meta, 0xff, meta.size() * 4));
        if (fast)
            rows_kernel2<<<(unsigned)((columns + 127) / 128 * (rows / 8) + 7) / 8, 256>>>(d_w, (int)rows, (int)columns,
                                                                                          d_values, d_meta);
        else
            rows_kernel1<<<(unsigned)(meta.size() + 255) / 256, 256>>>(d_w, (int)rows, (int)columns, d_values, d_meta);
        ck_assert_msg(down(d_values, values.size()) == values, "values of %zu x %zu differ (kernel %d)", rows, columns,
                      fast + 1);
        ck_assert_msg(down(d_meta, meta.size()) == meta, "metadata of %zu x %zu differs (kernel %d)", rows, columns,
                      fast + 1);
    }
    cudaFree(d_w), cudaFree(d_values), cudaFree(d_meta);
}
END_TEST

START_TEST(device_compresses_both_ways_as_the_host_does)
{
    size_t rows = 64 * pick(3, (uint64_t)_i, 1, 4), columns = 64 * pick(4, (uint64_t)_i, 1, 4);
    std::vector<uint16_t> w = any_bits(rows * columns, 100 + (uint64_t)_i), v(rows * columns / 2),
                          vt(rows * columns / 2);
    for (size_t i = 0; _i % 2 && i < w.size(); i++) /* half of the runs with ties only */
        w[i] = (uint16_t)(0x3f80 | (w[i] & 0x8001));
    std::vector<uint32_t> e(sparse24_meta_words(rows, columns)), et(sparse24_meta_words(columns, rows));
    sparse24_compress_both_bf16(w.data(), rows, columns, columns, v.data(), e.data(), vt.data(), et.data());
    uint16_t *d_w = up(w), *d_v = poisoned<uint16_t>(v.size()), *d_vt = poisoned<uint16_t>(vt.size());
    uint32_t *d_e = poisoned<uint32_t>(e.size()), *d_et = poisoned<uint32_t>(et.size());
    prune24_both<8, 1, 4, 6, 1, false>(d_w, (int)rows, (int)columns, d_v, d_e, d_vt, d_et, 0);
    ck_assert(down(d_v, v.size()) == v);
    ck_assert(down(d_e, e.size()) == e);
    ck_assert(down(d_vt, vt.size()) == vt);
    ck_assert(down(d_et, et.size()) == et);
    cudaFree(d_w), cudaFree(d_v), cudaFree(d_vt), cudaFree(d_e), cudaFree(d_et);
}
END_TEST

/* C against sums in double; `turned` where B is N x K, `c_turned` where C is N x M. */
static void check_product(const std::vector<uint16_t> &A, const std::vector<uint16_t> &B,
                          const std::vector<uint16_t> &C, size_t M, size_t N, size_t K, bool turned, bool c_turned)
{
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++) {
            double sum = 0, size = 0;
            for (size_t k = 0; k < K; k++) {
                double x = (double)bf16_to_float(A[m * K + k]) * bf16_to_float(turned ? B[n * K + k] : B[k * N + n]);
                sum += x, size += fabs(x);
            }
            double got = bf16_to_float(C[c_turned ? n * M + m : m * N + n]);
            ck_assert_msg(fabs(got - sum) <= fabs(sum) / 256 + 1e-6 * size,
                          "%zu x %zu x %zu: (%zu, %zu) is %g, should be %g", M, N, K, m, n, got, sum);
        }
}

template <class T> static void product(size_t M, size_t N, size_t K, uint64_t seed)
{
    std::vector<uint16_t> A(M * K), pruned(M * K), B(K * N), values(sparse24_value_count(M, K));
    std::vector<uint32_t> meta(sparse24_meta_words(M, K));
    for (size_t i = 0; i < A.size(); i++)
        A[i] = bf16_from_float((float)(2 * random_uniform(seed, i) - 1));
    for (size_t i = 0; i < B.size(); i++)
        B[i] = bf16_from_float((float)(2 * random_uniform(seed + 1, i) - 1));
    sparse24_compress_bf16(A.data(), M, K, K, values.data(), meta.data());
    ck_assert_int_eq(sparse24_decompress_bf16(values.data(), meta.data(), M, K, pruned.data(), K, NULL), 0);
    uint16_t *d_A = up(T::SPARSE ? values : A), *d_B = up(B), *d_C = poisoned<uint16_t>(M * N);
    uint32_t *d_meta = up(meta);
    mma_launch<T>({d_A, d_meta, d_B, d_C, (int)M, (int)N, (int)K, (int)(T::SPARSE ? sparse24_ld(K) : K)}, 0);
    check_product(T::SPARSE ? pruned : A, B, down(d_C, M * N), M, N, K, T::B_TRANSPOSED, T::C_TRANSPOSED);
    cudaFree(d_A), cudaFree(d_B), cudaFree(d_C), cudaFree(d_meta);
}

START_TEST(products_agree_with_double)
{
    uint64_t i = (uint64_t)_i;
    size_t M = pick(5, i, 1, 300), N = 8 * pick(6, i, 1, 20), K = 8 * pick(7, i, 1, 40), odd = pick(8, i, 1, 140);
    switch (_i % 6) {
    case 0: product<MmaTile<2, true, false, 128, 128, 64, 64, 3, 2, false>>(M, N, K, i); break;
    case 1: product<MmaTile<2, true, false, 64, 128, 32, 64, 2, 1>>(M, N, K, i); break;
    case 2: product<MmaTile<2, true, true, 128, 128, 64, 64, 3, 2>>(M, odd, K, i); break;
    case 3: product<MmaTile<2, true, true, 128, 128, 64, 64, 3, 2, true, true>>(M, odd, K, i); break;
    case 4: product<MmaTile<2, false, false, 128, 128, 64, 64, 3, 1>>(M, N, K, i); break;
    default: product<MmaTile<2, false, true, 128, 128, 64, 64, 3, 1>>(M, odd, K, i);
    }
}
END_TEST

START_TEST(int8_is_exact)
{
    uint64_t i = (uint64_t)_i;
    size_t M = pick(9, i, 1, 200), N = pick(10, i, 1, 150), K = 16 * pick(11, i, 1, 30);
    std::vector<int8_t> A(M * K), pruned(M * K), B(N * K), values(sparse24_value_count(M, K));
    std::vector<uint32_t> meta(sparse24_meta_words(M, K));
    for (size_t k = 0; k < A.size(); k++)
        A[k] = (int8_t)random_u64(i + 50, k);
    for (size_t k = 0; k < B.size(); k++)
        B[k] = (int8_t)random_u64(i + 60, k);
    sparse24_compress_s8(A.data(), M, K, K, values.data(), meta.data());
    ck_assert_int_eq(sparse24_decompress_s8(values.data(), meta.data(), M, K, pruned.data(), K, NULL), 0);
    int8_t *d_A = up(values), *d_B = up(B);
    uint32_t *d_meta = up(meta);
    int *d_C = poisoned<int>(M * N);
    mma_launch<MmaTile<1, true, true, 128, 128, 64, 64, 3, 2>>(
        {d_A, d_meta, d_B, d_C, (int)M, (int)N, (int)K, (int)sparse24_ld(K)}, 0);
    std::vector<int> C = down(d_C, M * N);
    for (size_t m = 0; m < M; m++)
        for (size_t n = 0; n < N; n++) {
            int sum = 0;
            for (size_t k = 0; k < K; k++)
                sum += pruned[m * K + k] * B[n * K + k];
            ck_assert_int_eq(C[m * N + n], sum);
        }
    cudaFree(d_A), cudaFree(d_B), cudaFree(d_C), cudaFree(d_meta);
}
END_TEST

START_TEST(decoding_agrees_with_double)
{
    uint64_t i = (uint64_t)_i;
    size_t M = pick(12, i, 1, 200), K = pick(13, i, 1, 700);
    std::vector<uint16_t> A(M * K), pruned(M * K), B(K * 16), values(sparse24_value_count(M, K));
    std::vector<uint32_t> meta(sparse24_meta_words(M, K));
    for (size_t k = 0; k < A.size(); k++)
        A[k] = bf16_from_float((float)(2 * random_uniform(i + 70, k) - 1));
    for (size_t k = 0; k < B.size(); k++)
        B[k] = bf16_from_float((float)(2 * random_uniform(i + 80, k) - 1));
    sparse24_compress_bf16(A.data(), M, K, K, values.data(), meta.data());
    ck_assert_int_eq(sparse24_decompress_bf16(values.data(), meta.data(), M, K, pruned.data(), K, NULL), 0);
    uint16_t *d_A = up(values), *d_B = up(B), *d_C = poisoned<uint16_t>(M * 16);
    uint32_t *d_meta = up(meta);
    decode_launch<DecodeTile<true, 64, 1, 128, 8, 2>>(d_A, d_meta, d_B, d_C, (int)M, (int)K, (int)sparse24_ld(K), 0);
    check_product(pruned, B, down(d_C, M * 16), M, 16, K, false, false);
    cudaFree(d_A), cudaFree(d_B), cudaFree(d_C), cudaFree(d_meta);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sparse kernels");
    TCase *t = tcase_create("random shapes");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, device_compresses_as_the_host_does, 0, 24);
    tcase_add_loop_test(t, device_compresses_both_ways_as_the_host_does, 0, 8);
    tcase_add_loop_test(t, products_agree_with_double, 0, 24);
    tcase_add_loop_test(t, int8_is_exact, 0, 6);
    tcase_add_loop_test(t, decoding_agrees_with_double, 0, 6);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
