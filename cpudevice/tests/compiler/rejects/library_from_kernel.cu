// 5: error: calling a __host__ function("puts") from a __global__ function("k") is not allowed
#include <stdio.h>
__global__ void k(int *p)
{
    puts("hello");
}
