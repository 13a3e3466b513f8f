// a kernel's malloc takes from 8 MB, and what is freed is there again
#include "conformance.h"

__global__ void k(int *out)
{
    void *large = malloc(100 << 20), *p[16];
    out[0] = large != nullptr;
    free(large);
    for (int round = 0; round < 3; round++) {
        int n = 0;
        while (n < 16 && (p[n] = malloc(1 << 20)))
            n++;
        out[1 + round] = n >= 6 && n <= 8;
        while (n > 0)
            free(p[--n]);
    }
}
int main()
{
    int *out = managed(4);
    k<<<1, 1>>>(out);
    return check(out, 4, [](int i) { return i > 0; });
}
