// memcpy and memset of no bytes, among others, which touch nothing: not what is unset, nor behind the end
#include <cstring>
#include "conformance.h"

__global__ void k(char *out, const char *unset, int n)
{
    __shared__ char s[16 * T], never[16];
    char own[16], *mine = s + threadIdx.x * 16;
    int count = threadIdx.x % 2 ? n : 0;
    memset(own, 1, 16);
    memset(mine, 2, 16);
    memcpy(own, unset, n - 8);
    memcpy(own, never, n - 8);
    memset(out + 16 * T, 3, n - 8);
    memcpy(mine + 4, own, count);
    memcpy(out + threadIdx.x * 16, mine, 16);
}
int main()
{
    char *unset, *device, *out = managed<char>(16 * T);
    cudaMalloc(&unset, 64);
    cudaMalloc(&device, 16 * T);
    k<<<1, T>>>(device, unset, 8);
    cudaMemcpy(out, device, 16 * T, cudaMemcpyDeviceToHost);
    cudaFree(unset);
    cudaFree(device);
    return check(out, 16 * T, [](int i) { return (char)(i / 16 % 2 && i % 16 >= 4 && i % 16 < 12 ? 1 : 2); });
}
