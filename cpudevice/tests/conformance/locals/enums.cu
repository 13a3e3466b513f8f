// locals of enumeration types, scoped and not
#include "conformance.h"

enum Colour { red = 3, green, blue };
enum class Size : short { small = -1, large = 500 };
__global__ void k(int *out)
{
    Colour c = threadIdx.x % 2 ? green : blue;
    enum { here = 7 };
    Size size = threadIdx.x < 10 ? Size::small : Size::large;
    __syncthreads();
    if (c == blue)
        size = Size::small;
    __syncthreads();
    out[threadIdx.x] = c * 10000 + static_cast<int>(size) + here;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return (t % 2 ? 40000 + (t < 10 ? -1 : 500) : 49999) + 7; });
}
