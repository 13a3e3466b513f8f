/* cuda_awbarrier.h: the older nvcuda::experimental::awbarrier. */
#ifndef CUDA_AWBARRIER_H
#define CUDA_AWBARRIER_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "cuda_awbarrier_primitives.h"

namespace nvcuda
{
namespace experimental
{
class awbarrier
{
    __mbarrier_t b;

  public:
    typedef __mbarrier_token_t arrival_token;
    awbarrier() = default;
    arrival_token arrive() { return __mbarrier_arrive(&b); }
    void wait(arrival_token token) { b.wait(static_cast<arrival_token &&>(token)); }
    void arrive_and_wait() { b.arrive_and_wait(); }
    friend void init(awbarrier *a, ptrdiff_t count) { a->b.cpudev_init(count); }
};
} // namespace experimental
} // namespace nvcuda

#endif
#endif
