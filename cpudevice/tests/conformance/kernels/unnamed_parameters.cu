// parameters without names, and with declarators round their names
#include "conformance.h"
typedef int Number;
__device__ Number more(Number v) { return v + 5; }
__device__ Number (*pointer)(Number) = more;
__global__ void k(int *out, int (*)(int), Number (*f)(Number), int (*rows)[3], Number (*)[3], const int[], int[2],
                  Number (*const g)(Number), float = 2, unsigned int = 3)
{
    out[threadIdx.x] = (f ? 1 : 0) + rows[1][threadIdx.x % 3] + (g ? 1 : 2);
}
int main()
{
    int *out = managed(T), *m = managed(6);
    for (int i = 0; i < 6; i++)
        m[i] = i * 10;
    k<<<1, T>>>(out, nullptr, nullptr, (int(*)[3])m, nullptr, m, m, nullptr);
    return check(out, T, [](int t) { return 30 + t % 3 * 10 + 2; });
}
