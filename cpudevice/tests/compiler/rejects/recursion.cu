// 5: error: a __global__ function call must be configured
__global__ void k(int n)
{
    if (n > 0)
        k(n - 1);
}
