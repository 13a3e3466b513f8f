/* hopper_rung.cu: the lab hopper for triton/matmul.py, through ctypes. */
#include "../hopper.cu"

/* What the lab has from common/device/device.c, without the rest of it. */
int device_multiprocessors(void)
{
    int device = 0, count = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

/* C (M x N) = A (M x K) times the transpose of B (N x K) by rung 4, 9, 10 or 11, in bf16, on device memory, K and N
 * multiples of 8, asynchronous on `stream`. NULL, or why not. */
extern "C" const char *hopper_rung(int number, const void *A, const void *B, void *C, int M, int N, int K,
                                   cudaStream_t stream)
{
    const char *why = hopper_here();
    const HopperGemm p = {A, B, C, M, N, K, K, K, N};
    return why            ? why
           : number == 4  ? rung4(&p, stream)
           : number == 9  ? rung9(&p, stream)
           : number == 10 ? rung10(&p, stream)
                          : rung11(&p, stream);
}
