// 2: error: a __global__ function cannot have ellipsis
__global__ void k(int n, ...)
{
}
