/* cooperative_groups/scan.h: inclusive and exclusive scans over a tile or a coalesced group, in the order of rank. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

namespace cpudev
{
template <class Group, class T, class Op> static inline T scan(const Group &g, const T &value, Op &&op, bool inclusive)
{
    T all[32], sum = T();
    bool started = false;
    ::cpudev_warp_allgather(g.cpudev_mask(), (const void *)&value, (void *)all, (unsigned)sizeof(T));
    for (unsigned lane = 0; lane < ::cpudev_lane() + inclusive; lane++) {
        if (!(g.cpudev_mask() >> lane & 1))
            continue;
        sum = started ? op(sum, all[lane]) : all[lane];
        started = true;
    }
    return sum;
}
} // namespace cpudev

template <class Group, class T, class Op> static inline T inclusive_scan(const Group &g, const T &value, Op &&op)
{
    return cpudev::scan(g, value, op, true);
}
template <class Group, class T> static inline T inclusive_scan(const Group &g, const T &value)
{
    return cpudev::scan(g, value, plus<T>(), true);
}
template <class Group, class T, class Op> static inline T exclusive_scan(const Group &g, const T &value, Op &&op)
{
    return cpudev::scan(g, value, op, false);
}
template <class Group, class T> static inline T exclusive_scan(const Group &g, const T &value)
{
    return cpudev::scan(g, value, plus<T>(), false);
}

} // namespace cooperative_groups

#endif
