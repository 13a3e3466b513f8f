// dump regions
// rule uniform: a condition round a barrier is the same for all threads, or the kernel stays on fibers
__global__ void k(int *p)
{
    __shared__ int s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 1;
        __syncthreads();
    }
    p[threadIdx.x] = s[threadIdx.x];
}
