// nvcc takes this
// names of functions of the other side that mean something else where they are used
__device__ int twice(int x) { return 2 * x; }
int half(int x) { return x / 2; }
struct Half {
    __host__ __device__ int operator()(int x) const { return x / 2; }
};
namespace other {
__host__ __device__ int half(int x) { return x / 2; }
__host__ __device__ int twice(int x) { return 2 * x; }
}
__global__ void k(int *p)
{
    Half half;
    p[0] = half(twice(p[0]));
    p[1] = other::half(p[1]);
}
int local(int x)
{
    auto twice = [](int v) { return 2 * v; };
    return twice(x) + half(x);
}
int brought(int x)
{
    using other::twice;
    return sizeof(twice(x)) + other::twice(x);
}
int parameter(int (*k)(int)) { return k(3); }
namespace instructions {
__device__ inline void exit() {}
__device__ inline int abs(int x) { return x; }
}
int of_the_library(int x)
{
    if (x == 77)
        exit(1);
    return abs(x);
}
