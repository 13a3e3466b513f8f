// a class with private state, getters, setters and chained calls
#include "conformance.h"

class Cell
{
    int v = 0;

  public:
    __device__ Cell &set(int x) { return v = x, *this; }
    __device__ Cell &add(int x)
    {
        v += x;
        return *this;
    }
    __device__ int get() const { return v; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Cell c;
    c.set(threadIdx.x).add(5);
    s[threadIdx.x] = c.get();
    __syncthreads();
    c.add(s[T - 1 - threadIdx.x]).add(1);
    __syncthreads();
    out[threadIdx.x] = c.get();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 5 + T - 1 - t + 5 + 1; });
}
