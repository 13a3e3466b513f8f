// a stencil with halo cells, several steps between two buffers
#include "conformance.h"

__global__ void k(int *out, const int *in, int n, int steps)
{
    __shared__ int a[T + 2], b[T + 2];
    int *from = a, *to = b, i = threadIdx.x + 1;
    from[i] = threadIdx.x < n ? in[threadIdx.x] : 0;
    if (threadIdx.x == 0)
        a[0] = b[0] = 0, a[T + 1] = b[T + 1] = 0;
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        to[i] = from[i - 1] + from[i] * 2 - from[i + 1];
        __syncthreads();
        int *t = from;
        from = to;
        to = t;
    }
    if (threadIdx.x < n)
        out[threadIdx.x] = from[i];
}
int main()
{
    int *out = managed(50), *in = managed(50), a[T + 2] = {0}, b[T + 2];
    for (int i = 0; i < 50; i++)
        in[i] = a[i + 1] = i % 9 - 4;
    k<<<1, T>>>(out, in, 50, 5);
    for (int s = 0; s < 5; s++) {
        for (int i = 1; i <= T; i++)
            b[i] = a[i - 1] + 2 * a[i] - a[i + 1];
        for (int i = 1; i <= T; i++)
            a[i] = b[i];
    }
    return check(out, 50, [&](int i) { return a[i + 1]; });
}
