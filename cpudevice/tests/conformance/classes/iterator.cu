// a random-access iterator class walks over shared memory
#include "conformance.h"

struct Strided {
    int *p;
    int by;
    __device__ int &operator*() const { return *p; }
    __device__ int &operator[](int i) const { return p[i * by]; }
    __device__ Strided &operator+=(int n)
    {
        p += n * by;
        return *this;
    }
    __device__ Strided operator+(int n) const { return {p + n * by, by}; }
    __device__ int operator-(Strided o) const { return (int)(p - o.p) / by; }
    __device__ bool operator<(Strided o) const { return p < o.p; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    Strided a{s + threadIdx.x % 4, 4}, end = a + 16;
    int sum = 0;
    for (auto i = a; i < end; i += 1)
        sum += *i;
    __syncthreads();
    if (threadIdx.x < 4)
        a[2] = 1000;
    __syncthreads();
    out[threadIdx.x] = sum * 10 + (end - a) + *(a + 2);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (16 * (t % 4) + 4 * 120) * 10 + 16 + 1000; });
}
