/* stack.cu: the system does not say where a thread's stack is (here by a function of the program in place of the C
 * library's). Without it no access can be judged, so that is said, and nothing is found.
 * BUILD: $cucc --check -o $exe $case
 * TEST: an unknown stack is no finding
 * RUN: CUDA_CPU_WORKERS=1 $exe
 * STATUS: 2
 * SAYS: the system does not say where a thread's stack is: Resource temporarily unavailable
 * LACKS: memcheck
 */
#include <errno.h>
#include <pthread.h>

extern "C" int pthread_getattr_np(pthread_t, pthread_attr_t *) { return EAGAIN; }

__global__ void twice(float *x)
{
    x[threadIdx.x] *= 2;
}

int main()
{
    float *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    for (int i = 0; i < 32; i++)
        x[i] = (float)i;
    twice<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
