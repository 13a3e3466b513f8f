/* flush.cu: bench_flush() of bench.h. Reads, rather than writes, so that no dirty line is written back in the middle
 * of what is timed next. */
#include "bench.h"
#include "error.h"

static struct {
    float4 *buffer;
    size_t count;
    float *sink;
    int blocks;
} flush;

static __global__ void flush_kernel(const float4 *buffer, size_t count, float *sink)
{
    float sum = 0;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        sum += buffer[i].x;
    if (sum != 0) /* never: the buffer is zero; but the compiler must believe in it */
        *sink = sum;
}

void bench_flush(cudaStream_t stream)
{
    if (!flush.buffer) {
        int l2 = 0, sms = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
#ifdef __CUCC__
        l2 = 8 << 20; /* twice this spoils the caches of a laptop, and is over soon */
#endif
        flush.count = 2 * (size_t)(l2 > 0 ? l2 : 1 << 20) / sizeof(float4);
        flush.blocks = 4 * sms;
        CUDA_CHECK(cudaMalloc((void **)&flush.buffer, flush.count * sizeof(float4)));
        CUDA_CHECK(cudaMalloc((void **)&flush.sink, sizeof(float)));
        CUDA_CHECK(cudaMemsetAsync(flush.buffer, 0, flush.count * sizeof(float4), stream));
    }
    flush_kernel<<<flush.blocks, 256, 0, stream>>>(flush.buffer, flush.count, flush.sink);
    CUDA_CHECK(cudaGetLastError());
}

void bench_flush_free(void)
{
    if (flush.buffer) {
        CUDA_CHECK(cudaFree(flush.buffer));
        CUDA_CHECK(cudaFree(flush.sink));
        flush.buffer = NULL;
    }
}
