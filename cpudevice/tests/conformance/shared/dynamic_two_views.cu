// two kernels see dynamic shared memory under two names and types, one beside a static array
#include "conformance.h"

__global__ void ints(int *out)
{
    extern __shared__ int words[];
    __shared__ int fixed[T];
    words[threadIdx.x] = threadIdx.x;
    fixed[threadIdx.x] = threadIdx.x * 1000;
    __syncthreads();
    out[threadIdx.x] = words[T - 1 - threadIdx.x] + fixed[(threadIdx.x + 1) % T];
}
__global__ void bytes(int *out)
{
    extern __shared__ unsigned char raw[];
    for (int i = 0; i < 4; i++)
        raw[4 * threadIdx.x + i] = i + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = raw[4 * (T - 1 - threadIdx.x) + 2];
}
int main()
{
    int *out = managed(2 * T);
    ints<<<1, T, T * sizeof(int)>>>(out);
    bytes<<<1, T, 4 * T>>>(out + T);
    return check(out, 2 * T, [](int i) {
        int t = i % T;
        return i < T ? T - 1 - t + (t + 1) % T * 1000 : T - 1 - t + 2;
    });
}
