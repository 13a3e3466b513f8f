// dump regions
// rule return: a thread that has returned takes no part in what follows
__global__ void k(int *p, int n)
{
    __shared__ int s[64];
    if (threadIdx.x >= n)
        return;
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[0];
}
