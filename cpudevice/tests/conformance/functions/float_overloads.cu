// CUDA's functions of floats have the names of those of doubles in C++, in templates too
#include "conformance.h"

template <class X> __device__ X one(X x)
{
    X s, c, s_pi, c_pi;
    sincos(x, &s, &c);
    sincospi(x, &s_pi, &c_pi);
    static_assert(sizeof(exp10(x)) == sizeof x && sizeof(rcbrt(x)) == sizeof x && sizeof(rsqrt(x)) == sizeof x, "roots");
    static_assert(sizeof(sinpi(x)) == sizeof x && sizeof(cospi(x)) == sizeof x, "angles");
    static_assert(sizeof(j0(x)) == sizeof x && sizeof(j1(x)) == sizeof x && sizeof(jn(2, x)) == sizeof x, "Bessel's, first");
    static_assert(sizeof(y0(x)) == sizeof x && sizeof(y1(x)) == sizeof x && sizeof(yn(2, x)) == sizeof x, "Bessel's, second");
    static_assert(sizeof(erfinv(x)) == sizeof x && sizeof(erfcinv(x)) == sizeof x && sizeof(erfcx(x)) == sizeof x, "errors");
    static_assert(sizeof(normcdf(x)) == sizeof x && sizeof(normcdfinv(x)) == sizeof x, "normal");
    return s * s + c * c + s_pi * s_pi + c_pi * c_pi + sinpi((X)0.5) + exp10((X)1) + rcbrt((X)8) + normcdf((X)0);
}
__global__ void k(int *out)
{
    const float x = (float)threadIdx.x / 7;
    __syncthreads();
    out[threadIdx.x] = (int)(one(x) * 100 + 0.5f) + (int)(one((double)x) * 100 + 0.5);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 2 * 1400; }); // 1 + 1 + 1 + 10 + 0.5 + 0.5
}
