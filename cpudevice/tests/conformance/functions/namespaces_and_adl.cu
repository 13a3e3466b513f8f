// the same name in several namespaces, found by argument, by using and by qualification
#include "conformance.h"

namespace one
{
struct Tag {
};
__device__ int f(Tag) { return 1; }
__device__ int g(int v) { return v + 10; }
} // namespace one
namespace two
{
struct Tag {
};
__device__ int f(Tag) { return 2; }
__device__ int g(int v) { return v + 20; }
inline namespace inner
{
__device__ int h() { return 300; }
} // namespace inner
} // namespace two
namespace alias = two;
__global__ void k(int *out)
{
    using two::g;
    int v = f(one::Tag()) + 10 * f(two::Tag{});
    __syncthreads();
    {
        using namespace one;
        v += alias::h() + one::g(0) * 1000;
        Tag tag;
        v += f(tag);
    }
    __syncthreads();
    out[threadIdx.x] = v + g(threadIdx.x);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 21 + 300 + 10000 + 1 + t + 20; });
}
