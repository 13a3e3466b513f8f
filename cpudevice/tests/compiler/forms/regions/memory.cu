// dump regions
// rule memory: what is read from memory is not computed anew
__device__ int total;
__global__ void k(int *p)
{
    __shared__ int s[64];
    const int key = p[threadIdx.x], all = total + threadIdx.x;
    s[threadIdx.x] = key;
    __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x] + key + all;
}
