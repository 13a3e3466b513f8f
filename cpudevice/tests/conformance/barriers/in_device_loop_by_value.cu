// a class that holds the block's scratch and has a method for each phase
#include "conformance.h"

struct Phases {
    int *s, phase = 0;
    __device__ explicit Phases(int *s) : s(s) {}
    __device__ void put(int v) { s[threadIdx.x] = v; }
    __device__ Phases &next()
    {
        __syncthreads();
        phase++;
        return *this;
    }
    __device__ int at(int i) const { return s[i % T]; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Phases p(s);
    int v = threadIdx.x;
    while (p.phase < 6) {
        p.put(v);
        v = p.next().at(threadIdx.x + 1) + p.phase;
        p.next();
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t + 3) % T + 1 + 3 + 5; });
}
