// dump regions
// rule inline_names: the names of a function in the place of its call mean what they meant
__constant__ int scale;
__device__ int scaled(int *s) { __syncthreads(); return s[0] * scale; }
__device__ int next(int *s, int by) { __syncthreads(); return s[(threadIdx.x + by) % 64]; }
__global__ void k(int *p)
{
    __shared__ int s[64];
    int scale = 2;
    s[threadIdx.x] = scale;
    int x = scaled(s);
    p[threadIdx.x] = x;
}
__global__ void in_place(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = 2;
    int x = next(s, 1);
    p[threadIdx.x] = x;
}
