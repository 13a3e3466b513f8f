// c = a b with a, b, c of 8 x 8 in columns of ld, under --check: with 9 they end beyond their memory.
// BUILD: $cucc --check -g -O1 -o $exe $case -lcublas
// TEST: a product by OpenBLAS under --check, with columns of 8 8 8
// RUN: by_openblas $exe 8 8 8
// LACKS: ^memcheck: 
// TEST: a product by OpenBLAS under --check, with columns of 9 8 8
// RUN: by_openblas $exe 9 8 8
// STATUS: 99
// MATCHES: ^memcheck: 
// SAYS: kernel cublasSgemm
// TEST: a product by OpenBLAS under --check, with columns of 8 9 8
// RUN: by_openblas $exe 8 9 8
// STATUS: 99
// MATCHES: ^memcheck: 
// SAYS: kernel cublasSgemm
// TEST: a product by OpenBLAS under --check, with columns of 8 8 9
// RUN: by_openblas $exe 8 8 9
// STATUS: 99
// MATCHES: ^memcheck: 
// SAYS: kernel cublasSgemm
#include <cublas_v2.h>
#include <cstdlib>
int main(int, char **words)
{
    float *m[3], one = 1, zero = 0;
    int ld[3];
    cublasHandle_t h;
    cublasCreate(&h);
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&m[i], 64 * sizeof(float)), ld[i] = atoi(words[1 + i]);
        cudaMemset(m[i], 0, 64 * sizeof(float));
    }
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, m[0], ld[0], m[1], ld[1], &zero, m[2], ld[2]);
    for (float *p : m)
        cudaFree(p);
    return cublasDestroy(h);
}
