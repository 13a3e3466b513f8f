// macros that expand to control flow round a barrier
#include "conformance.h"

#define IF if (
#define THEN ) {
#define ELSE }                                                                                                         \
    else                                                                                                               \
    {
#define END }
#define UNTIL(c) while (!(c))
__global__ void k(int *out, int n)
{
    __shared__ int s[T];
    int v = threadIdx.x;
    IF n > 2 THEN s[threadIdx.x] = v;
    __syncthreads();
    v = s[T - 1 - threadIdx.x];
    ELSE v = -1;
    END UNTIL(n == 0)
    {
        __syncthreads();
        n--;
        v++;
    }
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, 5);
    return check(out, T, [](int t) { return T - 1 - t + 5; });
}
