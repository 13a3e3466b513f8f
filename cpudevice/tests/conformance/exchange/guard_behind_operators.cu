// what is declared before a guard calls operators and functions of the program that write
#include "conformance.h"

struct Counter { int *p; };
__device__ inline int operator+(Counter c, int by) { return *c.p += by; }
__device__ inline int log2(int *p, int by) { return *p += by; } // a name of the library's
__global__ void k(int *out, int *count, const int *in, int n)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    Counter c = {count + blockIdx.x * T + t};
    int a = c + 2;
    int b(log2(count + blockIdx.x * T + t, 3));
    if (blockIdx.x * blockDim.x >= n)
        return;
    s[t] = in[t];
    __syncthreads();
    out[blockIdx.x * T + t] = s[T - 1 - t] + a + b;
}
int main()
{
    enum { B = 3 };
    int *out = managed(2 * B * T), *count = out + B * T, *in = managed(T);
    for (int i = 0; i < B * T; i++)
        count[i] = i, out[i] = -1;
    for (int i = 0; i < T; i++)
        in[i] = i * 3;
    k<<<B, T>>>(out, count, in, 2 * T);
    return check(out, 2 * B * T, [&](int i) {
        if (i >= B * T)
            return i - B * T + 5;
        return i < 2 * T ? (T - 1 - i % T) * 3 + (i + 2) + (i + 5) : -1;
    });
}
