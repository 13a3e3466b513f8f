// a barrier in a range-for over an array, and one over a class with begin and end
#include "conformance.h"

struct Count {
    int n;
    struct At {
        int i;
        __device__ bool operator!=(At o) const { return i != o.i; }
        __device__ void operator++() { i++; }
        __device__ int operator*() const { return i; }
    };
    __device__ At begin() const { return {0}; }
    __device__ At end() const { return {n}; }
};
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    const int steps[] = {1, 2, 4};
    int v = threadIdx.x;
    for (int step : steps) {
        s[threadIdx.x] = v;
        __syncthreads();
        v += s[(threadIdx.x + step) % T];
        __syncthreads();
    }
    for (int i : Count{n}) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + i) % T];
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 4);
    return check(out, T, [](int t) {
        int sum = 0;
        for (int i = 0; i < 8; i++)
            sum += (t + 6 + i) % T;
        return sum;
    });
}
