// one element of a private array is written, and one read, each with an index from memory; no other ever is
#include "conformance.h"

__global__ void k(int *out, const int *in, const int *same)
{
    int t = threadIdx.x, few[4];
    few[in[t] & 3] = in[t + T];
    out[t] = few[same[t] & 3];
}
__global__ void after(int *out, const int *in, const int *same)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int few[4];
    few[s[T - 1 - t] & 3] = in[t + T];
    out[t] = few[same[T - 1 - t] & 3];
}
int main()
{
    int *out = managed(2 * T), *in = managed(2 * T), *same = managed(T);
    for (int i = 0; i < 2 * T; i++)
        in[i] = (i * 2654435761u >> 13) % 97;
    for (int i = 0; i < T; i++)
        same[i] = in[i];
    k<<<1, T>>>(out, in, same);
    after<<<1, T>>>(out + T, in, same);
    return check(out, 2 * T, [&](int i) { return in[i % T + T]; });
}
