// a barrier with a result in the condition of a loop, an if and a switch
#include "conformance.h"

__global__ void k(int *out)
{
    int v = threadIdx.x, rounds = 0;
    while (__syncthreads_or(v > 50)) {
        v -= 10;
        rounds++;
    }
    if (__syncthreads_and(v < 51))
        rounds += 100;
    switch (__syncthreads_count(v < 0) & 1) {
    case 0: rounds += 1000; break;
    default: rounds += 2000;
    }
    out[threadIdx.x] = rounds * 100 + v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int below = 0;
        for (int i = 0; i < T; i++)
            below += i - 20 < 0; // 63 - 10 is above 50, 63 - 20 is not
        return (2 + 100 + (below % 2 ? 2000 : 1000)) * 100 + t - 20;
    });
}
