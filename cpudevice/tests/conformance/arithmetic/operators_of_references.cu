// operators of the program whose left operand is a reference to a number or an enumeration, in templates too, and one
// of an enumeration that changes it
// alone
#include <conformance.h>
enum Level { LOW = 1, HIGH = 4 };
template <char op> struct Put {
    int by;
};
template <char op, class V> __host__ __device__ V &operator<<(V &v, Put<op> p)
{
    v = op == '+' ? v + p.by : p.by;
    return v;
}
template <char op, class V> __host__ __device__ const V &operator<<(const V &v, Put<op>) { return v; }
template <char op, class V> __host__ __device__ V &operator<<=(V &v, Put<op> p)
{
    v = op == '+' ? v + p.by : p.by;
    return v;
}
__host__ __device__ inline int operator%(Level &level, Level by)
{
    level = (Level)((int)level + (int)by);
    return (int)level;
}
__host__ __device__ inline Level &operator/=(Level &level, int by)
{
    level = (Level)((int)level - by);
    return level;
}
struct Bits {
    unsigned low : 3, high : 29;
};
__host__ __device__ inline int all(int i, int n)
{
    int v = i;
    v << Put<'+'>{n};
    v <<= Put<'+'>{2};
    const int same = v;
    int seen = same << Put<'='>{99};
    (v << Put<'='>{v + 1}) << Put<'+'>{1};
    Level level = LOW;
    int sum = level % HIGH;
    level /= 2;
    Bits bits = {(unsigned)i & 7u, (unsigned)i};
    return v + 1000 * seen + 7 * sum + 11 * (int)level + (int)(bits.high << n) + (int)(bits.low >> 1);
}
__global__ void k(int *p, int n) { p[threadIdx.x] = all((int)threadIdx.x, n); }
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 3);
    return check(p, T, [](int i) {
        int v = i + 5 + 1 + 1, seen = i + 5, sum = 5, level = 3;
        return v + 1000 * seen + 7 * sum + 11 * level + i * 8 + ((i & 7) >> 1);
    });
}
