// operators << of the program that change their left operand, of variables whose names look like bit fields' elsewhere
#include "conformance.h"

template <char op> struct Put {
    int v;
};
template <char op> __device__ int &operator<<(int &to, Put<op> p) { return to = to * 10 + p.v, to; }
struct Packed {
    unsigned low : 5, high : 27;
};
__device__ int chosen(int a, int b, bool c)
{
    int v = c ? a : b, w[] = {1, 2};
    for (int u : w)
        v += u;
    switch (v) {
    case T: v = 1;
    }
    return a < 0 ? b : c ? (int)v : 7;
}
template <int N> __global__ void k(int *out, int three)
{
    [[maybe_unused]] int v = threadIdx.x, *v_p = nullptr, b = 2, u = 1;
    v << Put<'='>{three};
    b << Put<'='>{three};
    u << Put<'='>{three};
    Packed p;
    p.low = 3;
    p.high = 1000;
    p.high /= (unsigned)three;
    p.low <<= (unsigned)three;
    out[threadIdx.x] = v + 1000 * b + 100000 * u + 10000000 * (p.low + p.high / 333) + chosen(N, b, v > 90);
}
int main()
{
    int *out = managed(T);
    k<5><<<1, T>>>(out, 3);
    return check(out, T, [](int i) {
        int v = 10 * i + 3;
        return v + 23000 + 1300000 + 10000000 * (24 + 1) + (v > 90 ? 8 : 7);
    });
}
