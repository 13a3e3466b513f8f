// a block of three dimensions with a barrier, neighbours along each axis
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[5][4][3];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    s[z][y][x] = x + 10 * y + 100 * z;
    __syncthreads();
    int sum = s[z][y][(x + 1) % 3] + s[z][(y + 1) % 4][x] + s[(z + 1) % 5][y][x];
    __syncthreads();
    out[(z * 4 + y) * 3 + x] = sum;
}
int main()
{
    int *out = managed(60);
    k<<<1, dim3(3, 4, 5)>>>(out);
    return check(out, 60, [](int i) {
        int x = i % 3, y = i / 3 % 4, z = i / 12, x1 = (x + 1) % 3, y1 = (y + 1) % 4, z1 = (z + 1) % 5;
        return x1 + x + x + 10 * (y + y1 + y) + 100 * (z + z + z1);
    });
}
