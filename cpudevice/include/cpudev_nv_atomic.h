/* cpudev_nv_atomic.h: __nv_atomic_load(), __nv_atomic_fetch_add() and their like, CUDA 13's atomics with an order and a scope.
 * Device side; part of cuda_runtime.h. Source: CUDA C++ Programming Guide, "Atomic Functions".
 *
 * Types of 1, 2, 4 and 8 bytes. All orders and scopes are the strongest here; the checker gets those that were asked for.
 * A call that leaves memory unchanged may belong to a thread that waits: others run then. */
#ifndef CPUDEV_NV_ATOMIC_H
#define CPUDEV_NV_ATOMIC_H

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

#ifdef __CUCC_CHECK__
#define CPUDEV_NV_ORDER(order) (order)
#else
#define CPUDEV_NV_ORDER(order) ((void)(order), __ATOMIC_SEQ_CST)
#endif
#define CPUDEV_NV_ASKED                                                                                                \
    (void)scope;                                                                                                       \
    CPUDEV_ATOMIC_KIND(scope <= __NV_THREAD_SCOPE_BLOCK, true)
#define CPUDEV_NV_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM
#define CPUDEV_NV template <class __T> CPUDEV_ALWAYS

namespace cpudev
{
/* *p becomes f(*p); returns what it was. */
template <class __T, class __F> CPUDEV_ALWAYS __T nv_update(__T *p, __F f, int order, int scope)
{
    CPUDEV_NV_ASKED
    return atomic_update<true>(p, f, CPUDEV_NV_ORDER(order));
}
} // namespace cpudev

CPUDEV_NV __T __nv_atomic_load_n(__T *p, int order, CPUDEV_NV_SCOPE)
{
    typedef typename cpudev::word<sizeof(__T)>::type __W;
    cpudev_poll();
    CPUDEV_NV_ASKED
    return cpudev::bits<__T>(__atomic_load_n((__W *)(void *)p, CPUDEV_NV_ORDER(order)));
}
CPUDEV_NV void __nv_atomic_load(__T *p, __T *to, int order, CPUDEV_NV_SCOPE)
{
    *to = __nv_atomic_load_n(p, order, scope);
}
CPUDEV_NV void __nv_atomic_store(__T *p, __T *value, int order, CPUDEV_NV_SCOPE)
{
    typedef typename cpudev::word<sizeof(__T)>::type __W;
    CPUDEV_NV_ASKED
    __atomic_store_n((__W *)(void *)p, cpudev::bits<__W>(*value), CPUDEV_NV_ORDER(order));
}
CPUDEV_NV void __nv_atomic_store_n(__T *p, __T value, int order, CPUDEV_NV_SCOPE)
{
    __nv_atomic_store(p, &value, order, scope);
}
CPUDEV_NV void __nv_atomic_exchange(__T *p, __T *value, __T *was, int order, CPUDEV_NV_SCOPE)
{
    const __T to = *value;
    *was = cpudev::nv_update(
        p, [to](__T) { return to; }, order, scope);
}
CPUDEV_NV __T __nv_atomic_exchange_n(__T *p, __T value, int order, CPUDEV_NV_SCOPE)
{
    return cpudev::nv_update(
        p, [value](__T) { return value; }, order, scope);
}
/* Neither fails where it need not. The order of a failure is taken for that of a success. */
CPUDEV_NV bool __nv_atomic_compare_exchange(__T *p, __T *expected, __T *desired, bool, int order, int, CPUDEV_NV_SCOPE)
{
    typedef typename cpudev::word<sizeof(__T)>::type __W;
    CPUDEV_NV_ASKED
    __W old = cpudev::bits<__W>(*expected);
    if (__atomic_compare_exchange_n((__W *)(void *)p, &old, cpudev::bits<__W>(*desired), false, CPUDEV_NV_ORDER(order),
                                    __ATOMIC_RELAXED))
        return true;
    *expected = cpudev::bits<__T>(old);
    cpudev_poll();
    return false;
}
CPUDEV_NV bool __nv_atomic_compare_exchange_n(__T *p, __T *expected, __T desired, bool weak, int order, int failed,
                                              CPUDEV_NV_SCOPE)
{
    return __nv_atomic_compare_exchange(p, expected, &desired, weak, order, failed, scope);
}
/* `__nv_atomic_fetch_NAME` returns what was there; `__nv_atomic_NAME` nothing. */
#define CPUDEV_NV_FETCH(name, types, result)                                                                           \
    CPUDEV_NV __T __nv_atomic_fetch_##name(__T *p, __T v, int order, CPUDEV_NV_SCOPE)                                  \
    {                                                                                                                  \
        static_assert(types, "atomic operations min and max are not supported on any floating-point types");           \
        return cpudev::nv_update(                                                                                      \
            p, [=](__T o) { return (__T)(result); }, order, scope);                                                    \
    }                                                                                                                  \
    CPUDEV_NV void __nv_atomic_##name(__T *p, __T v, int order, CPUDEV_NV_SCOPE)                                       \
    {                                                                                                                  \
        (void)__nv_atomic_fetch_##name(p, v, order, scope);                                                            \
    }
CPUDEV_NV_FETCH(add, true, cpudev::atomic_sum(p, o, v))
CPUDEV_NV_FETCH(sub, true, cpudev::atomic_difference(p, o, v))
CPUDEV_NV_FETCH(and, true, (o & v))
CPUDEV_NV_FETCH(or, true, (o | v))
CPUDEV_NV_FETCH(xor, true, (o ^ v))
CPUDEV_NV_FETCH(min, std::is_integral<__T>::value, v < o ? v : o)
CPUDEV_NV_FETCH(max, std::is_integral<__T>::value, o < v ? v : o)
CPUDEV_ALWAYS void __nv_atomic_thread_fence(int order, CPUDEV_NV_SCOPE)
{
    if (order != __NV_ATOMIC_RELAXED && scope <= __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (order != __NV_ATOMIC_RELAXED && scope == __NV_THREAD_SCOPE_SYSTEM)
        __threadfence_system();
    else if (order != __NV_ATOMIC_RELAXED)
        __threadfence();
}
#undef CPUDEV_NV_ORDER
#undef CPUDEV_NV_ASKED
#undef CPUDEV_NV_SCOPE
#undef CPUDEV_NV_FETCH
#undef CPUDEV_NV

#endif
