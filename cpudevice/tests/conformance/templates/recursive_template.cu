// a template that instantiates itself, with a barrier at each step
#include "conformance.h"

template <int N> struct Reduce {
    static __device__ void run(int *s)
    {
        if (threadIdx.x < N)
            s[threadIdx.x] += s[threadIdx.x + N];
        __syncthreads();
        Reduce<N / 2>::run(s);
    }
};
template <> struct Reduce<0> {
    static __device__ void run(int *) {}
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    Reduce<T / 2>::run(s);
    out[threadIdx.x] = s[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return T * (T + 1) / 2; });
}
