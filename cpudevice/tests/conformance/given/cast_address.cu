// vectorised load: the parts of an int4 are written through a C cast of its address
#include "conformance.h"
__global__ void k(int *out, const int *in)
{
    __shared__ int s[T];
    int4 v = make_int4(0, 0, 0, 0);
    for (int j = 0; j < 4; j++)
        ((int *)&v)[j] = in[4 * threadIdx.x + j];
    s[threadIdx.x] = v.x;
    __syncthreads();
    out[threadIdx.x] = v.x + v.y + v.z + v.w + s[0];
}
int main()
{
    int *out = managed(T), *in = managed(4 * T);
    for (int i = 0; i < 4 * T; i++)
        in[i] = i;
    k<<<1, T>>>(out, in);
    return check(out, T, [](int t) { return 16 * t + 6; });
}
