// A program without kernels that calls the runtime and cuBLAS. Exit status 0 if a dot product is right.
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main()
{
    const float one[4] = {1, 2, 3, 4};
    float *x, sum = 0;
    cublasHandle_t blas;
    if (cudaMalloc((void **)&x, sizeof one) || cublasCreate(&blas))
        return 1;
    cudaMemcpy(x, one, sizeof one, cudaMemcpyHostToDevice);
    const int status = cublasSdot(blas, 4, x, 1, x, 1, &sum);
    cublasDestroy(blas);
    cudaFree(x);
    return status || sum != 30;
}
