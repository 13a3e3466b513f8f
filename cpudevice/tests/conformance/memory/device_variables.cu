// __device__ variables: scalars, arrays, structs, pointers, initialised and not, read and written by symbol
#include "conformance.h"

struct Config {
    int a;
    float b[2];
};
__device__ int counter = 5, table[4] = {1, 2, 3}, matrix[2][3];
__device__ Config config = {7, {0.5f, 2}};
__device__ int *pointer = &table[1];
static __device__ const int fixed = 9;
__global__ void k(int *out)
{
    out[threadIdx.x] = counter + table[threadIdx.x % 4] * 10 + matrix[1][2] * 100 + config.a * 1000 +
                       (int)(config.b[1] * 10) * 10000 + pointer[1] + fixed;
}
int main()
{
    int *out = managed(T), v = 6, m[2][3] = {{0, 0, 0}, {0, 0, 8}}, back[4];
    cudaMemcpyToSymbol(counter, &v, sizeof v);
    cudaMemcpyToSymbol(matrix, m, sizeof m);
    v = 4;
    cudaMemcpyToSymbol(table, &v, sizeof v, 3 * sizeof(int));
    k<<<1, T>>>(out);
    cudaMemcpyFromSymbol(back, table, sizeof back);
    return check(out, T, [&](int t) { return 6 + back[t % 4] * 10 + 800 + 7000 + 200000 + 3 + 9 + (back[3] - 4); });
}
