// methods that are called as C's printf, malloc, free and fmax are, from other methods
#include "conformance.h"

struct Base {
    int n;
    __device__ void free(int x) { n -= x; }
};
struct Log : Base {
    __device__ void printf(int x) { n += x; }
    __device__ int fmax(int x) { return n > x ? n : x; }
    __device__ int *malloc(int i) { return &n + i; }
    __device__ int inside()
    {
        printf(30);
        free(1);
        return fmax(7) + *malloc(0);
    }
    __device__ int outside();
};
__device__ int Log::outside()
{
    printf(2);
    free(1);
    return fmax(100) + *malloc(0);
}
struct Other {
    int n;
    __device__ int plain()
    {
        int *p = (int *)malloc(4);
        *p = n;
        n = *p + 1;
        free(p);
        return n;
    }
};
__global__ void k(int *out)
{
    Log log;
    log.n = threadIdx.x;
    Other other = {5};
    out[threadIdx.x] = log.inside() + log.outside() + other.plain();
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T,
                 [](int t) { return (t + 29 > 7 ? t + 29 : 7) + t + 29 + (t + 30 > 100 ? t + 30 : 100) + t + 30 + 6; });
}
