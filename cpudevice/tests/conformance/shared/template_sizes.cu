// shared arrays whose type and size depend on template parameters
#include "conformance.h"

template <class V, int N> struct Buffer {
    V v[N];
};
template <class V, int rows, int cols> __global__ void k(V *out)
{
    __shared__ V tile[rows][cols + 1];
    __shared__ Buffer<V, rows * cols> all;
    int r = threadIdx.y, c = threadIdx.x;
    tile[r][c] = r * 100 + c;
    all.v[r * cols + c] = 1;
    __syncthreads();
    out[c * rows + r] = tile[r][c] + all.v[(rows * cols - 1) - (r * cols + c)];
}
int main()
{
    int *out = managed(48);
    short *small = managed<short>(15);
    k<int, 6, 8><<<1, dim3(8, 6)>>>(out);
    k<short, 5, 3><<<1, dim3(3, 5)>>>(small);
    cudaDeviceSynchronize();
    for (int i = 0; i < 15; i++)
        out[i] += 10000 * small[i];
    return check(out, 48,
                 [](int i) { return i % 6 * 100 + i / 6 + 1 + (i < 15 ? 10000 * (i % 5 * 100 + i / 5 + 1) : 0); });
}
