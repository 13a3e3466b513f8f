// structs with arrays in them are copied whole
#include "conformance.h"

struct Row {
    int v[3];
    char name;
};
__global__ void k(int *out)
{
    __shared__ Row rows[T];
    Row row = {{(int)threadIdx.x, 1, 2}, 'r'};
    rows[threadIdx.x] = row;
    __syncthreads();
    Row other = rows[T - 1 - threadIdx.x], copy(row), brace{other};
    copy.v[1] = 50;
    row = copy;
    __syncthreads();
    out[threadIdx.x] = other.v[0] + row.v[1] * 100 + brace.v[2] * 10000 + copy.name;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return T - 1 - t + 5000 + 20000 + 'r'; });
}
