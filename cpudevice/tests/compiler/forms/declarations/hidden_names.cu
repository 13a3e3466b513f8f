// dump regions
namespace mine {
struct Call {
    __device__ int operator()(int a, int b) const { return a + b + threadIdx.x; }
};
constexpr Call hypot{};
__global__ void k(int *out)
{
    const int v = hypot(2, 3), w = hypot(3, 4);
    __syncthreads();
    out[threadIdx.x] = v + w;
}
}
template <int (*abs)(int)> __global__ void l(int *out)
{
    const int v = abs(2);
    __syncthreads();
    out[threadIdx.x] = v;
}
