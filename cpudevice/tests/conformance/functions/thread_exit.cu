// PTX's exit ends a thread from within a function, before and behind barriers, also under a predicate
#include "conformance.h"

__device__ void leave_if(bool yes)
{
    if (yes)
        asm volatile("exit;");
}
__global__ void early(int *out)
{
    leave_if(threadIdx.x % 3 == 0);
    out[threadIdx.x] = threadIdx.x;
}
__global__ void predicate(int *out)
{
    int i = threadIdx.x;
    asm volatile("{ .reg .pred p; setp.ge.s32 p, %0, 40; @p exit; }" ::"r"(i));
    out[i] = i;
}
__global__ void behind(int *out)
{
    __shared__ int s[T];
    int i = threadIdx.x;
    s[i] = i;
    __syncthreads();
    int mirror = s[T - 1 - i];
    leave_if(i >= T / 2);
    out[i] = mirror;
}
int main()
{
    int *out = managed(3 * T);
    for (int i = 0; i < 3 * T; i++)
        out[i] = -1;
    early<<<1, T>>>(out);
    predicate<<<1, T>>>(out + T);
    behind<<<1, T>>>(out + 2 * T);
    return check(out, 3 * T, [](int i) {
        int t = i % T;
        return i < T ? (t % 3 ? t : -1) : i < 2 * T ? (t < 40 ? t : -1) : t < T / 2 ? T - 1 - t : -1;
    });
}
