// constants that have no address, beside operators of the program whose left operand is a reference
#include "conformance.h"

struct Add {
    int v;
};
__device__ int &operator<<(int &to, Add a) { return to += a.v; }
__device__ int &operator/(int &to, Add a) { return to -= a.v; }
struct Of {
    static const int step = 3;
    static constexpr unsigned most = 40;
};
__global__ void k(int *out, int by)
{
    const int two = 2;
    constexpr int ten = 10;
    int sum = threadIdx.x, other = 100;
    const int &seen = sum;
    sum << Add{5};
    other / Add{1};
    auto shifted = [](int n) { return (two << n) + (Of::step << n) + ten / n + (int)(Of::most / (unsigned)n); };
    out[threadIdx.x] = sum + 1000 * other + 1000000 * (shifted(by) + (seen << by) - (sum << by));
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 4);
    return check(out, T, [](int i) { return i + 5 + 99000 + 1000000 * (32 + 48 + 2 + 10); });
}
