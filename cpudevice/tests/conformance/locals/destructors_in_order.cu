// destructors run in reverse order at the end of each scope, also when a loop is left
#include "conformance.h"

struct Log {
    int *log, digit;
    __device__ ~Log() { *log = *log * 10 + digit; }
};
__global__ void k(int *out)
{
    int log = 0;
    {
        Log a{&log, 1}, b{&log, 2};
        __syncthreads();
        for (int i = 0; i < 3; i++) {
            Log c{&log, 3 + i};
            __syncthreads();
            if (i == 1)
                break;
        }
    }
    __syncthreads();
    out[threadIdx.x] = log + threadIdx.x;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 3421 + t; });
}
