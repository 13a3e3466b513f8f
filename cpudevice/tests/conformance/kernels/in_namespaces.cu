// kernels in namespaces, nested, anonymous and inline, launched from outside
#include "conformance.h"

namespace a
{
__global__ void k(int *out) { out[threadIdx.x] = 1; }
namespace b
{
__global__ void k(int *out) { out[threadIdx.x] = 2; }
} // namespace b
inline namespace c
{
__global__ void other(int *out) { out[threadIdx.x] = 3; }
} // namespace c
} // namespace a
namespace
{
__global__ void hidden(int *out) { out[threadIdx.x] = 4; }
} // namespace
namespace short_name = a::b;
int main()
{
    int *out = managed(5 * T);
    a::k<<<1, T>>>(out);
    short_name::k<<<1, T>>>(out + T);
    a::other<<<1, T>>>(out + 2 * T);
    hidden<<<1, T>>>(out + 3 * T);
    using namespace a::b;
    using a::b::k;
    k<<<1, T>>>(out + 4 * T);
    return check(out, 5 * T, [](int i) { return i / T < 4 ? i / T + 1 : 2; });
}
