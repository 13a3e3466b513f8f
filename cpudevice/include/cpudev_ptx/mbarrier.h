/* mbarrier.h: PTX's mbarrier instructions and the fences of the proxies ("Parallel Synchronization and Communication
 * Instructions: mbarrier", "membar / fence" of the PTX ISA). */
#ifndef CPUDEV_PTX_MBARRIER_H
#define CPUDEV_PTX_MBARRIER_H

#include "../cpudev_abi.h"
#include "async.h"
#include "memory.h"

namespace cpudev
{
namespace ptx
{

/* Release and acquire are what an arrival and a wait do without being asked; relaxed ones say so. */
template <class __M> constexpr int arrival()
{
    return (__M::has(m_noComplete) ? CPUDEV_MBARRIER_NO_COMPLETE : 0) |
           (__M::has(m_relaxed) ? CPUDEV_MBARRIER_RELAXED : 0);
}

template <class __T, class __M> CPUDEV_PTX void mbarrier_init(uint64_t at, uint32_t count)
{
    cpudev_mbarrier_init(pointer<__M>(at), count);
}
template <class __T, class __M> CPUDEV_PTX void mbarrier_inval(uint64_t at) { cpudev_mbarrier_inval(pointer<__M>(at)); }
template <class __T, class __M> CPUDEV_PTX uint64_t mbarrier_arrive(uint64_t at, uint32_t count = 1)
{
    return cpudev_mbarrier_arrive(pointer<__M>(at), count, 0, arrival<__M>());
}
template <class __T, class __M> CPUDEV_PTX uint64_t mbarrier_arrive_expect_tx(uint64_t at, uint32_t bytes)
{
    return cpudev_mbarrier_arrive(pointer<__M>(at), 1, bytes, arrival<__M>() | CPUDEV_MBARRIER_EXPECT);
}
template <class __T, class __M> CPUDEV_PTX uint64_t mbarrier_arrive_drop(uint64_t at, uint32_t count = 1)
{
    return cpudev_mbarrier_arrive(pointer<__M>(at), count, 0, arrival<__M>() | CPUDEV_MBARRIER_DROP);
}
template <class __T, class __M> CPUDEV_PTX uint64_t mbarrier_arrive_drop_expect_tx(uint64_t at, uint32_t bytes)
{
    return cpudev_mbarrier_arrive(pointer<__M>(at), 1, bytes,
                                  arrival<__M>() | CPUDEV_MBARRIER_DROP | CPUDEV_MBARRIER_EXPECT);
}
template <class __T, class __M> CPUDEV_PTX void mbarrier_expect_tx(uint64_t at, uint32_t bytes)
{
    cpudev_mbarrier_expect(pointer<__M>(at), bytes);
}
template <class __T, class __M> CPUDEV_PTX void mbarrier_complete_tx(uint64_t at, uint32_t bytes)
{
    cpudev_mbarrier_complete(pointer<__M>(at), bytes);
}
template <class __T, class __M> CPUDEV_PTX bool mbarrier_test_wait(uint64_t at, uint64_t state)
{
    return cpudev_mbarrier_test(pointer<__M>(at), state, arrival<__M>());
}
template <class __T, class __M> CPUDEV_PTX bool mbarrier_test_wait_parity(uint64_t at, uint32_t parity)
{
    return cpudev_mbarrier_test_parity(pointer<__M>(at), parity, arrival<__M>());
}
/* The time limit is the scheduler's: the thread waits while something can happen. */
template <class __T, class __M> CPUDEV_PTX bool mbarrier_try_wait(uint64_t at, uint64_t state, uint32_t = 0)
{
    return cpudev_mbarrier_test(pointer<__M>(at), state, arrival<__M>() | CPUDEV_MBARRIER_SUSPEND);
}
template <class __T, class __M> CPUDEV_PTX bool mbarrier_try_wait_parity(uint64_t at, uint32_t parity, uint32_t = 0)
{
    return cpudev_mbarrier_test_parity(pointer<__M>(at), parity, arrival<__M>() | CPUDEV_MBARRIER_SUSPEND);
}
template <class __T, class __M> CPUDEV_PTX uint32_t mbarrier_pending_count(uint64_t state)
{
    return cpudev_mbarrier_pending(state);
}

/* The thread's cp.async so far complete, some time, with an arrival; without .noinc a further one is awaited. */
template <class __T, class __M> CPUDEV_PTX void cp_async_mbarrier_arrive(uint64_t at)
{
    cpudev_async_wait(0, true); /* they may land at any time from their start on, so now too; the arrival comes later */
    cpudev_mbarrier_arrive_later(pointer<__M>(at), __M::has(m_noinc));
}

/* ---- fences ---- */

template <class __M> CPUDEV_PTX void fence_mbarrier_init() { cpudev_proxy_fence(CPUDEV_FENCE_MBARRIER_INIT); }
template <class __M> CPUDEV_PTX void fence_proxy()
{
    cpudev_proxy_fence(__M::has(m_alias)    ? CPUDEV_FENCE_ALIAS
                       : __M::has(m_global) ? CPUDEV_FENCE_ASYNC_GLOBAL
                       : in_shared<__M>()   ? CPUDEV_FENCE_ASYNC_SHARED
                                            : CPUDEV_FENCE_ASYNC);
}
/* .tensormap: of a map that was changed in memory. */
template <class __M> CPUDEV_PTX void fence_proxy_tensormap() { cpudev_proxy_fence(CPUDEV_FENCE_TENSORMAP); }
template <class __M> CPUDEV_PTX void fence_proxy_tensormap(uint64_t, int)
{
    cpudev_proxy_fence(CPUDEV_FENCE_TENSORMAP);
}

} // namespace ptx
} // namespace cpudev
#endif
