/* cooperative_groups/scan.h: inclusive and exclusive scans over a tile or a coalesced group, in the order of rank. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H
#if defined __cplusplus && defined __CUDACC__ /* in host code there are nothing of it */

#include "reduce.h"

namespace cooperative_groups
{

namespace cpudev
{
template <class Group, class __T, class Op>
static inline __T scan(const Group &g, const __T &value, Op &&op, bool inclusive)
{
    const __T own = value;
    __T all[32], sum = __T();
    bool started = false;
    ::cpudev_warp_allgather(g.cpudev_mask(), (const void *)&own, (void *)all, (unsigned)sizeof(__T));
    for (unsigned lane = 0; lane < ::cpudev_lane() + inclusive; lane++) {
        if (!(g.cpudev_mask() >> lane & 1))
            continue;
        sum = started ? op(sum, all[lane]) : all[lane];
        started = true;
    }
    return sum;
}
} // namespace cpudev

template <class Group, class __T, class Op> static inline __T inclusive_scan(const Group &g, const __T &value, Op &&op)
{
    return cpudev::scan(g, value, op, true);
}
template <class Group, class __T> static inline __T inclusive_scan(const Group &g, const __T &value)
{
    return cpudev::scan(g, value, plus<__T>(), true);
}
template <class Group, class __T, class Op> static inline __T exclusive_scan(const Group &g, const __T &value, Op &&op)
{
    return cpudev::scan(g, value, op, false);
}
template <class Group, class __T> static inline __T exclusive_scan(const Group &g, const __T &value)
{
    return cpudev::scan(g, value, plus<__T>(), false);
}

} // namespace cooperative_groups

#endif
#endif
