// double buffering: the two indices are swapped by the usual macro
#include "conformance.h"
#define SWAP(a, b)                                                                                                     \
    do {                                                                                                               \
        auto tmp_ = (a);                                                                                               \
        (a) = (b);                                                                                                     \
        (b) = tmp_;                                                                                                    \
    } while (0)
__global__ void k(int *out, int rounds)
{
    __shared__ int s[2][T];
    int cur = 0, nxt = 1;
    s[cur][threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        s[nxt][threadIdx.x] = s[cur][(threadIdx.x + 1) % T];
        SWAP(cur, nxt);
        __syncthreads();
    }
    out[threadIdx.x] = s[cur][threadIdx.x];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 3);
    return check(out, T, [](int t) { return (t + 3) % T; });
}
