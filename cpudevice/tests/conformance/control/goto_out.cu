// goto out of two loops, past a barrier, and a label before a closing brace
#include "conformance.h"

__global__ void k(int *out, int stop)
{
    int v = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            __syncthreads();
            if (i * 3 + j == stop)
                goto done;
            v += threadIdx.x;
        }
    v = -1;
done:
    __syncthreads();
    if (threadIdx.x > 20)
        goto end;
    v += 1000;
end:
    out[threadIdx.x] = v;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out, 4);
    k<<<1, T>>>(out + T, 99);
    return check(out, 2 * T, [](int i) {
        int t = i % T, v = i < T ? 4 * t : -1;
        return t > 20 ? v : v + 1000;
    });
}
