// operands to which no reference binds: packed members, bit fields, static members and constants in lambdas
#include <conformance.h>
struct __attribute__((packed)) Close {
    char before;
    int n;
};
struct Low {
    char before;
    int n;
} __attribute__((packed));
struct Bits {
    unsigned low : 3, high : 29;
    static const int step = 3;
};
__global__ void k(int *p, int n)
{
    const int two = 2, t = (int)threadIdx.x;
    Close close = {1, t + 100};
    Low low = {1, 1};
    Bits bits = {(unsigned)t & 7u, (unsigned)t};
    auto shifted = [](int by) { return (Bits::step << by) + (two << by); };
    close.n /= n - 1, low.n <<= n;
    p[t] = close.n / (n + 1) + (close.n << n) + (int)(bits.high << n) + (int)(bits.low >> 1) + shifted(n) + low.n;
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 3);
    return check(p, T, [](int i) { return (i + 100) / 2 / 4 + (i + 100) / 2 * 8 + i * 8 + ((i & 7) >> 1) + 24 + 16 + 8; });
}
