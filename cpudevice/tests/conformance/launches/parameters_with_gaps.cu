// parameters that have gaps between and behind arrays of structs: each member arrives, whatever the sizes and alignments
#include "conformance.h"

template <int alignment, int ints> struct alignas(alignment) Part {
    int v[ints];
};
template <class P, int n> struct Parts {
    char before;
    P part[n];
    short after;
    double last;
};
struct Gap {
    char c;
    int v[1];
};
struct Four {
    float v[4];
};
template <class P, int n> struct Rows {
    P part[2][n];
    char after;
    P last;
};
template <class P, int n> struct Copied { // no bytes alone: it has a constructor of its own
    Parts<P, n> parts;
    Copied() {}
    __host__ __device__ Copied(const Copied &o) : parts(o.parts) {}
    __host__ __device__ ~Copied() {}
};

/* The number of the member: what is in it, from the first. */
template <class P> __host__ __device__ void set(P &p, int &number)
{
    for (auto &v : p.v)
        v = number++;
}
template <class P, int n> __host__ __device__ void set(Parts<P, n> &p, int &number)
{
    p.before = number++;
    for (P &part : p.part)
        set(part, number);
    p.after = number++, p.last = number++;
}
template <class P, int n> __host__ __device__ void set(Rows<P, n> &p, int &number)
{
    for (auto &row : p.part)
        for (P &part : row)
            set(part, number);
    p.after = number++;
    set(p.last, number);
}
template <class P, int n> __host__ __device__ void set(Copied<P, n> &p, int &number) { set(p.parts, number); }

template <class P> __host__ __device__ int wrong(const P &p, int &number)
{
    int w = 0;
    for (auto v : p.v)
        w += v != number++;
    return w;
}
template <class P, int n> __host__ __device__ int wrong(const Parts<P, n> &p, int &number)
{
    int w = p.before != (char)number++;
    for (const P &part : p.part)
        w += wrong(part, number);
    w += p.after != number++;
    return w + (p.last != number++);
}
template <class P, int n> __host__ __device__ int wrong(const Rows<P, n> &p, int &number)
{
    int w = 0;
    for (auto &row : p.part)
        for (const P &part : row)
            w += wrong(part, number);
    w += p.after != (char)number++;
    return w + wrong(p.last, number);
}
template <class P, int n> __host__ __device__ int wrong(const Copied<P, n> &p, int &number)
{
    return wrong(p.parts, number);
}

template <class A, class B> __global__ void by_value(int *out, A a, char between, B b)
{
    int number = 1;
    int w = wrong(a, number) + wrong(b, number);
    out[threadIdx.x] += w + (between != 7);
    set(a, number); // of this thread's own
}
template <class A, class B> __global__ void constant(int *out, const __grid_constant__ A a, char between, const B b)
{
    int number = 1;
    __syncthreads();
    out[threadIdx.x] += wrong(a, number) + wrong(b, number) + (between != 7);
}
template <class F> __global__ void calls(F f) { f(threadIdx.x); }

template <class A, class B> static void launched(int *out)
{
    static A a;
    static B b;
    int number = 1;
    set(a, number);
    set(b, number);
    by_value<<<1, T>>>(out, a, 7, b);
    constant<<<1, T>>>(out, a, 7, b);
    const char between = 7;
    A captured = a;
    B last = b;
    calls<<<1, T>>>([=] __device__(int i) {
        int number = 1;
        out[i] += wrong(captured, number) + (between != 7);
        out[i] += wrong(last, number);
    });
}
template <int alignment> static void of_alignment(int *out)
{
    launched<Part<alignment, 64>, Parts<Part<alignment, 5>, 2>>(out);
    launched<Parts<Part<alignment, 32>, 2>, Rows<Part<alignment, 3>, 3>>(out);
    launched<Parts<Part<alignment, 1>, 9>, Copied<Part<alignment, 17>, 3>>(out);
    launched<Copied<Part<alignment, 2>, 20>, Parts<Gap, 3>>(out);
}
int main()
{
    int *out = managed(T);
    for (int i = 0; i < T; i++)
        out[i] = 0;
    of_alignment<4>(out);
    of_alignment<16>(out);
    of_alignment<32>(out);
    of_alignment<64>(out);
    of_alignment<128>(out);
    of_alignment<256>(out);
    launched<Parts<Four, 20>, Parts<Gap, 30>>(out);
    launched<Rows<Gap, 9>, Rows<Four, 30>>(out);
    return check(out, T, [](int) { return 0; });
}
