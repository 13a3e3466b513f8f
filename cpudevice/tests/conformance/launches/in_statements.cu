// launches as bodies of if, else, for, while, do and switch without braces, and after labels
#include "conformance.h"

__global__ void add(int *out, int n) { atomicAdd(&out[threadIdx.x], n); }
int main()
{
    int *out = managed(T), i = 0;
    for (int t = 0; t < T; t++)
        out[t] = 0;
    if (T > 1)
        add<<<1, T>>>(out, 1);
    else
        add<<<1, T>>>(out, 1000000);
    for (int j = 0; j < 3; j++)
        add<<<1, T>>>(out, 10);
    while (i++ < 2)
        add<<<1, T>>>(out, 100);
    do
        add<<<1, T>>>(out, 1000);
    while (i-- > 2);
    switch (i) {
    case 2: add<<<1, T>>>(out, 10000);
    case 1:
    default: add<<<1, T>>>(out, 20000);
    }
again:
    add<<<1, T>>>(out, 100000);
    if (i++ < 3)
        goto again;
    return check(out, T, [](int) { return 1 + 30 + 200 + 2000 + 20000 + 300000; });
}
