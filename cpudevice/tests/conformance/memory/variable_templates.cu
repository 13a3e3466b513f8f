// templates of variables on the device: by value and by type, specialised, written by the kernel and by the host
// alone
#include "conformance.h"

template <int N> __device__ int twice = N * 2;
template <class V> __constant__ V seven = V(7);
template <class V, int N> __device__ V row[N];
template <> __device__ int twice<3> = 33;

__global__ void k(int *out)
{
    int t = threadIdx.x;
    row<int, T>[t] = t;
    if (!t)
        twice<5> += 1;
    __syncthreads();
    out[t] = twice<3> + twice<4> + twice<5> + seven<int> + (int)(seven<double> * 2) + row<int, T>[(t + 1) % T] +
             (int)sizeof(twice<4>);
}
int main()
{
    int *out = managed(T), value = 40;
    if (cudaMemcpyToSymbol(twice<4>, &value, sizeof value) != cudaSuccess)
        return 1;
    k<<<1, T>>>(out);
    int wrong = check(out, T, [](int t) { return 33 + 40 + 11 + 7 + 14 + (t + 1) % T + 4; });
    return cudaMemcpyFromSymbol(&value, twice<5>, sizeof value) != cudaSuccess || value != 11 || wrong;
}
