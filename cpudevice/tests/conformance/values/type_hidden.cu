// an inner type hides the outer one of the name between two barriers
#include "conformance.h"

struct Item {
    int v;
};
__global__ void k(int *out)
{
    Item a = {(int)threadIdx.x};
    __syncthreads();
    {
        struct Item {
            short v, w;
        };
        Item b = {1, (short)a.v};
        typedef float T_;
        __syncthreads();
        T_ f = b.w * 0.5f;
        a.v += (int)(f * 2) + sizeof(Item);
        __syncthreads();
    }
    Item c = a;
    __syncthreads();
    out[threadIdx.x] = c.v + sizeof(Item);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 2 * t + 8; });
}
