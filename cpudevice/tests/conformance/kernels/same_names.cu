// a kernel, a struct, a variable, a macro-like name and a label that share names in their own scopes
#include "conformance.h"

struct k_t {
    int k;
};
namespace n
{
int out = 3;
}
__global__ void k(int *out, k_t k)
{
    int s = k.k;
    {
        struct out {
            int v;
        };
        struct out local = {s};
        __syncthreads();
        s += local.v;
    }
out:
    __syncthreads();
    if (s < 100) {
        s *= 2;
        goto out;
    }
    out[threadIdx.x] = s;
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out, k_t{n::out});
    return check(out, T, [](int) { return 192; });
}
