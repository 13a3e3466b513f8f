// a swap by references, of scalars and of pointers
#include "conformance.h"

template <class V> __device__ void exchange(V &a, V &b)
{
    V old = a;
    a = b;
    b = old;
}
__global__ void k(int *out, int rounds)
{
    __shared__ int even[T], odd[T];
    int *from = even, *to = odd;
    from[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        __syncthreads();
        to[threadIdx.x] = from[(threadIdx.x + 5) % T];
        exchange(from, to);
    }
    __syncthreads();
    out[threadIdx.x] = from[threadIdx.x];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3);
    return check(out, T, [](int t) { return (t + 15) % T; });
}
