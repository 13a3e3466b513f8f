// forms.cu: the ways in which a double comes into device code, each of which keeps a file's subnormal numbers, and a file without one.
// -DFORM=n chooses the way.
//
// TEST: each form of a double is seen
// RUN: for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do $cucc -std=c++20 -ftz=true --expt-relaxed-constexpr -DFORM=$n -c -o $work/object.o $case; done
// COUNT: 15 warning: -ftz=true is not obeyed in this file: ".*" keeps subnormal numbers on a GPU
// TEST: the host's doubles, and names and instances with the word, are not
// RUN: $cucc -std=c++20 -ftz=true --expt-relaxed-constexpr -DFORM=0 -o $exe $case
// LACKS: warning
#if FORM == 0
double total[4];
static double t0;
extern double now(void);
extern "C" double c_now(double);
template <class T> T host(T x)
{
    double y = x;
    return y * 0.5;
}
struct H {
    float a;
    __host__ __device__ float f(float x) const { return x * a; }
};
double use()
{
    H h{1};
    double z = h.f(2);
    return z + t0 + total[0];
}
__device__ float g(float x) { return x * 0.5 + 1.0 / (1 + x); }
template <class T> __global__ void k(T *p, int double_buffer)
{
    float s = 0.0;
    s += 0.5 * p[0];
    if (s > 1.0e-3)
        s = fmaxf(s, 1.0);
    printf("%f\n", 2.0 * s);
    p[0] = g(s);
}
int main()
{
    float *p;
    double *d;
    cudaMalloc(&p, 4);
    cudaMalloc(&d, 8);
    k<<<1, 1>>>(p, 0);
    k<<<1, 1>>>(d, 0);
    return 0;
}
#elif FORM == 1  // bits
__global__ void k(float *p) { p[0] = __longlong_as_double(5) * 1e30f; }
#elif FORM == 2  // auto
__global__ void k(float *p)
{
    auto y = p[0] * 0.5;
    y *= y;
    y *= y;
    p[0] = y;
}
#elif FORM == 3  // auto return
__device__ auto f(float x) { return x * 0.5; }
__global__ void k(float *p)
{
    auto y = f(p[0]);
    p[0] = y * y;
}
#elif FORM == 4  // braces
template <class T> struct Box {
    T v;
};
__global__ void k(float *p)
{
    auto b = Box{p[0] * 0.5};
    p[0] = b.v * b.v;
}
#elif FORM == 5  // class template default
template <class T = double> struct Acc {
    T v;
};
__global__ void k(float *p)
{
    Acc<> a;
    a.v = p[0];
    p[0] = a.v * a.v;
}
#elif FORM == 6  // constexpr
constexpr double f(double x) { return x / 2; }
__global__ void k(float *p) { p[0] = f(p[0]); }
#elif FORM == 7  // extern c
extern "C" {
__global__ void k(double *p) { p[0] *= 2; }
}
#elif FORM == 8  // hex
__global__ void k(float *p) { p[0] = max(p[0], 0x1p-1070); }
#elif FORM == 9  // lambda returns
template <class F> __device__ void apply(float *p, F f)
{
    auto y = f(p[0]);
    y = y * y * y * y * y;
    y = y * y * y;
    p[0] = y;
}
__global__ void k(float *p)
{
    apply(p, [](float x) { return x * 0.5; });
}
#elif FORM == 10 // local class
template <class F> __global__ void k(F f, float *p) { p[0] = f(p[0]); }
void h(float *p)
{
    struct S {
        double a;
        __device__ float operator()(float x) const { return x * (float)a; }
    };
    k<<<1, 1>>>(S{1}, p);
}
#elif FORM == 11 // namespace, const
namespace a
{
namespace b
{
const double c = 3;
}
} // namespace a
__global__ void k(float *p) { p[0] = p[0] * a::b::c; }
#elif FORM == 12 // pi
#include <numbers>
__global__ void k(float *p)
{
    auto y = std::numbers::pi * p[0];
    p[0] = y * y;
}
#elif FORM == 13 // struct member
struct A {
    int n;
    struct {
        double d;
    } in;
};
__global__ void k(A a, float *p) { p[0] = a.in.d * a.in.d; }
#elif FORM == 14 // template operator
struct V {
    float x;
};
template <class T> __device__ V operator*(T a, V b)
{
    T c = a * a;
    return {b.x * (float)c};
}
__global__ void k(V *p) { p[0] = 0.5 * p[0]; }
#elif FORM == 15 // typedef
typedef double real;
__global__ void k(real *p) { p[0] *= 0.5f; }
#endif
