// one __shared__ declaration of several variables, arrays and a pointer; static and alignas beside it
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int a, b[T], *p, c[2][T];
    static __shared__ int d[T];
    __shared__ alignas(16) float4 f;
    __shared__ volatile int flag;
    int t = threadIdx.x;
    if (t == 0)
        a = 5, p = b, f = make_float4(1, 2, 3, 4), flag = 9;
    b[t] = t, c[0][t] = t * 10, c[1][t] = t * 100, d[t] = t * 1000;
    __syncthreads();
    int o = T - 1 - t;
    out[t] = a + p[o] + c[0][o] + c[1][o] + d[o] + (int)f.z + flag;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 5 + (T - 1 - t) * 1111 + 3 + 9; });
}
