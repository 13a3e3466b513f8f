/* hello.cu: a right program, which anywhere.py runs under conditions that a student's machine may have. */
#include <cstdio>
__global__ void k(int *x) { x[threadIdx.x] = 1; }
int main()
{
    int *x, *h = (int *)malloc(4 * 64);
    if (cudaMalloc(&x, 4 * 64) || !h) return 1;
    k<<<1, 64>>>(x);
    if (cudaMemcpy(h, x, 4 * 64, cudaMemcpyDeviceToHost)) return 1;
    cudaFree(x);
    printf("it runs: %d\n", h[63]);
    free(h);
}
