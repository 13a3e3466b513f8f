// a padded tile, transposed, with a ragged edge
#include "conformance.h"

enum { TILE = 16 };
__global__ void k(float *out, const float *in, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += blockDim.y)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main()
{
    float *out = managed<float>(37 * 50), *in = managed<float>(37 * 50);
    for (int i = 0; i < 37 * 50; i++)
        in[i] = i;
    k<<<dim3(4, 3), dim3(TILE, 4)>>>(out, in, 37, 50);
    return check(out, 37 * 50, [](int i) { return i % 37 * 50 + i / 37; });
}
