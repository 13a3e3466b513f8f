// 5: error: calling a __host__ function("std::vector
#include <vector>
__global__ void k(std::vector<int> v, int *p)
{
    p[0] = (int)v.size();
}
