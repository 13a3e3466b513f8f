/* cuda_awbarrier_primitives.h: __mbarrier_t and its functions. */
#ifndef CUDA_AWBARRIER_PRIMITIVES_H
#define CUDA_AWBARRIER_PRIMITIVES_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "cuda/barrier"

typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef __mbarrier_t::arrival_token __mbarrier_token_t;

static inline void __mbarrier_init(__mbarrier_t *b, unsigned count) { b->cpudev_init(count); }
static inline void __mbarrier_inval(__mbarrier_t *) {}
static inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b)
{
    cpudev_async_wait(0, true);
    return b->arrive();
}
static inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b)
{
    b->arrive_and_drop();
    return __mbarrier_token_t();
}
static inline bool __mbarrier_test_wait(__mbarrier_t *b, __mbarrier_token_t token)
{
    return b->try_wait(static_cast<__mbarrier_token_t &&>(token));
}

#endif
#endif
