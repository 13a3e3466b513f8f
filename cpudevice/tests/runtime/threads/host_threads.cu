/* host_threads.cu: three host threads use the runtime at the same time, for cpudevice/tests/runtime/threads.sh.
 *
 * The kernels have no barriers and so run as plain loops, because ThreadSanitizer cannot follow fibers. */
#include <cublas_v2.h>
#include <cufft.h>
#include <stdio.h>
#include <stdlib.h>
#include <atomic>
#include <thread>
#include <utility>

static const int threads = 3, n = 256;

#define OK(call)                                                                                             \
    do {                                                                                                     \
        const int status_ = (int)(call);                                                                     \
        if (status_) {                                                                                       \
            printf("%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, status_);                              \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

__constant__ int step[1];
__device__ int launches;

__global__ void add(int *p, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        p[i] += step[0];
    if (i == 0)
        atomicAdd(&launches, 1);
}

template <int N> __global__ void set(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = N; }

/* Each thread runs a step as soon as all have come to it, so that first uses fall together. */
static void together(int step_number)
{
    static std::atomic<int> arrived[32];
    arrived[step_number]++;
    while (arrived[step_number] < threads)
        std::this_thread::yield();
}

/* Each kernel's first launch comes from all threads at once. */
template <int... N> static void first_launches(std::integer_sequence<int, N...>, int *d)
{
    ((together(8 + N), set<N><<<4, 64>>>(d)), ...);
}

static void streams_and_events(int *d, int *h)
{
    cudaStream_t s, t;
    cudaEvent_t e, f;
    float ms;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaMemsetAsync(d, 0, n * sizeof *d, s));
    OK(cudaEventRecord(e, s));
    for (int i = 0; i < 50; i++)
        add<<<4, 64, 0, s>>>(d, n);
    OK(cudaEventRecord(f, s));
    OK(cudaStreamWaitEvent(t, f));
    OK(cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, t));
    while (cudaEventQuery(f) == cudaErrorNotReady || cudaStreamQuery(t) == cudaErrorNotReady)
        ;
    OK(cudaStreamSynchronize(t));
    OK(cudaEventSynchronize(f));
    OK(cudaEventElapsedTime(&ms, e, f));
    if (h[0] != 50 || h[n - 1] != 50)
        exit(printf("a stream: %d, not 50\n", h[0]));
    OK(cudaLaunchHostFunc(s, [](void *p) { *(int *)p = 7; }, h));
    OK(cudaStreamSynchronize(s));
    OK(cudaEventDestroy(e));
    OK(cudaEventDestroy(f));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
}

static void graphs(int *d, int *h)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    set<1><<<4, 64, 0, s>>>(d);
    add<<<4, 64, 0, s>>>(d, n);
    OK(cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 5; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    if (h[n - 1] != 2)
        exit(printf("a graph: %d, not 2\n", h[n - 1]));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}

static void memory_of_all_kinds(void)
{
    size_t free_bytes, total;
    void *device, *managed, *pinned, *pooled;
    cudaPointerAttributes attributes;
    cudaFuncAttributes function;
    cudaDeviceProp properties;
    int blocks;
    char *own = (char *)malloc(4096);
    for (int i = 0; i < 20; i++) {
        OK(cudaMalloc(&device, 4096 << i % 4));
        OK(cudaMallocManaged(&managed, 1000));
        OK(cudaMallocHost(&pinned, 1000));
        OK(cudaMallocAsync(&pooled, 1000, cudaStreamPerThread));
        OK(cudaHostRegister(own, 4096, 0));
        OK(cudaMemGetInfo(&free_bytes, &total));
        OK(cudaPointerGetAttributes(&attributes, managed));
        OK(cudaHostUnregister(own));
        OK(cudaFreeAsync(pooled, cudaStreamPerThread));
        OK(cudaFreeHost(pinned));
        OK(cudaFree(managed));
        OK(cudaFree(device));
    }
    OK(cudaFuncGetAttributes(&function, set<2>));
    OK(cudaFuncSetAttribute(set<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set<2>, 128, 0));
    OK(cudaGetDeviceProperties(&properties, 0));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
    free(own);
}

static void textures(int *h)
{
    cudaArray_t array;
    cudaTextureObject_t texture;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    OK(cudaMallocArray(&array, &format, 16, 16));
    OK(cudaMemcpy2DToArray(array, 0, 0, h, 64, 64, 16, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    OK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(array));
}

static void libraries(float *d)
{
    cublasHandle_t blas;
    cufftHandle plan;
    const float one = 1, zero = 0;
    OK(cublasCreate(&blas));
    OK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, d, 8, d + 64, 8, &zero, d + 128, 8));
    OK(cublasDestroy(blas));
    if (cufftPlan1d(&plan, 64, CUFFT_C2C, 1) == CUFFT_SUCCESS) { /* FFTW is there */
        OK(cufftExecC2C(plan, (cufftComplex *)d, (cufftComplex *)d, CUFFT_FORWARD));
        OK(cufftDestroy(plan));
    }
    OK(cudaDeviceSynchronize());
}

static void errors(void)
{
    void *p;
    (void)cudaMalloc(&p, (size_t)1 << 60);
    set<3><<<1, 2000>>>(NULL);
    if (cudaGetLastError() == cudaSuccess)
        exit(printf("an impossible launch is no error\n"));
}

static void one_thread(void)
{
    int *d, h[n], count = 1;
    together(0);
    OK(cudaMemcpyToSymbol(step, &count, sizeof count));
    OK(cudaMalloc(&d, n * sizeof *d));
    first_launches(std::make_integer_sequence<int, 24>(), d);
    together(1);
    streams_and_events(d, h);
    together(2);
    graphs(d, h);
    together(3);
    memory_of_all_kinds();
    together(4);
    textures(h);
    together(5);
    OK(cudaMemset(d, 0, n * sizeof *d));
    libraries((float *)d);
    together(6);
    errors();
    OK(cudaDeviceSynchronize());
    OK(cudaFree(d));
}

int main(void)
{
    std::thread all[threads];
    int counted;
    for (std::thread &t : all)
        t = std::thread(one_thread);
    for (std::thread &t : all)
        t.join();
    OK(cudaMemcpyFromSymbol(&counted, launches, sizeof counted));
    printf("%d launches\n", counted);
    return counted != threads * (50 + 5);
}
