// threads that wait by the clock do so at the same time: each has begun before the first of them is done
#include "conformance.h"

enum { CYCLES = 20000000 };

__global__ void k(long long *begin, long long *end)
{
    const long long t = begin[threadIdx.x] = clock64();
    long long waited = 0;
    while (waited < CYCLES)
        waited = clock64() - t;
    end[threadIdx.x] = clock64();
}
int main()
{
    long long *begin = managed<long long>(T), *end = managed<long long>(T);
    int *early = managed(T);
    k<<<1, T>>>(begin, end);
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++) {
        early[t] = end[t] - begin[t] >= CYCLES;
        for (int other = 0; other < T; other++)
            early[t] &= begin[t] < end[other];
    }
    return check(early, T, [](int) { return 1; });
}
