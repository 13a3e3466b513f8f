// dump regions
struct __device_builtin__ uint3 { unsigned x, y, z; };
struct __device_builtin__ dim3 { unsigned x, y, z; };
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
__device__ float largest_of(float *address, float value)
{
    int *bits = (int *)address, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__device__ void lock(int *mutex)
{
    int old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(mutex, 0, 1);
    } while (seen != old);
}
__global__ void strides(float *most, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        largest_of(most, x[i]);
        i += blockDim.x * gridDim.x;
    }
}
__global__ void sums(float *sum, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    while (i < n) {
        mine += x[i];
        i += blockDim.x * gridDim.x;
    }
    atomicAdd(sum, mine);
}
__global__ void turns(int *turn)
{
    int now = -1;
    while (now != threadIdx.x)
        now = atomicAdd(turn, 0);
    atomicAdd(turn, 1);
}
__global__ void watches(volatile int *flag, int *x)
{
    int seen = 0;
    while (!seen)
        seen = *flag;
    x[threadIdx.x] = seen;
}
__global__ void locked(int *mutex, int *x)
{
    lock(mutex);
    x[0]++;
    atomicAdd(mutex, -1);
}
