// raw strings and line continuations hold what looks like code
#include "conformance.h"

__global__ void k(int *out)
{
    const char *raw = R"x(
        __syncthreads(); " ) } #define T 3
    )x";
    int v = threadIdx.x; // a comment that goes on \
    v = 1000;
    __syncthreads();
    const int n = sizeof(R"(<<<)") + sizeof "a"
                                            "b";
    out[threadIdx.x] = v + n + raw[9];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return t + 4 + 3 + '_'; });
}
