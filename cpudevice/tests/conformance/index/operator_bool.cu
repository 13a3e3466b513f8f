// a class whose operator bool asks for threadIdx, in if, while, !, && and ?:
#include "conformance.h"

struct Odd {
    __device__ explicit operator bool() const { return threadIdx.x % 2; }
};
__global__ void k(int *out, Odd odd)
{
    int v = 0;
    if (odd)
        v += 1;
    __syncthreads();
    if (!odd)
        v += 10;
    v += odd ? 100 : 200;
    __syncthreads();
    if (odd && v > 0)
        v += 1000;
    while (odd) {
        v += 10000;
        break;
    }
    __syncthreads();
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, Odd());
    return check(out, T, [](int t) { return t % 2 ? 11101 : 210; });
}
