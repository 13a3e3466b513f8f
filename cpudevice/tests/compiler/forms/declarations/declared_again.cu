// dump regions
// a region in which a name is an outer variable's first, and then that of one that lives across a barrier
__global__ void k(int *p)
{
    __shared__ int s[64];
    int v = p[threadIdx.x], sum = 0;
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[63 - threadIdx.x];
        const int v = p[i];
        __syncthreads();
        sum += v;
    }
    p[threadIdx.x] = sum + v;
}
__global__ void declared_first(int *p)
{
    __shared__ int s[64];
    int v = p[threadIdx.x], sum = 0;
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = 1;
        const int v = p[i];
        __syncthreads();
        sum += v + s[63 - threadIdx.x];
    }
    p[threadIdx.x] = sum + v;
}
