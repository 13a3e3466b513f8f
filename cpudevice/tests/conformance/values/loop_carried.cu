// values carried from one round of a loop with barriers to the next, in variables declared outside and inside
#include "conformance.h"

__global__ void k(int *out)
{
    __shared__ int s[T];
    int last = 0, before = 1;
    for (int i = 0; i < 5; i++) {
        int now = last + before, fresh = 0;
        s[threadIdx.x] = now + threadIdx.x;
        __syncthreads();
        fresh += s[(threadIdx.x + i) % T];
        before = last;
        __syncthreads();
        last = now + (fresh & 1);
    }
    out[threadIdx.x] = last * 1000 + before;
}
int main()
{
    int *out = managed(T), last[T], before[T], s[T];
    k<<<1, T>>>(out);
    for (int t = 0; t < T; t++)
        last[t] = 0, before[t] = 1;
    for (int i = 0; i < 5; i++) {
        for (int t = 0; t < T; t++)
            s[t] = last[t] + before[t] + t;
        for (int t = 0; t < T; t++)
            before[t] = last[t], last[t] = s[t] - t + s[(t + i) % T] % 2;
    }
    return check(out, T, [&](int t) { return last[t] * 1000 + before[t]; });
}
