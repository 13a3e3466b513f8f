// dump print
// the type that a template deduces is that of the variable which is given for its parameter
template <typename T> __device__ T neighbour(T v, T *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[threadIdx.x ^ 1];
}
__global__ void k(float *p)
{
    __shared__ float s[32];
    float mine = p[threadIdx.x];
    p[threadIdx.x] = neighbour(mine, s);
}
