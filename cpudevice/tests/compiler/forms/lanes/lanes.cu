// dump regions
// rule sometimes: a shuffle that some evaluate is not for all; the others are exchanged for the whole block
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim;
__device__ float sum_of_warp(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}
template <class V, int N> __device__ V sum_of(V value)
{
    for (int offset = N / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffff, value, offset, N);
    return value;
}
__global__ void in_a_function(float *y, const float *x)
{
    int t = threadIdx.x;
    float sum = sum_of_warp(x[t]);
    if (t % 32 == 0)
        y[t / 32] = sum;
}
__global__ void in_a_template(int *y)
{
    int t = threadIdx.x, v = y[t];
    v = sum_of<int, 8>(v);
    y[t] = v;
}
__global__ void by_the_first_warp(float *y, const float *x, int n)
{
    int t = threadIdx.x;
    float sum = x[t];
    if (t < 32) {
        float more = x[t + n];
        for (int i = 1; i < 32; i <<= 1)
            sum += __shfl_xor_sync(0xffffffff, sum, i);
        y[t] = sum + more;
    }
}
__global__ void by_memory(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = y[t];
    __syncwarp();
    y[t] = s[t ^ 1];
}
__global__ void sometimes(int *y)
{
    int t = threadIdx.x, x = y[t];
    x = t < 32 ? __shfl_xor_sync(0xffffffff, x, 1) : 0;
    y[t] = x;
}
