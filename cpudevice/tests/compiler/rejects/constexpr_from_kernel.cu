// 17: error: calling a constexpr __host__ function("twice") from a __device__ function("device") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 21: error: calling a constexpr __host__ function("twice") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 22: error: calling a constexpr __host__ function("larger") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 23: error: calling a constexpr __host__ function("thrice") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 24: error: calling a constexpr __host__ function("max") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 25: error: calling a constexpr __host__ function("lowest") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 26: error: calling a constexpr __host__ function("twice") from a __device__ function("operator()") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
// 27: error: calling a constexpr __host__ function("twice") from a __global__ function("k") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
#include <algorithm>
#include <limits>
constexpr int twice(int x) { return 2 * x; }
template <class T> constexpr T larger(T a, T b) { return a < b ? b : a; }
template <int n> struct Array { int a[n]; };
namespace ours {
constexpr int thrice(int x) { return 3 * x; }
}
__device__ int device(int x) { return twice(x); }
__global__ void k(int *p)
{
    // a constant, which the compiler needs, is refused as well
    Array<twice(2)> array = {{0}};
    p[0] = larger<int>(array.a[0], p[1]);
    p[1] = 5 * ours::thrice(p[2]);
    p[2] = std::max(p[3], 4);
    p[3] = (int)std::numeric_limits<float>::lowest();
    p[4] = [](int x) { return twice(x); }(p[5]);
    static_assert(::twice(2) == 4, "");
    p[5] = device(p[6]);
}
