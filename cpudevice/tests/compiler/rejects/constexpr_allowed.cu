// nvcc takes this
// constexpr functions of the host, where device code does not call them or the name means something else
#include <algorithm>
#include <limits>
#include <utility>
constexpr int twice(int x) { return 2 * x; }
constexpr int half(int x) { return x / 2; }
__device__ int half(float x) { return (int)x / 2; }
constexpr int max(const char *a, const char *b) { return *a > *b ? *a : *b; }
constexpr int parameter(int x) { return x; }
constexpr int quarter(int x) { return x / 4; }
constexpr int table(int x) { return x; }
namespace device {
__device__ constexpr int quarter(int x) { return x / 4; }
}
struct Member {
    __host__ __device__ constexpr int table(int x) const { return x; }
};
template <class T> __device__ T never(T x) { return (T)twice(x); }
template <class T> struct Never {
    __device__ int never(int x) { return twice(x); }
};
constexpr int host(int x) { return twice(x) + std::max(x, 2); }
__host__ __device__ int both(int x) { return x + 1; }
constexpr int size = host(3);
__constant__ int constant = twice(4);
__device__ int memory[twice(8)];
__global__ void k(int *p, int (*parameter)(int))
{
    using device::quarter;
    p[0] = sizeof(twice(3)) + noexcept(twice(3)) + size;
    decltype(twice(1)) x = half(3.0f);
    p[1] = x + quarter(p[2]) + Member().table(3);
    p[2] = max(p[3], 4) + std::numeric_limits<int>::digits + memory[0] + constant;
    if constexpr (sizeof(int) == 2)
        p[3] = twice(3);
    auto generic = [](auto v) { return twice(v); };
    p[4] = both(std::forward<int>(p[5])) + (sizeof generic ? 1 : 0);
    p[5] = parameter ? parameter(3) : 0;
}
