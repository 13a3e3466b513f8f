// grids and blocks of one to three dimensions, ragged against the data
#include "conformance.h"

__global__ void k(int *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z;
}
int main()
{
    int *out = managed(7 * 5 * 3);
    k<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(out, 7, 5, 3);
    return check(out, 105, [](int i) { return i % 7 + 100 * (i / 7 % 5) + 10000 * (i / 35); });
}
