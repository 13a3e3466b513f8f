// a loop that ends when no lane of the warp has work: different warps take different numbers of rounds
#include "conformance.h"

__global__ void k(int *out)
{
    int left = threadIdx.x * 3 % 17, rounds = 0, mine = 0;
    while (__any_sync(0xffffffff, left > 0)) {
        if (left > 0)
            left--, mine++;
        rounds++;
    }
    out[threadIdx.x] = rounds * 100 + mine;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int most = 0;
        for (int i = t / 32 * 32; i < t / 32 * 32 + 32; i++)
            most = i * 3 % 17 > most ? i * 3 % 17 : most;
        return most * 100 + t * 3 % 17;
    });
}
