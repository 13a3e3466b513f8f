// 5: error: calling a __host__ function("host(int)") from a __global__ function("k") is not allowed
int host(int x) { return x + 1; }
__global__ void k(int *p)
{
    p[threadIdx.x] = host(3);
}
