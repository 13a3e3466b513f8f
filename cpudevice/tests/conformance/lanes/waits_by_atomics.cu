// threads that wait for their turn with a variable of their own in the loop's condition
#include "conformance.h"

__global__ void k(int *out, int *turn)
{
    int t = threadIdx.x, now = -1, lane = t % 32;
    while (now != T - 1 - t)
        now = atomicAdd(turn, 0);
    out[t] = now;
    atomicAdd(turn, 1);
    out[t] += 100 * __shfl_xor_sync(0xffffffff, lane, 1);
}
int main()
{
    int *out = managed(T), *turn = managed(1);
    *turn = 0;
    k<<<1, T>>>(out, turn);
    return check(out, T, [](int t) { return T - 1 - t + 100 * (t % 32 ^ 1); });
}
