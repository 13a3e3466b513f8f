/* cuda_pipeline.h: the pipeline primitives and cuda::pipeline; and the older nvcuda::experimental::pipeline. */
#ifndef CUDA_PIPELINE_H
#define CUDA_PIPELINE_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "cuda_pipeline_primitives.h"
#include "cuda/pipeline"

namespace nvcuda
{
namespace experimental
{
class pipeline
{
    size_t stage = 0;

  public:
    size_t commit(void)
    {
        cpudev_async_commit();
        return stage++;
    }
    void commit_and_wait(void)
    {
        cpudev_async_commit();
        stage++;
        cpudev_async_wait(0, false);
    }
    void wait(size_t n) { cpudev_async_wait(n < stage ? (unsigned)(stage - 1 - n) : 0, false); }
    template <unsigned prior> void wait_prior(void) { cpudev_async_wait(prior, false); }
};
template <class __T> static inline void memcpy_async(__T &to, const __T &from, pipeline &)
{
    cpudev_async_share((void *)&to, (const void *)&from, sizeof(__T), 0, 1);
}
} // namespace experimental
} // namespace nvcuda

#endif
#endif
