// arguments are converted to the kernel's parameters, as in any call
#include "conformance.h"

struct Wrapped {
    int v;
    __host__ __device__ operator int() const { return v; }
};
struct From {
    int v;
    __host__ __device__ From(int v) : v(v) {}
};
enum Colour { red = 7 };
__global__ void k(long long *out, long long a, float b, From c, unsigned char d, const int *e, bool f)
{
    out[threadIdx.x] =
        a + (long long)(b * 10) + c.v * 1000 + d * 10000LL + (e == nullptr) * 10000000LL + f * 100000000LL;
}
int main()
{
    long long *out = managed<long long>(T);
    k<<<1, T>>>(out, Wrapped{-1}, 2, 3, 300, nullptr, red);
    return check(out, T, [](int) { return -1 + 20 + 3000 + 440000 + 10000000 + 100000000; });
}
