// a comparison of an enumeration looks up memory that other threads change
// alone: what its names mean would make the other cases run on fibers
#include "conformance.h"
enum class Key : int {};
__device__ int table[T];
__device__ bool operator<(Key a, Key b) { return table[(int)a] < table[(int)b]; }
__global__ void k(int *out)
{
    const bool less = Key(threadIdx.x) < Key(0);
    __syncthreads();
    table[threadIdx.x] = 5 - 2 * (int)threadIdx.x;
    __syncthreads();
    const bool now = Key(threadIdx.x) < Key(0);
    out[threadIdx.x] = 10 * less + now;
    __syncthreads();
    table[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = out[threadIdx.x] * 10 + now;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t ? 11 : 0; });
}
