// the curiously recurring template pattern, with a barrier in the base
#include "conformance.h"

template <class D> struct Algorithm {
    __device__ int run(int *s)
    {
        s[threadIdx.x] = self().before(threadIdx.x);
        __syncthreads();
        return self().after(s);
    }
    __device__ D &self() { return static_cast<D &>(*this); }
};
struct Square : Algorithm<Square> {
    int k = 2;
    __device__ int before(int v) { return v * v + k++; }
    __device__ int after(const int *s) { return s[(threadIdx.x + k) % T]; }
};
__global__ void kernel(int *out)
{
    __shared__ int s[T];
    Square q;
    out[threadIdx.x] = q.run(s);
}
int main()
{
    int *out = managed(T);
    kernel<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int u = (t + 3) % T;
        return u * u + 2;
    });
}
