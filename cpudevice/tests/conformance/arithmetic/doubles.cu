// arithmetic in double, in every form in which --check counts it: values and types are those of the program
#include "conformance.h"

#include <cmath>
#include <cuda_fp16.h>

struct Ratio { // a class whose operators take a double
    double value;
    __host__ __device__ Ratio operator*(double by) const { return {value * by}; }
    __host__ __device__ double operator/(const Ratio &other) const { return value / other.value; }
};
__host__ __device__ static inline Ratio operator+(double a, const Ratio &b) { return {a + b.value}; }

template <class U> __host__ __device__ U power(U x, int n) { return n ? x * power(x, n - 1) : U(1.0); }
__host__ __device__ constexpr double half_of(double x) { return x / 2.0; }
__host__ __device__ static float narrow(float x) { return 0.1 * x + 1.0; }
__host__ __device__ static int whole(float x) { return 2.5 * x; }

// The same text for a GPU and for the host.
#define FORMS  \
    constexpr double quarter = half_of(0.5 * 1.0); \
    static_assert(sizeof(f[0] * 2.0) == sizeof(double) && sizeof(f[0] * 2.0f) == sizeof(float), "types stay"); \
    int table[(int)(2.0 * 2) + 1] = {1, 2, 3, 4, 5}; \
    const double &bound = f[t] + 0.25; \
    auto made = f[t] * 3.0; \
    static_assert(sizeof made == sizeof(double), "auto is a double"); \
    float x = made, y = f[t]; \
    x += 0.5, x -= 0.25 * y, x *= 1.5, x /= 2.0; \
    int n = 3; \
    n += 1.75, n = n * 1.5; \
    place[t & 1] = x = y * 0.125; \
    double a[3] = {1.0 + y, 2.0 * y, y - 3.0}, *p = a + 1; \
    *p++ *= 2.0, p[-2] -= -a[0]; \
    volatile double v = y; \
    v += 1.0; \
    const Ratio r = 1.0 + Ratio{2.0} * 3.0; \
    double s = t % 2 ? made * 2.0 : 1.0 - made, u = (s > 0.5 && made >= 2.0) || !(s != made) ? sqrt(s * s) : -s; \
    switch (t % 3) { \
    case 0: s += exp(-fabs(s) / 64.0); break; \
    case 1: s = pow(1.0 + y / 64.0, 2.0) + std::sin(u); break; \
    default: s = double(n) / 3 + (double)x * y - double{y}; break; \
    } \
    const double from_half = (double)__half2float(__float2half(y)) * 2.0; \
    auto twice = [=](double z) { return z * 2.0 + quarter; }; \
    double2 pair = {1.0 * y, 2.0}; \
    pair.x *= pair.y; \
    return s + u + bound + made + x + y + n + table[t % 5] + *place + a[0] + a[1] + a[2] + v + r.value + r / Ratio{2.0} + \
           from_half + twice(s) + pair.x + power(1.5, t % 4) + power(1.5f, t % 4) + narrow(y) + whole(y) + (1.0, 2.0) + \
           quarter;

__device__ static double forms(int t, const float *f, double *place)
{
    FORMS
}
static double expected(int t, const float *f, double *place)
{
    FORMS
}

__global__ void k(const float *f, double *out)
{
    double place[2] = {0, 0};
    out[threadIdx.x] = forms((int)threadIdx.x, f, place);
}

int main()
{
    float *f = managed<float>(T);
    double *out = managed<double>(T);
    for (int i = 0; i < T; i++)
        f[i] = 0.375f * (float)i;
    k<<<1, T>>>(f, out);
    return check(out, T, [&](int t) {
        double place[2] = {0, 0}, e = expected(t, f, place);
        return std::fabs(out[t] - e) <= 1e-9 * std::fabs(e) ? out[t] : e; // a sum and a product may be contracted
    });
}
