// dump regions
// rule branches: shuffles in both branches may be one for a GPU
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim;
__global__ void both(int *y)
{
    int t = threadIdx.x, x = y[t];
    if (t % 2)
        x = __shfl_sync(0xaaaaaaaa, x, 1);
    else
        x = __shfl_sync(0x55555555, x, 0);
    y[t] = x;
}
__global__ void one(int *y)
{
    int t = threadIdx.x, x = y[t];
    if (t % 2)
        x = __shfl_sync(0xaaaaaaaa, x, 1);
    else
        x = 0;
    y[t] = x;
}
