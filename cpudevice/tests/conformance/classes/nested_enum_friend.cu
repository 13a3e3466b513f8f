// a friend found by the class that its enumeration stands in
// alone: what its names mean would make the other cases run on fibers
#include "conformance.h"
struct Machine {
    enum Mode { off, on, burnt };
    friend __device__ Mode operator~(Mode &m) { return m = threadIdx.x % 2 ? on : burnt; }
    friend __device__ int level(Mode m, int n = threadIdx.x) { return m * 100 + n; }
};
__global__ void k(int *out)
{
    Machine::Mode m = Machine::off;
    ~m;
    __syncthreads();
    const int l = level(m);
    __syncthreads();
    out[threadIdx.x] = l + 1000 * m;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int m = t % 2 ? 1 : 2;
        return m * 1100 + t;
    });
}
