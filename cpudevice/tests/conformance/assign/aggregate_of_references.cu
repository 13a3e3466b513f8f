// an aggregate whose members are references to locals
#include "conformance.h"

struct Both {
    int &low, &high;
};
__global__ void k(int *out, const int *in)
{
    int low = 1000, high = -1000;
    Both both{low, high};
    for (int i = 0; i < 4; i++) {
        int v = in[(threadIdx.x * 7 + i * 13) % T];
        __syncthreads();
        if (v < both.low)
            both.low = v;
        if (v > both.high)
            both.high = v;
    }
    __syncthreads();
    out[threadIdx.x] = low * 1000 + high;
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = i * i % 101;
    k<<<1, T>>>(out, in);
    int want[T];
    for (int t = 0; t < T; t++) {
        int lowest = 1 << 20, highest = -1;
        for (int i = 0; i < 4; i++) {
            int at = (t * 7 + i * 13) % T, v = at * at % 101;
            lowest = v < lowest ? v : lowest;
            highest = v > highest ? v : highest;
        }
        want[t] = lowest * 1000 + highest;
    }
    return check(out, T, [&](int t) { return want[t]; });
}
