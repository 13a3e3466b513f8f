// a name that stands for an outer variable, and then, further on in the same block, for another that it declares
#include "conformance.h"

__global__ void k(int *out, const int *in)
{
    __shared__ int s[T];
    int t = threadIdx.x, v = in[t], sum = 0;
    for (int i = 0; i < 3; i++) {
        s[t] = v + i;
        __syncthreads();
        v = s[(t + 1) % T];
        const int v = in[(t + i) % T] * 1000;
        __syncthreads();
        sum += v;
    }
    out[t] = sum + v;
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = i * i % 37;
    k<<<1, T>>>(out, in);
    return check(out, T, [&](int t) {
        int sum = 0;
        for (int i = 0; i < 3; i++)
            sum += in[(t + i) % T] * 1000;
        return sum + in[(t + 3) % T] + 3;
    });
}
