/*
 * cooperative_groups/memcpy_async.h: a group's copies, each thread its share, done when the thread waits (see
 * cpudev_mma.h for why they are put off).
 */
#ifndef COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "../cooperative_groups.h"
#include "../cpudev_async.h"

namespace cooperative_groups
{

template <class Group, class To, class From>
static inline void memcpy_async(const Group &g, To *to, const From *from, size_t bytes)
{
    ::cpudev_async_share((void *)to, (const void *)from, bytes, (size_t)g.thread_rank(), (size_t)g.size());
    ::cpudev_async_commit();
}
/* With layouts: as many elements as both sides have. */
template <class Group, class To, class From>
static inline void memcpy_async(const Group &g, To *to, size_t to_count, const From *from, size_t from_count)
{
    memcpy_async(g, to, from, (to_count < from_count ? to_count : from_count) * sizeof(To));
}
template <class Group> static inline void wait(const Group &g)
{
    ::cpudev_async_wait(0, true);
    g.sync();
}
template <unsigned Stages, class Group> static inline void wait_prior(const Group &g)
{
    ::cpudev_async_wait(Stages, false);
    g.sync();
}

} // namespace cooperative_groups

#endif
#endif
