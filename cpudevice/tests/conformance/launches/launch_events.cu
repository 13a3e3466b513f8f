// events that a launch records by an attribute: who waits for them sees what the kernel has written
#include "conformance.h"

__global__ void writes_late(const volatile int *go, const int *x, int *out)
{
    if (threadIdx.x == 0)
        while (*go == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = x[threadIdx.x] + 1;
    __threadfence_system();
}
int main()
{
    int *x = managed(T), *out = managed(2 * T), *go = managed(1);
    for (int i = 0; i < T; i++)
        x[i] = i;
    *go = 0;
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event;
    attribute.val.programmaticEvent.flags = 0;
    attribute.val.programmaticEvent.triggerAtBlockStart = 0;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(T);
    launch.stream = stream;
    launch.attrs = &attribute;
    launch.numAttrs = 1;
    cudaLaunchKernelEx(&launch, writes_late, go, x, out);
    const cudaError_t early = cudaEventQuery(event);
    __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
    if (early != cudaErrorNotReady || cudaEventSynchronize(event) != cudaSuccess)
        return 1;
    const int seen = out[T - 1];                             // the kernel has ended, or all of its threads have written
    attribute.id = cudaLaunchAttributeLaunchCompletionEvent; // comes true when all blocks have begun
    attribute.val.launchCompletionEvent.event = event;
    attribute.val.launchCompletionEvent.flags = 0;
    cudaLaunchKernelEx(&launch, writes_late, go, x, out + T);
    if (cudaEventSynchronize(event) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess)
        return 1;
    return seen != T || check(out, 2 * T, [](int i) { return i % T + 1; });
}
