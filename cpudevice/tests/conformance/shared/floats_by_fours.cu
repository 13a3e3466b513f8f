// arrays of floats whose sizes are multiples of 16 bytes, written and read by fours, as on a GPU, where the arrays of a
// kernel follow each other; other kernels of the file have a word or three
#include "conformance.h"

template <int n> static __global__ void words(int *out)
{
    __shared__ int word[n];
    if (threadIdx.x < n)
        word[threadIdx.x] = (int)threadIdx.x + n;
    __syncthreads();
    out[threadIdx.x] = word[threadIdx.x % n];
}
template <int n> static __global__ void fours(const float4 *in, int *out)
{
    __shared__ float a[4 * T];
    __shared__ float b[4 * T];
    const int t = threadIdx.x;
    *(float4 *)(a + 4 * t) = in[t];
    *(float4 *)(b + 4 * (T - 1 - t)) = in[T];
    __syncthreads();
    const float4 x = *(const float4 *)(a + 4 * (T - 1 - t)), y = *(const float4 *)(b + 4 * t);
    out[t] = (int)(x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w);
}
template <int n> void both(float4 *in, int *out)
{
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++)
        in[t] = make_float4((float)t, (float)(t + 1), (float)(t + 2), (float)(t + n));
    in[T] = make_float4(1, 2, 3, 4);
    words<n><<<1, T>>>(out + (n - 1) * 2 * T);
    fours<n><<<1, T>>>(in, out + (n - 1) * 2 * T + T);
}
int main()
{
    int *out = managed(6 * T);
    float4 *in = (float4 *)managed(4 * (T + 1));
    both<1>(in, out);
    both<2>(in, out);
    both<3>(in, out);
    return check(out, 6 * T, [](int i) {
        const int n = i / (2 * T) + 1, t = i % T, u = T - 1 - t;
        return i / T % 2 == 0 ? t % n + n : u + 2 * (u + 1) + 3 * (u + 2) + 4 * (u + n);
    });
}
