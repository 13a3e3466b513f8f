// a virtual function with a barrier
#include "conformance.h"

struct Step {
    __device__ virtual int run(int *s, int v) const = 0;
};
struct Rotate : Step {
    int by;
    __device__ explicit Rotate(int by) : by(by) {}
    __device__ int run(int *s, int v) const override
    {
        s[threadIdx.x] = v;
        __syncthreads();
        int r = s[(threadIdx.x + by) % T];
        __syncthreads();
        return r;
    }
};
struct Add final : Step {
    __device__ int run(int *, int v) const override { return v + 1000; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Rotate rotate(3);
    Add add;
    const Step *const steps[] = {&rotate, &add, &rotate};
    int v = threadIdx.x;
    for (const Step *step : steps)
        v = step->run(s, v);
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 6) % T + 1000; });
}
