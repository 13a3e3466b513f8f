// work in two streams that an event orders
#include "conformance.h"

__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x] + 1; }
int main()
{
    int *a = managed(T), *b = managed(T);
    cudaStream_t one, two;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    set<<<1, T, 0, one>>>(a, 41);
    cudaEventRecord(done, one);
    cudaStreamWaitEvent(two, done, 0);
    add<<<1, T, 0, two>>>(b, a);
    cudaStreamSynchronize(two);
    cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return check(b, T, [](int) { return 42; });
}
