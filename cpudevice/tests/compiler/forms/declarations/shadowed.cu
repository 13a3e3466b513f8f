// dump regions
// rule shadowed: a name that is declared twice is not computed anew
const int width = 1000;
__global__ void k(int *p)
{
    __shared__ int s[64];
    const int key = threadIdx.x + width;
    s[threadIdx.x] = key;
    __syncthreads();
    {
        const int width = 3;
        s[threadIdx.x] += width;
        __syncthreads();
        p[threadIdx.x] = s[63 - threadIdx.x] + key;
    }
}
