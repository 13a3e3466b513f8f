// members that are const, volatile and qualified by the kind of the object
#include "conformance.h"

struct Q {
    int v;
    __device__ int get() & { return v += 1; }
    __device__ int get() const & { return v + 100; }
    __device__ int get() && { return v + 1000; }
};
__global__ void k(int *out)
{
    Q q{(int)threadIdx.x};
    const Q &c = q;
    int v = q.get();
    __syncthreads();
    v += c.get() + Q{5}.get() + static_cast<Q &&>(q).get();
    __syncthreads();
    out[threadIdx.x] = v + q.get();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 1 + t + 101 + 1005 + t + 1001 + t + 2; });
}
