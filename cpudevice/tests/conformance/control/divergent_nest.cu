// divergent loops, ifs and switches between barriers, four deep
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int v = 0;
    for (int i = 0; i < threadIdx.x % 7; i++) {
        int j = i;
        while (j < 10) {
            if (j % 3 == threadIdx.x % 3) {
                do
                    v += s[j];
                while (v % 5 && (v++, v < 400));
                if (v > 300)
                    goto out_of_it;
            } else if (j == 8)
                break;
            j += 1 + threadIdx.x % 2;
        }
    }
out_of_it:
    __syncthreads();
    out[threadIdx.x] = v + s[0];
}
int main()
{
    int *out = managed(T);
    k<<<1, T>>>(out);
    int want[T];
    for (int t = 0; t < T; t++) {
        int v = 0, left = 0;
        for (int i = 0; i < t % 7 && !left; i++)
            for (int j = i; j < 10 && !left; j += 1 + t % 2) {
                if (j % 3 == t % 3) {
                    for (;;) {
                        v += j;
                        if (v % 5 == 0)
                            break;
                        v++;
                        if (v >= 400)
                            break;
                    }
                    left = v > 300;
                } else if (j == 8)
                    break;
            }
        want[t] = v;
    }
    return check(out, T, [&](int t) { return want[t]; });
}
