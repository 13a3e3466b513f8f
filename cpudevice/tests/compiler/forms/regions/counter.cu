// dump regions
__global__ void k(int *p, int n)
{
    __shared__ int s[64];
    unsigned i = 1;
    s[threadIdx.x] = n;
    __syncthreads();
    while (i < 64) {
        int other = s[(threadIdx.x + i) % 64];
        __syncthreads();
        i *= 2;
        s[threadIdx.x] += other;
        __syncthreads();
    }
    p[threadIdx.x] = s[threadIdx.x] + i;
}
