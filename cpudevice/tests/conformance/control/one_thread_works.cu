// long serial work of one thread between barriers
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int list[T], n;
    __shared__ bool sieve[300];
    for (int i = threadIdx.x; i < 300; i += T)
        sieve[i] = true;
    __syncthreads();
    if (!threadIdx.x) {
        n = 0;
        for (int i = 2; i < 300; i++) {
            if (!sieve[i])
                continue;
            if (n < T)
                list[n++] = i;
            for (int j = i * i; j < 300; j += i)
                sieve[j] = false;
        }
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < n ? list[threadIdx.x] : n;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int prime[T], n = 0;
    for (int i = 2; i < 300 && n < T; i++) {
        bool is = true;
        for (int j = 2; j < i; j++)
            is &= i % j != 0;
        if (is)
            prime[n++] = i;
    }
    return check(out, T, [&](int t) { return t < n ? prime[t] : n; });
}
