// dump regions
__global__ void k(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    asm volatile("" ::: "memory");
    __syncthreads();
    asm("");
    p[threadIdx.x] = s[0];
}
__global__ void with_operands(int *p)
{
    int x = p[threadIdx.x];
    asm volatile("" : "+r"(x));
    p[threadIdx.x] = x;
}
