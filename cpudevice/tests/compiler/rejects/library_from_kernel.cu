// 14: error: calling a __host__ function("puts") from a __global__ function("k") is not allowed
// 15: error: calling a __host__ function("memmove") from a __global__ function("k") is not allowed
// 16: error: calling a __host__ function("strlen") from a __global__ function("k") is not allowed
// 17: error: calling a __host__ function("memcmp") from a __global__ function("k") is not allowed
// 18: error: calling a __host__ function("atoi") from a __global__ function("k") is not allowed
// 20: error: calling a __host__ function("isdigit") from a __device__ function("digit") is not allowed
#include <ctype.h>
#include <cstring>
#include <stdio.h>
#include <stdlib.h>
__device__ bool digit(char c);
__global__ void k(char *p)
{
    puts("hello");
    memmove(p + 1, p, 4);
    p[0] = std::strlen(p);
    if (::memcmp(p, p + 8, 8) && digit(p[1]))
        p[1] += atoi("12");
}
__device__ bool digit(char c) { return isdigit(c); }
