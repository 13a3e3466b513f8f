// decltype(auto) without a barrier, and round barriers, of a variable, a reference and a call
#include "conformance.h"
__device__ int &first(int *p) { return *p; }
__device__ decltype(auto) forward(int *p) { return first(p); }
__global__ void k(int *out)
{
    __shared__ int s[T];
    int mine = threadIdx.x;
    decltype(auto) r = (mine);
    decltype(auto) f = first(s + threadIdx.x);
    f = r + 1;
    __syncthreads();
    decltype(auto) g = s[(threadIdx.x + 1) % T];
    r += g;
    __syncthreads();
    forward(s + threadIdx.x) += r;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + mine;
}
__global__ void without_barrier(int *out)
{
    int mine = threadIdx.x;
    decltype(auto) r = (mine);
    decltype(auto) v = mine + 1;
    r += v;
    out[threadIdx.x] = mine;
}
int main()
{
    int *out = managed(2 * T);
    k<<<1, T>>>(out);
    without_barrier<<<1, T>>>(out + T);
    return check(out, 2 * T, [](int i) {
        if (i >= T)
            return 2 * (i - T) + 1;
        int r = i + (i + 1) % T + 1;
        return i + 1 + r + r;
    });
}
