// a conditional lvalue that is assigned two comparisons of one value, which g++ 12 computes in one branch only
#include "conformance.h"

#ifdef __clang__ // which refuses a conditional lvalue of two bit-fields in any C++
#define BITS
#else
#define BITS : 4
#endif
struct Pair {
    unsigned a, b;
    unsigned char narrow BITS, other BITS;
};
template <class V> __device__ void add_flag(bool c, V &a, V &b, const V &v) { (c ? a : b) += v + 5u && v; }
__global__ void k(unsigned *out)
{
    unsigned v = threadIdx.x % 9, w = v;
    Pair p = {v, v + 1, (unsigned char)v, (unsigned char)(v + 1)};
    __syncthreads();
    (v & 2 ? v : v) -= (unsigned)((v + 5u) && (1 ? v : 3u));
    (p.a & 2 ? p.a : p.b) = (p.a != 5u && p.a != 0 ? 7u : 8u);
    __syncthreads();
    (p.narrow & 2 ? p.narrow : p.other) ^= p.narrow != 5 && p.narrow != 0;
    auto with_lambda = [&] { ((w & 1 ? w : w)) = w == 5u || w == 7u || w == 0u, w += 2; };
    with_lambda();
    add_flag(w & 1, v, w, v);
    unsigned *q = &v, *r = &w; // 0 becomes a null pointer
    (w & 1 ? q : r) = 0;
    out[threadIdx.x] = v + 100 * w + 10000 * p.a + 1000000 * p.b + 10000000 * p.narrow + (p.other << 28) + (q ? 1 : 0);
}
int main()
{
    unsigned *out = managed<unsigned>(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        unsigned v = t % 9, a = v, b = v + 1, narrow = v & 15, other = (v + 1) & 15, w = v;
        if (v != 0) // v + 5 is never 0
            v -= 1;
        unsigned value = a != 5 && a != 0 ? 7 : 8;
        if (a & 2)
            a = value;
        else
            b = value;
        unsigned flip = narrow != 5 && narrow != 0 ? 1 : 0;
        if (narrow & 2)
            narrow ^= flip;
        else
            other ^= flip;
        w = w == 5 || w == 7 || w == 0 ? 1 : 0;
        w += 2;
        unsigned flag = v != 0 ? 1 : 0;
        if (w & 1)
            v += flag;
        else
            w += flag;
        unsigned q = w & 1 ? 0 : 1;
        return v + 100 * w + 10000 * a + 1000000 * b + 10000000 * narrow + (other << 28) + q;
    });
}
