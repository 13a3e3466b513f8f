// comments between all tokens that matter
#include "conformance.h"

__global__ /* a */ void                    // b
    k /* <<< */ (int * /* threadIdx */ out // __shared__
    )
{ /* { */
    __shared__ /* int */ int /* s[1] */ s[T];
    s[threadIdx /* . */./* y */ x] = threadIdx.x;
    __syncthreads /* no */ (/* nothing */) /* ; */;
    out[threadIdx.x] = s[T - 1 - threadIdx.x]; // }
}
int main()
{
    int *out = managed(T);
    k /* grid */<<</* one */ 1, /* many */ T>>> /* call */ (out);
    return check(out, T, [](int t) { return T - 1 - t; });
}
