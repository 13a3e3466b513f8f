// private arrays with indices from memory: what a thread has in memory, the next one of the loop has in the same place
#include "conformance.h"

struct Four {
    int v[4];
};
__device__ void bump(int *p, int i) { p[i & 3] += i; }
__global__ void k(int *out, const int *in)
{
    int t = threadIdx.x, both[2], sums[4] = {1, 2, 3, 4};
    both[0] = in[t];
    both[1] = in[t + T];
    out[t] = both[in[t + 2 * T] & 1];
    Four four = {{in[t], in[t + T], 3, 4}};
    four.v[in[t + 2 * T] & 3] += 5;
    out[t + T] = four.v[in[t + T] & 3] + four.v[0];
    for (int i = 0; i < 3; i++)
        bump(sums, in[t + i]);
    out[t + 2 * T] = sums[0] + 10 * sums[1] + 100 * sums[2] + 1000 * sums[3];
}
int main()
{
    int *out = managed(3 * T), *in = managed(3 * T);
    for (int i = 0; i < 3 * T; i++)
        in[i] = (i * 2654435761u >> 13) % 97;
    k<<<1, T>>>(out, in);
    int want[3 * T];
    for (int t = 0; t < T; t++) {
        int a = in[t], b = in[t + T], c = in[t + 2 * T];
        want[t] = c & 1 ? b : a;
        int four[] = {a, b, 3, 4}, sums[] = {1, 2, 3, 4};
        four[c & 3] += 5;
        want[t + T] = four[b & 3] + four[0];
        for (int i = 0; i < 3; i++)
            sums[in[t + i] & 3] += in[t + i];
        want[t + 2 * T] = sums[0] + 10 * sums[1] + 100 * sums[2] + 1000 * sums[3];
    }
    return check(out, 3 * T, [&](int i) { return want[i]; });
}
