// every atomic operation on int, unsigned and long long
#include "conformance.h"

__global__ void k(int *i, unsigned *u, unsigned long long *l)
{
    int t = threadIdx.x;
    atomicAdd(&i[0], t), atomicSub(&i[1], t), atomicMin(&i[2], t - 10), atomicMax(&i[3], t);
    atomicAnd(&i[4], ~(1 << t % 31)), atomicOr(&i[5], 1 << t % 31), atomicXor(&i[6], t);
    atomicInc(&u[0], 40), atomicDec(&u[1], 10), atomicAdd(&l[0], (unsigned long long)t << 35),
        atomicMax(&l[1], (unsigned long long)t);
}
int main()
{
    int *i = managed(11);
    unsigned *u = managed<unsigned>(2);
    unsigned long long *l = managed<unsigned long long>(2);
    for (int j = 0; j < 7; j++)
        i[j] = j == 4 ? -1 : 0;
    u[0] = 0, u[1] = 5, l[0] = l[1] = 0;
    k<<<1, T>>>(i, u, l);
    cudaDeviceSynchronize();
    i[7] = u[0], i[8] = u[1], i[9] = (int)(l[0] >> 35), i[10] = (int)l[1];
    unsigned down = 5;
    for (int j = 0; j < T; j++)
        down = down == 0 || down > 10 ? 10 : down - 1;
    const int want[] = {2016, -2016, -10, 63, (int)0x80000000, 0x7fffffff, 0, 64 % 41, (int)down, 2016, 63};
    return check(i, 11, [&](int j) { return want[j]; });
}
