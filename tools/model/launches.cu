// launches.cu: times each launch of a program that is not changed for it, as common/bench.h does: a read of twice
// the L2 cache, an event, the launch, an event. So a program of other people's can be compared with the model.
//
//     nvcc -O3 -cudart shared -shared -Xcompiler -fPIC -o launches.so tools/model/launches.cu -ldl
//     nvcc -O3 -arch=native -cudart shared -o program program.cu
//     CUDA_MODULE_LOADING=EAGER LAUNCHES_CSV=times.csv LD_PRELOAD=./launches.so ./program
//
// Writes one line per launch: kernel (mangled), grid, block and microseconds. The first MOST launches are timed.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <dlfcn.h>

enum { MOST = 400, BYTES = 256 << 20 };

static struct {
    FILE *csv;
    cudaEvent_t begin, end;
    float4 *buffer;
    float *sink;
    int count;
    bool busy; // a launch of ours
} timed;

static __global__ void flush_kernel(const float4 *buffer, size_t count, float *sink)
{
    float sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        sum += buffer[i].x;
    if (sum != 0) // never: the buffer is zero
        *sink = sum;
}

static void start()
{
    const char *name = getenv("LAUNCHES_CSV");
    timed.csv = name ? fopen(name, "w") : stderr;
    if (!timed.csv) {
        perror(name);
        exit(2);
    }
    fprintf(timed.csv, "kernel,grid,block,us\n");
    cudaEventCreate(&timed.begin);
    cudaEventCreate(&timed.end);
    cudaMalloc(&timed.buffer, BYTES);
    cudaMalloc(&timed.sink, sizeof(float));
    cudaMemset(timed.buffer, 0, BYTES);
}

template <class Launch>
static cudaError_t time_launch(const void *kernel, dim3 grid, dim3 block, cudaStream_t stream, Launch launch)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (timed.busy || timed.count == MOST || cudaStreamIsCapturing(stream, &capture) || capture)
        return launch();
    timed.busy = true;
    if (timed.count++ == 0)
        start();
    cudaDeviceSynchronize();
    flush_kernel<<<512, 256, 0, stream>>>(timed.buffer, BYTES / sizeof(float4), timed.sink);
    cudaEventRecord(timed.begin, stream);
    const cudaError_t e = launch();
    cudaEventRecord(timed.end, stream);
    cudaEventSynchronize(timed.end);
    float ms = 0;
    const char *name = "?";
    cudaEventElapsedTime(&ms, timed.begin, timed.end);
    cudaFuncGetName(&name, kernel);
    fprintf(timed.csv, "%s,%ux%ux%u,%ux%ux%u,%.3f\n", name, grid.x, grid.y, grid.z, block.x, block.y, block.z,
            1e3 * ms);
    fflush(timed.csv);
    timed.busy = false;
    return e;
}

// What nvcc 13 calls for kernel<<<...>>>().
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                          cudaStream_t stream)
{
    using function = cudaError_t (*)(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);
    static const auto real = (function)dlsym(RTLD_NEXT, "__cudaLaunchKernel");
    return time_launch((const void *)kernel, grid, block, stream,
                       [=] { return real(kernel, grid, block, arguments, shared, stream); });
}

// What older ones call, and programs themselves.
extern "C" cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream)
{
    using function = cudaError_t (*)(const void *, dim3, dim3, void **, size_t, cudaStream_t);
    static const auto real = (function)dlsym(RTLD_NEXT, "cudaLaunchKernel");
    return time_launch(kernel, grid, block, stream,
                       [=] { return real(kernel, grid, block, arguments, shared, stream); });
}
