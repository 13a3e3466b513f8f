// shared arrays of structs, of arrays and of vector types
#include "conformance.h"

struct Particle {
    float x, y;
    int id[2];
};
__global__ void k(int *out)
{
    __shared__ Particle p[T];
    __shared__ int4 quads[T];
    __shared__ int rows[T / 8][8 + 1];
    int t = threadIdx.x;
    p[t] = {t * 0.5f, 1, {t, -t}};
    quads[t] = make_int4(t, t + 1, t + 2, t + 3);
    rows[t / 8][t % 8] = t;
    __syncthreads();
    int o = T - 1 - t;
    out[t] = (int)(p[o].x * 2) + p[o].id[1] * 0 + quads[o].w * 100 + rows[o % 8][o / 8] * 10000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int o = T - 1 - t;
        return o + (o + 3) * 100 + (o % 8 * 8 + o / 8) * 10000;
    });
}
