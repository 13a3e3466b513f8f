// dump regions
// rule overloads: a name of several functions is none of them
__device__ int meant(int a, int *s) { __syncthreads(); return s[threadIdx.x] + a; }
__device__ int meant(long a, int *s) { __syncthreads(); return s[threadIdx.x] - (int)a; }
__global__ void k(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    int x = meant(5l, s);
    p[threadIdx.x] = x;
}
