// a macro whose hidden variable has the name of a variable of its caller
#include "conformance.h"

#define MAX(to, a, b)                                                                                                  \
    do {                                                                                                               \
        int t = (a), u = (b);                                                                                          \
        __syncthreads();                                                                                               \
        (to) = t > u ? t : u;                                                                                          \
    } while (0)
__global__ void k(int *out)
{
    int u = threadIdx.x, best = 7;
    MAX(best, u + 1, 40);
    __syncthreads();
    int t = 3;
    MAX(best, best, 45 - t);
    out[threadIdx.x] = best * 1000 + u + t;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int i) {
        int first = i + 1 > 40 ? i + 1 : 40, second = 45 - first; // the macro's own t, not the caller's
        return (first > second ? first : second) * 1000 + i + 3;
    });
}
