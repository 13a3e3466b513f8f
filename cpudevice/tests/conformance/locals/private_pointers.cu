// an array of pointers to a thread's own variables, one of which is written through it
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    int t = threadIdx.x, x = in[t], y = in[t + T];
    int *either[] = {&x, &y};
    *either[in[t + 2 * T] & 1] = 26;
    out[t] = x * 1000 + y;
}
__global__ void between(int *out, const int *in)
{
    __shared__ int s[T];
    int t = threadIdx.x, x = in[t], y = in[t + T];
    s[t] = x;
    __syncthreads();
    int *either[] = {&x, &y};
    either[in[t + 2 * T] & 1][0] = 26;
    __syncthreads();
    out[t] = x * 1000 + y + s[T - 1 - t];
}
int main()
{
    int *out = managed(2 * T), *in = managed(3 * T);
    for (int i = 0; i < 3 * T; i++)
        in[i] = (i * 2654435761u >> 13) % 97;
    k<<<1, T>>>(out, in);
    between<<<1, T>>>(out + T, in);
    return check(out, 2 * T, [&](int i) {
        int t = i % T, pair = in[t + 2 * T] & 1 ? in[t] * 1000 + 26 : 26000 + in[t + T];
        return pair + (i < T ? 0 : in[T - 1 - t]);
    });
}
