// dump regions
// The regions of a kernel: what is between barriers, whether its threads are apart, and that a thread returns in the last.
struct dim3 { unsigned x, y, z; };
extern const dim3 threadIdx, blockIdx, blockDim;
__global__ void k(int *p, int n)
{
    __shared__ int s[64];
    int mine = p[threadIdx.x];
    s[threadIdx.x] = mine;
    for (int i = 0; i < n; i++) {
        __syncthreads();
        int own[2] = {s[63 - threadIdx.x], mine};
        mine += own[threadIdx.x % 2];
        __syncthreads();
        s[threadIdx.x] = mine;
    }
    if (threadIdx.x >= n)
        return;
    p[threadIdx.x] = mine;
}
