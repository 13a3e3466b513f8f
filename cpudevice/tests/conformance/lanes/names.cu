// names that are declared anew within a condition, members that are called like others, a macro round a shuffle
#include "conformance.h"

#define SUM(v, o) v += __shfl_xor_sync(FULL, v, o)
#define FULL 0xffffffffu
struct Pair {
    int a, x;
};
__global__ void k(int *out)
{
    int t = threadIdx.x, x = t, p = 3;
    Pair pair = {t, 2};
    if (t >= 32) {
        int x = t * 2, y;
        y = x + p;
        {
            unsigned p = 5, x = 1;
            y += p + __shfl_xor_sync(FULL, x + t, 1);
        }
        SUM(y, 4);
        SUM(x, 2);
        out[t] = x + y + pair.a + 1;
    } else
        out[t] = x + pair.x;
    SUM(pair.a, 1);
    out[t] += pair.a * 1000;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        auto y = [](int i) { return 2 * i + 3 + 5 + 1 + (i ^ 1); };
        int sum = t < 32 ? t + 2 : 2 * t + 2 * (t ^ 2) + y(t) + y(t ^ 4) + t + 1;
        return sum + 1000 * (t + (t ^ 1));
    });
}
