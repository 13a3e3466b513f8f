// dump regions
// rule guards: whether a thread takes part is found out without changing anything
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim;
__global__ void within(float *y, const float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n)
        for (int i = 0; i < n; i++)
            y[j] += a[i * n + j];
}
__global__ void behind(float *y, const float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, m = n / 2;
    if (j >= m)
        return;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j];
}
__global__ void counted(float *y, const float *a, int *count, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, old = count[j]++;
    if (j >= n)
        return;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j] * old;
}
__global__ void by_memory(float *y, const float *a, const int *mask, int n)
{
    int j = threadIdx.x;
    if (mask[j])
        return;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j];
}
