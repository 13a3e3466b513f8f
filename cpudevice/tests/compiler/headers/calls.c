/* calls.c: C, and C++ under another name, that calls cuBLAS, cuBLASLt, cuBLAS-XT and cuRAND. */
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <curand.h>
#include <stdio.h>

int main(void)
{
    cublasHandle_t h;
    cublasXtHandle_t xt;
    cublasLtHandle_t lt;
    curandGenerator_t g;
    float x[4] = {1, 2, 3, 4}, *d, dot = 0, u[8] = {0};
    int bad = cublasCreate(&h) || cudaMalloc((void **)&d, sizeof x) ||
              cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice) || cublasSdot(h, 4, d, 1, d, 1, &dot) ||
              cublasDestroy(h) || cudaFree(d);
    bad |= cublasXtCreate(&xt) || cublasXtDestroy(xt) || cublasLtCreate(&lt) || cublasLtDestroy(lt);
    bad |= curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT) || curandGenerateUniform(g, u, 8) ||
           curandDestroyGenerator(g);
    int differ = 0;
    for (int i = 1; i < 8; i++)
        differ += u[i] > 0 && u[i] <= 1 && u[i] != u[i - 1];
    printf("status %d, dot %g, %s\n", bad, dot, differ == 7 ? "seven numbers differ" : "numbers repeat");
    return bad;
}
