// what stands within conditions is not evaluated for those that do not hold them: pointers that are null there
#include "conformance.h"

__global__ void k(int *out, const int *const *table)
{
    int t = threadIdx.x, x = t;
    const int *mine = table[t / 32];
    if (mine) {
        int a = mine[t], *none = nullptr;
        if (mine[0] > 100) {
            int b = *none;
            x += __shfl_sync(0xffffffff, b, 0);
        }
        const unsigned c = mine[a % 8] + 1u;
        x += a / (mine[0] + 1) + __shfl_xor_sync(0xffffffff, a, 3) * 10 % mine[1];
        x += c;
    }
    out[t] = x;
}
int main()
{
    int *out = managed(T), *in = managed(32);
    for (int i = 0; i < 32; i++)
        in[i] = i + 5;
    const int **table = managed<const int *>(2);
    table[0] = in;
    table[1] = nullptr;
    k<<<1, T>>>(out, table);
    return check(out, T, [&](int t) { return t < 32 ? t + in[t] / 6 + in[t ^ 3] * 10 % 6 + in[in[t] % 8] + 1 : t; });
}
