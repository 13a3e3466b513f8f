// dump regions
// rule rounds: a loop of some threads does not become one of all, unless it is known to end
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim;
__global__ void steps(int *y, int n)
{
    int t = threadIdx.x, x = y[t];
    if (t < 32)
        for (int i = 16; i != n; i -= 3)
            x += __shfl_xor_sync(0xffffffff, x, i & 31);
    y[t] = x;
}
__global__ void halves(int *y)
{
    int t = threadIdx.x, x = y[t];
    if (t < 32)
        for (unsigned i = blockDim.x / 2; i > 0; i >>= 1)
            x += __shfl_xor_sync(0xffffffff, x, i & 31);
    y[t] = x;
}
__global__ void of_all(int *y, int n)
{
    int t = threadIdx.x, x = y[t];
    for (int i = 16; i != n; i -= 3)
        x += __shfl_xor_sync(0xffffffff, x, i & 31);
    y[t] = x;
}
