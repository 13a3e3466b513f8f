// captures by value, by reference, of all, of this, with initialisers, and of a copy of *this
#include "conformance.h"

struct Owner {
    int v;
    __device__ int run(int *s)
    {
        auto by_this = [this](int x) { return v += x; };
        auto by_copy = [*this](int x) { return v + x; };
        auto all = [=] { return by_copy(1000); };
        s[threadIdx.x] = by_this(1);
        __syncthreads();
        return all() + by_this(s[(threadIdx.x + 1) % T]) * 0 + v;
    }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Owner o{(int)threadIdx.x};
    int a = o.run(s), b = 5;
    auto add = [a, &b, c = b * 2](int d) mutable {
        a += d, b += c;
        return a;
    };
    int x = add(1);
    __syncthreads();
    x += add(1);
    out[threadIdx.x] = x - 2 * a + b * 10000 + a;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int next = (t + 1) % T + 1, v = t + 1 + next, a = t + 1000 + v;
        return 3 + 25 * 10000 + a;
    });
}
