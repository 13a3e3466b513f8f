// operator() that gives an lvalue, as matrix classes have it
#include "conformance.h"

template <int R, int C> struct Matrix {
    int e[R * C];
    __device__ int &operator()(int r, int c) { return e[r * C + c]; }
};
__global__ void k(int *out)
{
    Matrix<2, 3> m = {};
    m(0, 1) = threadIdx.x;
    __syncthreads();
    m(1, 2) = m(0, 1) * 2;
    m(1, 2)++;
    __syncthreads();
    out[threadIdx.x] = m(1, 2) * 10 + m(0, 0);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (2 * t + 1) * 10; });
}
