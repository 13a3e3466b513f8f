// variables declared in the conditions of while and if
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int n = 4, sum = 0;
    s[threadIdx.x] = threadIdx.x;
    while (int left = n--) {
        __syncthreads();
        sum += s[(threadIdx.x + left) % T];
    }
    if (int v = threadIdx.x % 3)
        sum += 1000 * v;
    __syncthreads();
    out[threadIdx.x] = sum * 10 + n;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) {
        int sum = 0;
        for (int i = 1; i <= 4; i++)
            sum += (t + i) % T;
        return (sum + 1000 * (t % 3)) * 10 - 1;
    });
}
