// a class template with member templates and a nested class, alive across a barrier
#include "conformance.h"

template <class V, int N> struct Tile {
    V e[N];
    struct Cursor {
        Tile &tile;
        int at;
        __device__ void put(V v) { tile.e[at++ % N] = v; }
    };
    template <class F> __device__ void apply(F f)
    {
        for (V &v : e)
            v = f(v);
    }
    __device__ Cursor cursor() { return {*this, 0}; }
};
struct Plus {
    int by;
    template <class V> __device__ V operator()(V v) const { return v + by; }
};
__global__ void k(int *out)
{
    Tile<int, 3> tile;
    auto c = tile.cursor();
    for (int i = 0; i < 4; i++) {
        c.put(threadIdx.x + i);
        __syncthreads();
    }
    tile.apply(Plus{100});
    __syncthreads();
    out[threadIdx.x] = tile.e[0] + tile.e[1] * 1000 + c.at;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 103 + (t + 101) * 1000 + 4; });
}
