// dump regions
enum { rows = 4, step };
enum Gear { low, high = 3 };
struct Size { enum { tail = 3 }; };
const float2 origin = {1, 2};
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ bool operator<(float2 a, float2 b) { return a.x < b.x; }
__device__ bool operator>(Gear a, int b) { return (int)a == b; }
__global__ void numbers(float *out)
{
    for (int i = 0; i < rows + step; i++)
        __syncthreads();
    for (int i = 0; i < Size::tail; i++)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void vectors(float *out)
{
    for (int i = 0; origin < origin; i++)
        __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void enumeration(float *out)
{
    for (int i = 0; high > i; i++)
        __syncthreads();
    out[threadIdx.x] = 1;
}
