// The checker sees what a transform reads and writes.
// BUILD: $cucc --check -g -O1 -o $exe $case -lcufft
// TEST: cufft under --check, without a finding
// RUN: by_fftw $exe set
// TEST: a transform of memory that nothing has written is found
// RUN: by_fftw $exe
// STATUS: 99
// MATCHES: ^initcheck: 
// SAYS: kernel cufftExecC2C
#include <cufft.h>
int main(int count, char **)
{
    cufftComplex *x, *y, back;
    cufftHandle plan;
    cudaMalloc(&x, 8 * sizeof *x), cudaMalloc(&y, 8 * sizeof *y);
    if (count > 1)
        cudaMemset(x, 0, 8 * sizeof *x);
    if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) || cufftExecC2C(plan, x, y, CUFFT_FORWARD))
        return 1;
    cudaMemcpy(&back, y + 7, sizeof back, cudaMemcpyDeviceToHost);
    cufftDestroy(plan), cudaFree(x), cudaFree(y);
    return 0;
}
