// 5: error: calling a __host__ function("std::vector
#include <vector>
__device__ int first(const std::vector<int> &v)
{
    return v[0];
}
__global__ void k(int *p) { p[0] = 1; }
