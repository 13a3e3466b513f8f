// sizeof, alignof, offsetof and limits in device code
#include <climits>
#include <cstddef>
#include "conformance.h"

struct S {
    char a;
    double b;
    short c;
};
__global__ void k(int *out)
{
    alignas(S) S s;
    s.c = sizeof(S) + alignof(double) * 100;
    __syncthreads();
    out[threadIdx.x] =
        s.c + (int)offsetof(S, c) * 1000 + (INT_MAX == 0x7fffffff) + (sizeof(void *) == 8) + (UCHAR_MAX + 1) % 256;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int) { return 24 + 800 + 16000 + 2; });
}
