/* perfetto.cu: what profiler_perfetto.sh profiles: kernels, copies, graphs, two threads, ranges within ranges. With a file's
 * name it writes its own trace there. */
#include <cuda_runtime.h>
#include <pthread.h>
#include <unistd.h>
#include "profiler.h"
__global__ void work(float *x) { x[threadIdx.x] += 1; }
template <typename T> __global__ void other(T *x) { x[threadIdx.x] += 2; }
static float *x, h[64];
static void *second(void *)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (int i = 0; i < 50; i++)
        profiler_record_function("a \"second\" thread")
            other<<<1, dim3(8, 4), 0, s>>>(x);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return NULL;
}
int main(int, char **argv)
{
    pthread_t t;
    cudaMalloc(&x, 4096);
    cudaMemset(x, 0, 4096);
    if (argv[1] && profiler_start(NULL))
        return 1;
    profiler_record_function("outer")
    {
        profiler_record_function("inner")
            for (int i = 0; i < 123; i++)
                work<<<1, 32>>>(x);
        for (int i = 0; i < 4; i++)
            cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    }
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; i++)
        work<<<1, 32, 0, s>>>(x);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    for (int i = 0; i < 5; i++) /* one call, three kernels, three arrows */
        cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(t, NULL);
    cudaDeviceSynchronize();
    usleep(50000);
    cudaMemset(x, 0, 4096);
    if (argv[1])
        return profiler_stop() || profiler_export_chrome_trace(argv[1]);
    return 0;
}
