// shared variables whose types are aligned to 32 bytes and more, between others, also behind a pointer's or a template's type
#include "conformance.h"

struct alignas(32) Eight {
    float v[8];
};
struct alignas(128) Tile {
    int v[32];
};
template <class V, int n> struct alignas(64) Buffer {
    V v[n];
};
__shared__ Tile outside;
template <int n> __global__ void k(int *out)
{
    __shared__ char odd[3];
    __shared__ Eight eights[4];
    __shared__ double more[1];
    __shared__ Buffer<char, n * 5> buffer;
    __shared__ volatile Tile tile, *pointer;
    __shared__ alignas(256) char raw[7];
    int t = threadIdx.x;
    if (t == 0) {
        odd[0] = 1, more[0] = 2, buffer.v[0] = 3, raw[0] = 4, outside.v[0] = 5, tile.v[1] = 6, pointer = &tile;
        eights[1].v[2] = 7;
    }
    __syncthreads();
    out[t] = (int)((size_t)eights % 32 + (size_t)&buffer % 64 + (size_t)&tile % 128 + (size_t)raw % 256 +
                   (size_t)&outside % 128) * 1000 + odd[0] + (int)more[0] + buffer.v[0] + raw[0] + outside.v[0] +
             pointer->v[1] + (int)eights[1].v[2];
}
int main()
{
    int *out = managed(T);
    k<3><<<1, T>>>(out);
    return check(out, T, [](int) { return 1 + 2 + 3 + 4 + 5 + 6 + 7; });
}
