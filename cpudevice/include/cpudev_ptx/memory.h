/* memory.h: PTX's loads, stores, atomics and address conversions ("Data Movement and Conversion", "Parallel
 * Synchronization and Communication" of the PTX ISA). An address is 32 bits wide in the shared windows and 64 bits
 * otherwise. Cache hints change nothing here; orders and scopes do. */
#ifndef CPUDEV_PTX_MEMORY_H
#define CPUDEV_PTX_MEMORY_H

#include "../cpudev_abi.h"
#include "warp.h"

namespace cpudev
{
namespace ptx
{

template <class M> constexpr bool in_shared()
{
    return M::has(m_shared) || M::has(m_shared__cta) || M::has(m_shared__cluster);
}
template <class M> CPUDEV_PTX void *pointer(uint64_t address)
{
    return in_shared<M>() ? cpudev_from_shared((uint32_t)address) : (void *)address;
}
template <class M> constexpr int scope() { return M::has(m_cta) ? 0 : M::has(m_sys) ? 2 : 1; }

template <class M> CPUDEV_PTX void order_before()
{
    if (M::has(m_release) || M::has(m_acq_rel) || M::has(m_sc))
        fence<M>();
}
template <class M> CPUDEV_PTX void order_after()
{
    if (M::has(m_acquire) || M::has(m_acq_rel) || M::has(m_sc))
        fence<M>();
}

/* What is narrower than its register is extended as the type says. */
template <class T>
using value_of_load =
    typename std::conditional<(T::bits < 32) && T::is_signed && !T::is_float, value_of<T>, raw_of<T>>::type;

/* Eight or sixteen bytes in one access, as the instruction makes them. */
template <class R, int n> struct alignas(sizeof(R) * n <= 16 ? sizeof(R) * n : 16) row {
    R v[n];
};

/* What the machine loads and stores of a plain vector. */
template <class R, int n>
using whole = typename std::conditional<sizeof(R) * n == 16, uint4,
                                        typename std::conditional<sizeof(R) * n == 8, uint2, row<R, n>>::type>::type;

/* Of a strong one others may see the middle: an integer, or sixteen bytes that the machine moves at once. */
typedef unsigned long long sixteen_bytes __attribute__((vector_size(16)));
template <int bytes> using at_once = typename std::conditional<bytes >= 16, sixteen_bytes, bits_raw<8 * bytes>>::type;
template <class V> CPUDEV_PTX V strong_load(const void *p)
{
    typedef at_once<sizeof(V)> one;
    one parts[sizeof(V) / sizeof(one)];
    for (unsigned i = 0; i < sizeof(V) / sizeof(one); i++) {
        if constexpr (sizeof(one) <= 8)
            parts[i] = __atomic_load_n((const one *)p, __ATOMIC_RELAXED);
        else
            parts[i] = ((const volatile one *)p)[i];
    }
    V v;
    memcpy((void *)&v, parts, sizeof v);
    return v;
}
template <class V> CPUDEV_PTX void strong_store(void *p, const V &v)
{
    typedef at_once<sizeof(V)> one;
    one parts[sizeof(V) / sizeof(one)];
    memcpy(parts, (const void *)&v, sizeof v);
    for (unsigned i = 0; i < sizeof(V) / sizeof(one); i++) {
        if constexpr (sizeof(one) <= 8)
            __atomic_store_n((one *)p, parts[i], __ATOMIC_RELAXED);
        else
            ((volatile one *)p)[i] = parts[i];
    }
}

template <class T, class M> CPUDEV_PTX auto ld(uint64_t address, uint64_t = 0)
{
    typedef raw_of<T> R;
    const bool strong = M::has(m_volatile) || M::has(m_relaxed) || M::has(m_acquire) || M::has(m_mmio);
    const void *p = pointer<M>(address);
    if constexpr (strong && M::count() > 1) {
        const vec<R, M::count()> r = strong_load<vec<R, M::count()>>(p);
        cpudev_poll();
        order_after<M>();
        return r;
    } else if constexpr (M::count() > 1) {
        const auto w = *(const whole<R, M::count()> *)p;
        vec<R, M::count()> r;
        memcpy(r.v, (const void *)&w, sizeof r.v);
        return r;
    } else if constexpr (strong) {
        const R r = __atomic_load_n((const R *)p, __ATOMIC_RELAXED);
        cpudev_poll();
        order_after<M>();
        return (value_of_load<T>)r;
    } else {
        return (value_of_load<T>)*(const R *)p;
    }
}

template <class T, class M, class... Hint>
CPUDEV_PTX void st(uint64_t address, vec<raw_of<T>, M::count()> value, Hint...)
{
    typedef raw_of<T> R;
    const bool strong = M::has(m_volatile) || M::has(m_relaxed) || M::has(m_release) || M::has(m_mmio);
    void *p = pointer<M>(address);
    if constexpr (strong && M::count() > 1) {
        order_before<M>();
        strong_store(p, value);
    } else if constexpr (M::count() > 1) {
        whole<R, M::count()> w;
        memcpy((void *)&w, value.v, sizeof w);
        *(decltype(w) *)p = w;
    } else if constexpr (strong) {
        order_before<M>();
        __atomic_store_n((R *)p, value.v[0], __ATOMIC_RELAXED);
    } else {
        *(R *)p = value.v[0];
    }
}

template <class T, class M, class... Hint> CPUDEV_PTX void st(uint64_t address, raw_of<T> value, Hint... hint)
{
    st<T, M>(address, vec<raw_of<T>, 1>{{value}}, hint...);
}

/* ---- atomics ---- */

template <class T, class M> CPUDEV_PTX raw_of<T> atomic_result(raw_of<T> old, raw_of<T> b)
{
    if constexpr (M::has(m_and))
        return (raw_of<T>)(old & b);
    else if constexpr (M::has(m_or))
        return (raw_of<T>)(old | b);
    else if constexpr (M::has(m_xor))
        return (raw_of<T>)(old ^ b);
    else if constexpr (M::has(m_exch))
        return b;
    else if constexpr (M::has(m_inc))
        return old >= b ? 0 : (raw_of<T>)(old + 1);
    else if constexpr (M::has(m_dec))
        return old == 0 || old > b ? b : (raw_of<T>)(old - 1);
    else if constexpr (std::is_same<T, f32>::value && M::has(m_add) && !in_shared<M>())
        return add_float<T, mods<m_rn, m_ftz>>(old, b); /* "atom": in global memory f32 is added without subnormals */
    else if constexpr (T::is_float && M::has(m_add))
        return add_float<T, mods<m_rn>>(old, b);
    else if constexpr (T::is_float)
        return choose_float<T, mods<>, M::has(m_max)>(old, b);
    else if constexpr (M::has(m_add))
        return (raw_of<T>)(old + b);
    else
        return choose_int<T, mods<>, M::has(m_max)>(old, b);
}
template <class T, class M> CPUDEV_PTX raw_of<T> atom(uint64_t address, raw_of<T> b)
{
    CPUDEV_ATOMIC_KIND(scope<M>() == 0, M::has(m_acquire) || M::has(m_release) || M::has(m_acq_rel))
    raw_of<T> *p = (raw_of<T> *)pointer<M>(address), old;
    order_before<M>();
    if constexpr (M::has(m_exch))
        old = cpudev::atomic_exch(p, b);
    else if constexpr (M::has(m_add) && !T::is_float)
        old = cpudev::atomic_add(p, b);
    else
        old = cpudev::atomic_update(p, [b](raw_of<T> o) { return atomic_result<T, M>(o, b); });
    order_after<M>();
    return old;
}
template <class T, class M> CPUDEV_PTX raw_of<T> atom(uint64_t address, raw_of<T> b, raw_of<T> c)
{
    if constexpr (!M::has(m_cas)) {
        (void)c; /* a cache hint */
        return atom<T, M>(address, b);
    } else {
        CPUDEV_ATOMIC_KIND(scope<M>() == 0, M::has(m_acquire) || M::has(m_release) || M::has(m_acq_rel))
        order_before<M>();
        const raw_of<T> old = cpudev::atomic_cas((raw_of<T> *)pointer<M>(address), b, c);
        order_after<M>();
        return old;
    }
}
template <class T, class M, class... Hint> CPUDEV_PTX void red(uint64_t address, vec<raw_of<T>, M::count()> b, Hint...)
{
    for (int i = 0; i < M::count(); i++)
        (void)atom<T, M>(address + i * sizeof(raw_of<T>), b.v[i]);
}

template <class T, class M, class... Hint> CPUDEV_PTX void red(uint64_t address, raw_of<T> b, Hint...)
{
    (void)atom<T, M>(address, b);
}

/* ---- addresses ---- */

template <class T, class M> CPUDEV_PTX raw_of<T> cvta(uint64_t address)
{
    if constexpr (!in_shared<M>())
        return (raw_of<T>)address;
    else if constexpr (M::has(m_to))
        return (raw_of<T>)cpudev_to_shared((const void *)address);
    else
        return (raw_of<T>)(uintptr_t)cpudev_from_shared((uint32_t)address);
}
template <class M> CPUDEV_PTX bool isspacep(uint64_t address)
{
    const void *p = (const void *)address;
    if constexpr (M::has(m_shared__cluster))
        return cpudev_is_cluster_shared(p);
    else if constexpr (in_shared<M>())
        return cpudev_is_shared(p);
    else if constexpr (M::has(m_local))
        return cpudev_is_local(p);
    else if constexpr (M::has(m_global))
        return !cpudev_is_cluster_shared(p) && !cpudev_is_local(p);
    else
        return false;
}
template <class T, class M> CPUDEV_PTX raw_of<T> mapa(raw_of<T> address, uint32_t rank)
{
    if constexpr (M::has(m_shared__cluster))
        return (raw_of<T>)cpudev_mapa((uint32_t)address, rank);
    else
        return (raw_of<T>)(uintptr_t)cpudev_from_shared(
            cpudev_mapa(cpudev_to_shared((const void *)(uint64_t)address), rank));
}
template <class T, class M> CPUDEV_PTX uint32_t getctarank(raw_of<T> address)
{
    if constexpr (M::has(m_shared__cluster))
        return cpudev_rank_of((uint32_t)address);
    else
        return cpudev_rank_of(cpudev_to_shared((const void *)(uint64_t)address));
}

/* ---- hints ---- */

template <class M> CPUDEV_PTX void prefetch(uint64_t) {}
template <class M> CPUDEV_PTX void discard(uint64_t, int) {}
template <class M> CPUDEV_PTX void applypriority(uint64_t, int) {}
template <class T, class M> CPUDEV_PTX uint64_t createpolicy(uint32_t = 0) { return 0; }

} // namespace ptx
} // namespace cpudev
#endif
