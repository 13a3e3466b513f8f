// operators that the program defines take and return what they did: of classes, in namespaces, members, templates,
// references, for a number on either side
#include "conformance.h"

namespace far_away {
struct Vector {
    float x, y;
};
struct Log {
    int n = 0;
    __device__ Log &operator<<(int v) { return n = n * 3 + v, *this; }
    __device__ Log &operator<<(const Vector &v) { return n = n * 5 + (int)v.x, *this; }
};
enum class Flag { none, one = 1, two = 2 };
} // namespace far_away
using namespace far_away;
// outside of the class's namespace
__device__ Vector operator/(Vector a, float b) { return {a.x / b, a.y / b}; }
__device__ Vector operator/(float a, Vector b) { return {a / b.x, a / b.y}; }
__device__ Vector &operator/=(Vector &a, float b) { return a.x /= b, a.y /= b, a; }
__device__ Flag operator<<(Flag f, int n) { return (Flag)((int)f << n); }
template <int n> struct Static {
    __device__ constexpr operator int() const { return n; }
};
template <int a, int b> __device__ constexpr Static<a / b> operator/(Static<a>, Static<b>) { return {}; }
struct Modulus {
    int m;
    __device__ int operator%(int v) const { return m % v + 100; }
    __device__ Modulus &operator%=(const Modulus &o) { return m = m * 10 + o.m, *this; }
    __device__ Modulus &operator>>=(int n) { return m += n, *this; }
};
__global__ void k(int *out, const int *in)
{
    int n = in[threadIdx.x];
    Vector v = {(float)n, 2.f * n};
    Vector w = v / 2 / 0.5f, r = 12 / v;
    w /= n;
    w /= 0.5;
    Log log;
    log << n << v << 3;
    (log << 1) << n;
    Modulus m = {n}, o = {3};
    m %= o;
    m >>= n;
    constexpr auto s = Static<12>() / Static<4>();
    int a[s / Static<1>()] = {1, 2, n};
    int f = (int)(Flag::one << n % 4), q = (n + 7) / Static<3>() + n % Static<4>();
    float4 four = make_float4(n, 1, 2, 3);
    four.x /= 2;
    out[threadIdx.x] = (int)(w.x + w.y) + (int)(10 * r.x) + log.n + m.m + m % 7 + a[2] + f + q + (int)(2 * four.x);
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = i % 11 + 1;
    k<<<1, T>>>(out, in);
    return check(out, T, [&](int t) {
        int n = in[t], log = n;
        log = log * 5 + n;
        log = log * 3 + 3;
        log = log * 3 + 1;
        log = log * 3 + n;
        float x = n / 2.f / 0.5f / n / 0.5f, y = 2.f * n / 2 / 0.5f / n / 0.5f;
        int m = n * 10 + 3 + n;
        return (int)(x + y) + (int)(10 * (12.f / n)) + log + m + m % 7 + 100 + n + (1 << n % 4) + (n + 7) / 3 + n % 4 + n;
    });
}
