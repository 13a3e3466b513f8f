// what a shuffle's value is assigned to, and computed with: elements, operators, conversions, effects beside it
#include "conformance.h"

__global__ void effects(int *in)
{
    int t = threadIdx.x, i = 0, a[2] = {t, 0};
    a[i++] = __shfl_xor_sync(0xffffffff, a[0], 8);
    in[t] = a[0] + 1000 * i;
}
__global__ void effects_of_arguments(int *in)
{
    int x = in[threadIdx.x], y;
    y = __shfl_xor_sync(0xffffffff, ++x, 4);
    in[threadIdx.x] = x + 100000 * y;
}
__global__ void k(int *out, int *in)
{
    __shared__ short s[T];
    int t = threadIdx.x, a[3] = {t, 2 * t, 0};
    a[1] -= __shfl_down_sync(0xffffffff, a[0], 1);
    s[t] = (short)(70000 + __shfl_up_sync(0xffffffff, t, 1));
    in[t] |= 1 << (__shfl_xor_sync(0xffffffff, t, 3) & 15);
    __syncthreads();
    a[0] = __shfl_xor_sync(0xffffffff, a[0], 8);
    a[2] = -(float)__shfl_sync(0xffffffff, t, 9) / 2 < -10 ? ~a[0] : a[1];
    out[t] = a[0] + a[1] * 3 + a[2] * 5 + s[t] * 7;
}
int main()
{
    int *out = managed(T), *in = managed(T);
    for (int i = 0; i < T; i++)
        in[i] = 0;
    k<<<1, T>>>(out, in);
    int wrong = 0;
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++)
        wrong |= in[t] != 1 << ((t ^ 3) & 15);
    effects<<<1, T>>>(in);
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++)
        wrong |= in[t] != (t ^ 8) + 1000;
    effects_of_arguments<<<1, T>>>(in);
    cudaDeviceSynchronize();
    for (int t = 0; t < T; t++)
        wrong |= in[t] != (t ^ 8) + 1001 + 100000 * ((t ^ 12) + 1001);
    if (wrong)
        printf("WRONG %d\n", in[1]);
    return wrong | check(out, T, [](int t) {
        int a0 = t ^ 8, a1 = 2 * t - (t % 32 < 31 ? t + 1 : t), a2 = t >= 32 ? ~a0 : a1;
        return a0 + a1 * 3 + a2 * 5 + (short)(70000 + (t % 32 ? t - 1 : t)) * 7;
    });
}
