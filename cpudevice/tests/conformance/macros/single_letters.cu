// alone: macros of one letter before the headers, as many programs have them for their sizes; NVIDIA's headers take these
#include <conformance.h>

#define M 16
#define N 16
#define K 16
#define A 1
#define B 2
#define C 3
#define D 4
#define E 5
#define F 6
#define L 7
#define S 8
#define V 9
#define W 10
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <mma.h>

using namespace nvcuda;

static __global__ void product(const __half *a, const __half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, M, N, K, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, M, N, K, __half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, M, N, K, float> z;
    wmma::fill_fragment(z, (float)A);
    wmma::load_matrix_sync(x, a, K);
    wmma::load_matrix_sync(y, b, K);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(c, z, N, wmma::mem_row_major);
}

int main()
{
    __half *a = managed<__half>(M * K), *b = managed<__half>(K * N);
    float *c = managed<float>(M * N);
    for (int i = 0; i < M * K; i++) {
        a[i] = __float2half((float)(i % (F + L)));
        b[i] = __float2half((float)(i % (V + B) - D));
    }
    product<<<1, 32>>>(a, b, c);
    return check(c, M * N, [=](int i) {
        float sum = A;
        for (int k = 0; k < K; k++)
            sum += (float)((i / N * K + k) % (F + L)) * (float)((i % N * K + k) % (V + B) - D);
        return sum;
    });
}
