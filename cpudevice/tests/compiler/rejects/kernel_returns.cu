// 2: error: a __global__ function must have a void return type
__global__ int k(int *p)
{
    p[0] = 1;
    return 1;
}
