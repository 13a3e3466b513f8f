// cudaMalloc, copies in both directions, cudaMemset and a pitched array
#include "conformance.h"

__global__ void k(int *a, char *rows, size_t pitch, int w)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[y * w + x] += ((int *)(rows + y * pitch))[x] * 1000;
}
int main()
{
    const int w = 13, h = 5;
    int host[w * h], *a, *out = managed(w * h);
    void *rows;
    size_t pitch;
    for (int i = 0; i < w * h; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMallocPitch(&rows, &pitch, w * 4, h);
    cudaMemset2D(rows, pitch, 0, w * 4, h);
    cudaMemcpy2D(rows, pitch, host, w * 4, w * 4, h - 1, cudaMemcpyHostToDevice);
    k<<<1, dim3(w, h)>>>(a, (char *)rows, pitch, w);
    cudaMemcpy(out, a, sizeof host, cudaMemcpyDefault);
    cudaFree(a);
    cudaFree(rows);
    return check(out, w * h, [=](int i) { return i < w * (h - 1) ? 1001 * i : i; });
}
