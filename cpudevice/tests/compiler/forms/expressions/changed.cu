// dump regions
// rule changed: what changes is not computed anew
__global__ void k(int *p)
{
    __shared__ int s[64];
    int key = threadIdx.x + 1;
    s[threadIdx.x] = key;
    key += s[0];
    __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x] + key;
}
