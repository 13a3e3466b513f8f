// an X-macro lists the fields of a struct, their initialisers and their sum
#include "conformance.h"

#define FIELDS X(a, 1) X(b, 20) X(c, 300)
struct All {
#define X(name, value) int name = value;
    FIELDS
#undef X
};
__global__ void k(int *out)
{
    All all;
    all.b += threadIdx.x;
    __syncthreads();
    int sum = 0
#define X(name, value) +all.name
        FIELDS
#undef X
        ;
    __syncthreads();
    out[threadIdx.x] = sum;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 321 + t; });
}
