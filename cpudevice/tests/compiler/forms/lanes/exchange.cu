// dump regions
// rule volatile: threads that tell each other something keep their order; the others' loops go round all threads
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim;
__global__ void column(float *y, const float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j];
}
__global__ void told(volatile float *y, const float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
        y[j] += a[i * n + j];
}
__global__ void row(float *y, const float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
        y[j] += a[j * n + i];
}
__global__ void one_thread(float *y, const float *a, int n)
{
    for (int i = 0; i < n; i++)
        y[0] += a[i];
}
__global__ void rounds_differ(float *y, const float *a, const int *n)
{
    int j = threadIdx.x;
    for (int i = 0; i < n[j]; i++)
        y[j] += a[i * 64 + j];
}
__global__ void few(float *y, const float *a)
{
    int j = threadIdx.x;
    for (int i = 0; i < 8; i++)
        y[j] += a[i * 64 + j];
}
