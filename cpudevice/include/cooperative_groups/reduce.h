/* cooperative_groups/reduce.h: reduce() over a tile or a coalesced group, with any associative operator. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "../cooperative_groups.h"

namespace cooperative_groups
{

template <class __T> struct plus {
    __T operator()(const __T &a, const __T &b) const { return a + b; }
};
template <class __T> struct less {
    __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; }
};
template <class __T> struct greater {
    __T operator()(const __T &a, const __T &b) const { return a < b ? b : a; }
};
template <class __T> struct bit_and {
    __T operator()(const __T &a, const __T &b) const { return a & b; }
};
template <class __T> struct bit_or {
    __T operator()(const __T &a, const __T &b) const { return a | b; }
};
template <class __T> struct bit_xor {
    __T operator()(const __T &a, const __T &b) const { return a ^ b; }
};

/*
 * Every thread gets op over the whole group, formed in the order of a butterfly (pairs, then pairs of pairs), as a
 * GPU's shuffles form it. A thread is alone here with all values, so no second exchange is needed.
 */
namespace cpudev
{
template <class __T, class Op> static inline __T reduce_values(__T *part, unsigned n, Op &&op)
{
    for (unsigned step = 1; step < n; step *= 2)
        for (unsigned i = 0; i + step < n; i += 2 * step)
            part[i] = op(part[i], part[i + step]);
    return part[0];
}
template <class __T, class Op> static inline __T reduce(const cpudev_lanes &g, const __T &value, Op &&op)
{
    const __T own = value;
    __T all[32];
    unsigned n = 0;
    ::cpudev_warp_allgather(g.mask, (const void *)&own, (void *)all, (unsigned)sizeof(__T));
    for (unsigned lane = 0; lane < 32; lane++)
        if (g.mask >> lane & 1)
            memmove((void *)&all[n++], (const void *)&all[lane], sizeof(__T));
    return reduce_values(all, n, op);
}
template <unsigned Size, class __T, class Op>
static inline __T reduce(const cpudev_large_tile<Size> &g, const __T &value, Op &&op)
{
    const __T own = value;
    __T all[Size];
    ::cpudev_tile_allgather(g.first, g.threads, (const void *)&own, (void *)all, (unsigned)sizeof(__T));
    return reduce_values(all, g.threads, op);
}
} // namespace cpudev

template <class Group, class __T, class Op>
static inline auto reduce(const Group &g, const __T &value, Op &&op) -> decltype(op(value, value))
{
    return cpudev::reduce(g, value, op);
}

template <class Group, class Destination, class __T, class Op>
static inline void reduce_update_async(const Group &g, Destination &destination, const __T &value, Op &&op)
{
    __T result = reduce(g, value, op);
    if (g.thread_rank() == 0) {
        __T old = destination.load();
        while (!destination.compare_exchange_weak(old, op(old, result))) {
        }
    }
}
template <class Group, class Destination, class __T, class Op>
static inline void reduce_store_async(const Group &g, Destination &destination, const __T &value, Op &&op)
{
    __T result = reduce(g, value, op);
    if (g.thread_rank() == 0)
        destination.store(result);
}

} // namespace cooperative_groups

#endif
#endif
