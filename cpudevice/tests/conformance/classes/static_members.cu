// static data members: constexpr, a __device__ one, and a static function
#include "conformance.h"

struct Config {
    static constexpr int size = 8;
    static constexpr float scale[2] = {0.5f, 2.0f};
    enum { flag = 4 };
    static __device__ int twice(int v) { return 2 * v; }
};
template <class C> struct User {
    static __device__ int total(int v) { return C::size + C::flag + C::twice(v); }
};
__global__ void k(int *out)
{
    int a[Config::size];
    for (int i = 0; i < Config::size; i++)
        a[i] = i * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a[7] + User<Config>::total(3) + (int)(Config::scale[1] * 10);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 7 * t + 8 + 4 + 6 + 20; });
}
