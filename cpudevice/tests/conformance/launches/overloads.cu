// overloaded kernels are chosen by their arguments, and by a cast of the address
#include "conformance.h"

__global__ void k(int *out, int) { out[threadIdx.x] = 1; }
__global__ void k(int *out, float) { out[threadIdx.x] = 2; }
__global__ void k(int *out, const char *) { out[threadIdx.x] = 3; }
template <class V> __global__ void k(int *out, V *) { out[threadIdx.x] = 4; }
int main()
{
    int *out = managed(5 * T);
    double d;
    k<<<1, T>>>(out, 1);
    k<<<1, T>>>(out + T, 1.0f);
    k<<<1, T>>>(out + 2 * T, "x");
    k<<<1, T>>>(out + 3 * T, &d);
    static_cast<void (*)(int *, float)>(k)<<<1, T>>>(out + 4 * T, 5);
    return check(out, 5 * T, [](int i) { return i / T == 4 ? 2 : i / T + 1; });
}
