// an element of shared memory is chosen by the and of two comparisons, a float one by an or
#include "conformance.h"

__global__ void k(float *out, const int *a, const int *b, const float *in, float scale)
{
    __shared__ int table[2];
    __shared__ float s[T];
    if (threadIdx.x < 2)
        table[threadIdx.x] = 40 + 2 * threadIdx.x;
    __syncthreads();
    int t = threadIdx.x;
    int both = table[a[t] > 1 && b[t] < 3];
    s[t] = scale * in[a[t] == 2 || b[t] == 4] * 3 + both;
    __syncthreads();
    out[t] = s[t ^ 1];
}
int main()
{
    float *out = managed<float>(T), *in = managed<float>(2);
    int *a = managed(T), *b = managed(T);
    in[0] = 0.5f, in[1] = 8;
    for (int i = 0; i < T; i++)
        a[i] = i % 4, b[i] = i % 5;
    k<<<1, T>>>(out, a, b, in, 2);
    return check(out, T, [](int i) {
        int j = i ^ 1;
        return 2 * (j % 4 == 2 || j % 5 == 4 ? 8 : 0.5f) * 3 + (j % 4 > 1 && j % 5 < 3 ? 42 : 40);
    });
}
