// parameters: arrays in structs, references to nothing, function pointers, enums, const, unnamed and defaulted ones
#include "conformance.h"

struct Array {
    int v[8];
};
enum class Way : short { up = 3, down = -3 };
template <class V> struct Span {
    V *p;
    int n;
    __device__ V &operator[](int i) const { return p[i]; }
};
__global__ void k(Span<int> out, const Array a, Way way, const int, int last = 100)
{
    int i = threadIdx.x;
    if (i < out.n)
        out[i] = a.v[i % 8] * 10 + static_cast<int>(way) + last;
}
int main()
{
    int *out = managed(T);
    Array a;
    for (int i = 0; i < 8; i++)
        a.v[i] = i * i;
    for (int i = 0; i < T; i++)
        out[i] = -1;
    k<<<1, T>>>({out, 50}, a, Way::down, 7);
    return check(out, T, [](int t) { return t < 50 ? t % 8 * (t % 8) * 10 - 3 + 100 : -1; });
}
