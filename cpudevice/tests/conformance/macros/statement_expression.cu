// GNU statement expressions, with a barrier in one and a temporary in another
#include "conformance.h"

#define MIN(a, b)                                                                                                      \
    ({                                                                                                                 \
        auto a_ = (a);                                                                                                 \
        auto b_ = (b);                                                                                                 \
        a_ < b_ ? a_ : b_;                                                                                             \
    })
#define SHARED_MAX(s)                                                                                                  \
    ({                                                                                                                 \
        __syncthreads();                                                                                               \
        int m_ = 0;                                                                                                    \
        for (int i = 0; i < T; i++)                                                                                    \
            if (s[i] > m_)                                                                                             \
                m_ = s[i];                                                                                             \
        m_;                                                                                                            \
    })
__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = MIN(threadIdx.x * 3u, 100u);
    int i = 5;
    int m = SHARED_MAX(s);
    __syncthreads();
    out[threadIdx.x] = m * 10 + MIN(i, (int)threadIdx.x);
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    return check(out, T, [](int t) { return 1000 + (t < 5 ? t : 5); });
}
