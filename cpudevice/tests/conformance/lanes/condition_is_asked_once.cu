// the condition round a shuffle has an effect, and what is behind it changes what it depends on
#include "conformance.h"

__global__ void k(int *out, int *count)
{
    int t = threadIdx.x, warp = t / 32, x = t;
    if (count[t]++ + warp < 1) {
        int before = count[t]++;
        warp = 6 + before;
        x += __shfl_down_sync(0xffffffff, x, 1);
        count[t] += 10;
        x += __shfl_down_sync(0xffffffff, x, 1) * warp;
    } else {
        count[t] += 100;
        x = -x;
    }
    out[t] = x + 1000 * warp;
}
int main()
{
    int *out = managed(T), *count = managed(T);
    for (int i = 0; i < T; i++)
        count[i] = 0;
    k<<<1, T>>>(out, count);
    int wrong = cudaDeviceSynchronize();
    for (int i = 0; i < T; i++)
        wrong |= count[i] != (i < 32 ? 12 : 101);
    return wrong | check(out, T, [](int t) {
               auto once = [](int i) { return i + (i < 31 ? i + 1 : i); };
               return t < 32 ? once(t) + 7 * once(t < 31 ? t + 1 : t) + 7000 : -t + 1000;
           });
}
