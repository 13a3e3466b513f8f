// threads that take no part lie between those that do, in all three directions
#include "conformance.h"

__global__ void k(int *out, const int *in, int n)
{
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if ((threadIdx.x * 5 + threadIdx.y * 3 + threadIdx.z) % 7 < 4 && threadIdx.y != 2) {
        int sum = threadIdx.x;
        for (int j = 0; j < n; j++)
            sum += in[j] * (sum & 3) + i;
        out[i] = sum;
    }
}
int main()
{
    enum { X = 9, Y = 5, Z = 3, N = 80 };
    int *out = managed(X * Y * Z), *in = managed(N);
    for (int i = 0; i < N; i++)
        in[i] = i % 13 - 6;
    for (int i = 0; i < X * Y * Z; i++)
        out[i] = -1;
    k<<<1, dim3(X, Y, Z)>>>(out, in, N);
    return check(out, X * Y * Z, [&](int i) {
        int x = i % X, y = i / X % Y, z = i / X / Y, sum = x;
        if ((x * 5 + y * 3 + z) % 7 >= 4 || y == 2)
            return -1;
        for (int j = 0; j < N; j++)
            sum += in[j] * (sum & 3) + i;
        return sum;
    });
}
