/* warp.h: PTX's special registers, warp-level and block-level synchronization ("Special Registers", "Parallel
 * Synchronization and Communication" of the PTX ISA). */
#ifndef CPUDEV_PTX_WARP_H
#define CPUDEV_PTX_WARP_H

#include "../cpudev_abi.h"
#include "float.h"

namespace cpudev
{
namespace ptx
{

/* ---- special registers ---- */

CPUDEV_PTX uint32_t sreg_tid_x() { return ::threadIdx.x; }
CPUDEV_PTX uint32_t sreg_tid_y() { return ::threadIdx.y; }
CPUDEV_PTX uint32_t sreg_tid_z() { return ::threadIdx.z; }
CPUDEV_PTX uint32_t sreg_ntid_x() { return ::blockDim.x; }
CPUDEV_PTX uint32_t sreg_ntid_y() { return ::blockDim.y; }
CPUDEV_PTX uint32_t sreg_ntid_z() { return ::blockDim.z; }
CPUDEV_PTX uint32_t sreg_ctaid_x() { return ::blockIdx.x; }
CPUDEV_PTX uint32_t sreg_ctaid_y() { return ::blockIdx.y; }
CPUDEV_PTX uint32_t sreg_ctaid_z() { return ::blockIdx.z; }
CPUDEV_PTX uint32_t sreg_nctaid_x() { return ::gridDim.x; }
CPUDEV_PTX uint32_t sreg_nctaid_y() { return ::gridDim.y; }
CPUDEV_PTX uint32_t sreg_nctaid_z() { return ::gridDim.z; }
CPUDEV_PTX uint32_t sreg_laneid() { return cpudev_lane(); }
CPUDEV_PTX uint32_t sreg_warpid() { return (uint32_t)cpudev_tid() / 32; }
CPUDEV_PTX uint32_t sreg_nwarpid() { return 64; }
CPUDEV_PTX uint32_t sreg_smid() { return (uint32_t)cpudev_smid(); }
CPUDEV_PTX uint32_t sreg_nsmid() { return (uint32_t)cpudev_nsmid(); }
CPUDEV_PTX uint32_t sreg_lanemask_eq() { return 1u << cpudev_lane(); }
CPUDEV_PTX uint32_t sreg_lanemask_lt() { return (1u << cpudev_lane()) - 1; }
CPUDEV_PTX uint32_t sreg_lanemask_le() { return (2u << cpudev_lane()) - 1; }
CPUDEV_PTX uint32_t sreg_lanemask_gt() { return ~((2u << cpudev_lane()) - 1); }
CPUDEV_PTX uint32_t sreg_lanemask_ge() { return ~((1u << cpudev_lane()) - 1); }
CPUDEV_PTX uint32_t sreg_clock() { return (uint32_t)cpudev_clock(); }
CPUDEV_PTX uint32_t sreg_clock_hi() { return (uint32_t)((uint64_t)cpudev_clock() >> 32); }
CPUDEV_PTX uint64_t sreg_clock64() { return (uint64_t)cpudev_clock(); }
CPUDEV_PTX uint64_t sreg_globaltimer() { return (uint64_t)cpudev_globaltimer(); }
CPUDEV_PTX uint32_t sreg_globaltimer_lo() { return (uint32_t)cpudev_globaltimer(); }
CPUDEV_PTX uint32_t sreg_globaltimer_hi() { return (uint32_t)((uint64_t)cpudev_globaltimer() >> 32); }

/* ---- clusters: the special registers, and barrier.cluster ---- */

CPUDEV_PTX uint32_t sreg_cluster_ctaid_x() { return cpudev_cluster_place().x; }
CPUDEV_PTX uint32_t sreg_cluster_ctaid_y() { return cpudev_cluster_place().y; }
CPUDEV_PTX uint32_t sreg_cluster_ctaid_z() { return cpudev_cluster_place().z; }
CPUDEV_PTX uint32_t sreg_cluster_nctaid_x() { return cpudev_cluster_size().x; }
CPUDEV_PTX uint32_t sreg_cluster_nctaid_y() { return cpudev_cluster_size().y; }
CPUDEV_PTX uint32_t sreg_cluster_nctaid_z() { return cpudev_cluster_size().z; }
CPUDEV_PTX uint32_t sreg_cluster_ctarank()
{
    const uint3 at = cpudev_cluster_place();
    const dim3 size = cpudev_cluster_size();
    return at.x + size.x * (at.y + size.y * at.z);
}
CPUDEV_PTX uint32_t sreg_cluster_nctarank()
{
    const dim3 size = cpudev_cluster_size();
    return size.x * size.y * size.z;
}
CPUDEV_PTX uint32_t sreg_clusterid_x() { return ::blockIdx.x / cpudev_cluster_size().x; }
CPUDEV_PTX uint32_t sreg_clusterid_y() { return ::blockIdx.y / cpudev_cluster_size().y; }
CPUDEV_PTX uint32_t sreg_clusterid_z() { return ::blockIdx.z / cpudev_cluster_size().z; }
CPUDEV_PTX uint32_t sreg_nclusterid_x() { return ::gridDim.x / cpudev_cluster_size().x; }
CPUDEV_PTX uint32_t sreg_nclusterid_y() { return ::gridDim.y / cpudev_cluster_size().y; }
CPUDEV_PTX uint32_t sreg_nclusterid_z() { return ::gridDim.z / cpudev_cluster_size().z; }
CPUDEV_PTX bool sreg_is_explicit_cluster() { return cpudev_cluster_explicit() != 0; }

template <class __M> CPUDEV_PTX void cluster_arrive()
{
    if (!__M::has(m_relaxed))
        cpudev_fence(1);
    cpudev_cluster_arrive();
}
template <class __M> CPUDEV_PTX void cluster_wait()
{
    cpudev_cluster_wait();
    cpudev_fence(1);
}

/* ---- warps ---- */

/* c: the clamp in bits 0 to 4, the segment's mask in bits 8 to 12. p: the source lane lies in the segment. */
template <class __T, class __M>
CPUDEV_PTX both<uint32_t, bool> shfl_sync(uint32_t a, uint32_t b, uint32_t c, uint32_t members)
{
    const int lane = (int)cpudev_lane(), step = (int)(b & 31), segment = (int)(c >> 8 & 31), clamp = (int)(c & 31);
    const int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int from = __M::has(m_up)     ? lane - step
               : __M::has(m_down) ? lane + step
               : __M::has(m_bfly) ? lane ^ step
                                  : lowest | (step & ~segment);
    const bool inside = __M::has(m_up) ? from >= highest : from <= highest;
    uint32_t result = a;
    if (!inside)
        from = lane;
    cpudev_warp_shuffle(members, &a, &result, sizeof a, (unsigned)from);
    return {result, inside};
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> vote_sync(bool p, uint32_t members)
{
    const uint32_t yes = cpudev_ballot(members, p);
    if constexpr (__M::has(m_ballot))
        return yes;
    else if constexpr (__M::has(m_any))
        return yes != 0;
    else {
        const uint32_t no = cpudev_ballot(members, !p);
        return __M::has(m_all) ? no == 0 : no == 0 || yes == 0;
    }
}
template <class __T, class __M> CPUDEV_PTX uint32_t match_any_sync(raw_of<__T> a, uint32_t members)
{
    return __match_any_sync(members, a);
}
template <class __T, class __M> CPUDEV_PTX both<uint32_t, bool> match_all_sync(raw_of<__T> a, uint32_t members)
{
    int same = 0;
    const uint32_t all = __match_all_sync(members, a, &same);
    return {all, same != 0};
}
template <class __T, class __M> CPUDEV_PTX uint32_t redux_sync(uint32_t a, uint32_t members)
{
    typedef value_of<__T> __V;
    if constexpr (__M::has(m_and))
        return __reduce_and_sync(members, a);
    else if constexpr (__M::has(m_or))
        return __reduce_or_sync(members, a);
    else if constexpr (__M::has(m_xor))
        return __reduce_xor_sync(members, a);
    else if constexpr (__M::has(m_add))
        return (uint32_t)__reduce_add_sync(members, (__V)a);
    else if constexpr (__M::has(m_min))
        return (uint32_t)__reduce_min_sync(members, (__V)a);
    else
        return (uint32_t)__reduce_max_sync(members, (__V)a);
}
template <class __T, class __M> CPUDEV_PTX uint32_t activemask() { return __activemask(); }
/* The lowest of the lanes is elected. */
template <class __M> CPUDEV_PTX both<uint32_t, bool> elect_sync(uint32_t members)
{
    const uint32_t here = cpudev_ballot(members, 1), leader = (uint32_t)__builtin_ctz(here);
    return {leader, cpudev_lane() == leader};
}
template <class __M> CPUDEV_PTX void bar_warp_sync(uint32_t members) { __syncwarp(members); }

/* ---- the block's barriers ---- */

template <class __M> CPUDEV_PTX void bar_sync(uint32_t id)
{
    if (id == 0)
        __syncthreads();
    else
        cpudev_named_barrier(id, 0, 1);
}
template <class __M> CPUDEV_PTX void bar_sync(uint32_t id, uint32_t threads) { cpudev_named_barrier(id, threads, 1); }
template <class __M> CPUDEV_PTX void bar_arrive(uint32_t id, uint32_t threads) { cpudev_named_barrier(id, threads, 0); }
template <class __T, class __M> CPUDEV_PTX raw_of<__T> bar_red(uint32_t, bool p)
{
    return (raw_of<__T>)(__M::has(m_popc)  ? __syncthreads_count(p)
                         : __M::has(m_and) ? __syncthreads_and(p)
                                           : __syncthreads_or(p));
}

/* ---- fences ---- */

template <class __M> CPUDEV_PTX void membar()
{
    if (__M::has(m_cta))
        __threadfence_block();
    else if (__M::has(m_gl))
        __threadfence();
    else
        __threadfence_system();
}
template <class __M> CPUDEV_PTX void fence()
{
    if (__M::has(m_cta))
        __threadfence_block();
    else if (__M::has(m_sys))
        __threadfence_system();
    else
        __threadfence();
}

/* ---- the rest ---- */

/* Of a program that has an exit, this is made before main(). */
template <class __M> struct exits {
    static const bool known;
};
template <class __M> const bool exits<__M>::known = cpudev_threads_exit();
template <class __M> CPUDEV_PTX void exit()
{
    (void)&exits<__M>::known;
    cpudev_thread_exit();
}
CPUDEV_PTX void unsupported(const char *why) { cpudev_unsupported(why); }
template <class __M> CPUDEV_PTX void trap() { __trap(); }
template <class __M> CPUDEV_PTX void brkpt() { __brkpt(); }
template <class __M> CPUDEV_PTX void pmevent(uint32_t) {}
template <class __T, class __M> CPUDEV_PTX void nanosleep(uint32_t ns) { __nanosleep(ns); }
template <class __M> CPUDEV_PTX void griddepcontrol_launch() { cudaTriggerProgrammaticLaunchCompletion(); }
template <class __M> CPUDEV_PTX void griddepcontrol_wait() { cudaGridDependencySynchronize(); }

} // namespace ptx
} // namespace cpudev
#endif
