// arrays and structs of which only a part is written between barriers
#include "conformance.h"

struct Part {
    int a, b[3], c;
};
__global__ void k(int *out)
{
    Part p = {1, {2, 3, 4}, 5};
    int v[4] = {0};
    v[threadIdx.x % 4] = 9;
    __syncthreads();
    p.b[threadIdx.x % 3] = threadIdx.x;
    __syncthreads();
    p.c++;
    v[1] += p.b[1];
    __syncthreads();
    out[threadIdx.x] = p.a + p.b[0] * 10 + p.b[2] * 1000 + p.c * 100000 + v[0] + v[1] + v[2] + v[3];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int b[3] = {2, 3, 4};
        b[t % 3] = t;
        return 1 + b[0] * 10 + b[2] * 1000 + 600000 + 9 + b[1];
    });
}
