// dump print
#define BARRIER do { __syncthreads(); } while (0)
__global__ void k(int *p)
{
    BARRIER;
    p[threadIdx.x] = 1;
}
