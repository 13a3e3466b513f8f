// operators of a class-scope enum without a name, in a template and through a macro
// alone
#include <conformance.h>
struct Options {
    enum { PAD = 3, WIDTH = 5 };
    enum { LOW, HIGH = 4 } level;
};
using Level = decltype(Options::level);
template <class E> struct Is {
    enum { value = 0 };
};
template <> struct Is<Level> {
    enum { value = 1 };
};
template <bool b> struct When {
};
template <> struct When<true> {
    typedef int type;
};
template <class E> __device__ typename When<Is<E>::value>::type operator*(E &e, int n)
{
    int old = e;
    e = (E)(old + n);
    return old;
}
template <class E> __device__ typename When<Is<E>::value>::type operator~(E e) { return -(int)e; }
#define STEP(l) ((l)*2)
__global__ void k(int *p, int n)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    Level level = Options::HIGH;
    s[t] = ~level + t;
    __syncthreads();
    int x = STEP(level);
    __syncthreads();
    p[t] = s[(t + Options::WIDTH) % T] * Options::PAD + x + level + n * 2;
    __syncthreads();
    auto other = Options::LOW;
    int y = other * 3;
    __syncthreads();
    p[t] += y * 100 + other;
}
int main()
{
    int *p = managed(T);
    k<<<1, T>>>(p, 9);
    return check(p, T, [](int t) { return ((t + 5) % 64 - 4) * 3 + 4 + 6 + 18 + 3; });
}
