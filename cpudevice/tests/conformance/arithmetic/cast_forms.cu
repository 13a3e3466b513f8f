// each way to write a conversion from floating point to an integer saturates: (T)f, T(f), static_cast<T>(f), in templates,
// lambdas and functions, of operands with operators, calls, members and elements
#include "conformance.h"

struct Pair {
    float x;
    double y[2];
    __host__ __device__ float twice() const { return x * 2; }
};
typedef unsigned char uchar_t;
template <class To, class From> __device__ To dependent(From f) { return (To)f; }
template <class To> struct Converter {
    template <class From> static __device__ To of(From f) { return static_cast<To>(f); }
    __device__ To operator()(float f) const { return To(f); }
};
__global__ void k(long long *out, const float *in)
{
    float f = in[threadIdx.x];
    Pair p = {f, {f, -f}};
    auto lambda = [&](float g) { return (int)g + (int)-g; };
    long long s = (int)f;
    s = 3 * s + (unsigned)f;
    s = 3 * s + int(f * 2.0f);
    s = 3 * s + unsigned(-f);
    s = 3 * s + static_cast<unsigned>(p.y[1]);
    s = 3 * s + (int)p.twice();
    s = 3 * s + (uchar_t)p.x;
    s = 3 * s + (int)(p.x - 1) * 2;
    s = 3 * s + dependent<unsigned>(f);
    s = 3 * s + dependent<short>(p.y[0]);
    s = 3 * s + Converter<int>::of(-f);
    s = 3 * s + Converter<unsigned char>()(f);
    s = 3 * s + lambda(f);
    s = 3 * s + (unsigned char)(int)f;
    out[threadIdx.x] = s;
}
static int to_int(double f) { return f != f ? 0 : f >= 2147483648.0 ? 2147483647 : f <= -2147483649.0 ? -2147483647 - 1 : (int)f; }
static unsigned to_unsigned(double f) { return !(f > 0) ? 0 : f >= 4294967296.0 ? ~0u : (unsigned)f; }
int main()
{
    long long *out = managed<long long>(T);
    float *in = managed<float>(T);
    const float all[] = {0, -5, 255.9f, 300.7f, -300.7f, 70000, 2147483520.f, 2147483648.f, -2147483648.f, 3e9f, -3e9f,
                         4294967296.f, 1e20f, -1e20f, 1.f / 0.f, -1.f / 0.f};
    for (int i = 0; i < T; i++)
        in[i] = i < 16 ? all[i] : i < 32 ? all[i - 16] / 2 : (float)(i - 48) * 1.37f;
    k<<<1, T>>>(out, in);
    return check(out, T, [&](int t) {
        float f = in[t];
        long long s = to_int(f);
        s = 3 * s + to_unsigned(f);
        s = 3 * s + to_int(f * 2.0f);
        s = 3 * s + to_unsigned(-f);
        s = 3 * s + to_unsigned(-(double)f);
        s = 3 * s + to_int(f * 2);
        s = 3 * s + (unsigned char)to_unsigned(f);
        s = 3 * s + (int)((unsigned)to_int(f - 1) * 2u);
        s = 3 * s + to_unsigned(f);
        s = 3 * s + (short)to_int(f);
        s = 3 * s + to_int(-f);
        s = 3 * s + (unsigned char)to_unsigned(f);
        s = 3 * s + (int)((unsigned)to_int(f) + (unsigned)to_int(-f));
        s = 3 * s + (unsigned char)to_int(f);
        return s;
    });
}
