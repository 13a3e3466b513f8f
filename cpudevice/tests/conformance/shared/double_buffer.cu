// two tiles whose roles change, by pointers and by an index
#include "conformance.h"

__global__ void k(int *out, const int *in, int tiles)
{
    __shared__ int buffer[2][T];
    int *now = buffer[0], *later = buffer[1], sum = 0, which = 0;
    now[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int i = 1; i <= tiles; i++) {
        if (i < tiles)
            later[threadIdx.x] = in[i * T + threadIdx.x];
        sum += now[T - 1 - threadIdx.x] * i + (now == buffer[which]);
        __syncthreads();
        int *old = now;
        now = later, later = old, which ^= 1;
    }
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T), *in = managed(5 * T);
    for (int i = 0; i < 5 * T; i++)
        in[i] = i % 37;
    k<<<1, T>>>(out, in, 5);
    return check(out, T, [](int t) {
        int sum = 5;
        for (int i = 0; i < 5; i++)
            sum += (i * T + T - 1 - t) % 37 * (i + 1);
        return sum;
    });
}
