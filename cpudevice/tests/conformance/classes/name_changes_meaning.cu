// a class that uses a name of its namespace and then declares that name itself: no diagnostic is required, and nvcc gives
// none, in templates and in plain classes; each use means what its declaration made of it
// alone: g++ takes it with -fpermissive only
#include <conformance.h>

namespace lib {
template <class T, int N> struct Array {
    T v[N];
};
struct Size {
    int n;
};
} // namespace lib
using namespace lib;

template <class T> struct Holder {
    Array<T, 2> first;
    using Array = lib::Array<T, 4>;
    Array second;
};

struct Plain {
    Size size;
    typedef lib::Array<int, 3> Size;
    Size more;
};

static __global__ void fill(int *out)
{
    __shared__ Holder<int> s[T];
    const int t = (int)threadIdx.x;
    Plain p;
    p.size.n = t;
    for (int i = 0; i < 3; i++)
        p.more.v[i] = t + i;
    s[t].first.v[1] = p.size.n * 2;
    s[t].second.v[3] = p.more.v[2] * 3;
    __syncthreads();
    const Holder<int> &other = s[T - 1 - t];
    out[t] = other.first.v[1] + other.second.v[3] + (int)(sizeof(Holder<int>) + sizeof(Plain)) / 4;
}

int main()
{
    int *out = managed(T);
    fill<<<1, T>>>(out);
    return check(out, T, [](int t) {
        const int o = T - 1 - t;
        return o * 2 + (o + 2) * 3 + 6 + 4;
    });
}
