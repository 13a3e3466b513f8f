// operator[] that gives a reference into the object
#include "conformance.h"

struct Vector {
    int e[4];
    __device__ int &operator[](int i) { return e[i]; }
};
__global__ void k(int *out)
{
    __shared__ int s[T];
    Vector v;
    for (int i = 0; i < 4; i++)
        v[i] = threadIdx.x * i;
    s[threadIdx.x] = v[3];
    __syncthreads();
    v[2] = s[(threadIdx.x + 1) % T];
    __syncthreads();
    out[threadIdx.x] = v[1] + v[2];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + (t + 1) % T * 3; });
}
