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

template <class __M> constexpr bool in_shared()
{
    return __M::has(m_shared) || __M::has(m_shared__cta) || __M::has(m_shared__cluster);
}
template <class __M> CPUDEV_PTX void *pointer(uint64_t address)
{
    return in_shared<__M>() ? cpudev_from_shared((uint32_t)address) : (void *)address;
}
template <class __M> constexpr int scope() { return __M::has(m_cta) ? 0 : __M::has(m_sys) ? 2 : 1; }

template <class __M> CPUDEV_PTX void order_before()
{
    if (__M::has(m_release) || __M::has(m_acq_rel) || __M::has(m_sc))
        fence<__M>();
}
template <class __M> CPUDEV_PTX void order_after()
{
    if (__M::has(m_acquire) || __M::has(m_acq_rel) || __M::has(m_sc))
        fence<__M>();
}

/* What is narrower than its register is extended as the type says. */
template <class __T>
using value_of_load =
    typename std::conditional<(__T::bits < 32) && __T::is_signed && !__T::is_float, value_of<__T>, raw_of<__T>>::type;

/* Eight or sixteen bytes in one access, as the instruction makes them. */
template <class __R, int n> struct alignas(sizeof(__R) * n <= 16 ? sizeof(__R) * n : 16) row {
    __R v[n];
};

/* What the machine loads and stores of a plain vector. */
template <class __R, int n>
using whole =
    typename std::conditional<sizeof(__R) * n == 16, uint4,
                              typename std::conditional<sizeof(__R) * n == 8, uint2, row<__R, n>>::type>::type;

/* Of a strong one others may see the middle: an integer, or sixteen bytes that the machine moves at once. */
typedef unsigned long long sixteen_bytes __attribute__((vector_size(16)));
template <int bytes> using at_once = typename std::conditional<bytes >= 16, sixteen_bytes, bits_raw<8 * bytes>>::type;
template <class __V> CPUDEV_PTX __V strong_load(const void *p)
{
    typedef at_once<sizeof(__V)> one;
    one parts[sizeof(__V) / sizeof(one)];
    for (unsigned i = 0; i < sizeof(__V) / sizeof(one); i++) {
        if constexpr (sizeof(one) <= 8)
            parts[i] = __atomic_load_n((const one *)p, __ATOMIC_RELAXED);
        else
            parts[i] = ((const volatile one *)p)[i];
    }
    __V v;
    memcpy((void *)&v, parts, sizeof v);
    return v;
}
template <class __V> CPUDEV_PTX void strong_store(void *p, const __V &v)
{
    typedef at_once<sizeof(__V)> one;
    one parts[sizeof(__V) / sizeof(one)];
    memcpy(parts, (const void *)&v, sizeof v);
    for (unsigned i = 0; i < sizeof(__V) / sizeof(one); i++) {
        if constexpr (sizeof(one) <= 8)
            __atomic_store_n((one *)p, parts[i], __ATOMIC_RELAXED);
        else
            ((volatile one *)p)[i] = parts[i];
    }
}

template <class __T, class __M> CPUDEV_PTX auto ld(uint64_t address, uint64_t = 0)
{
    typedef raw_of<__T> __R;
    const bool strong = __M::has(m_volatile) || __M::has(m_relaxed) || __M::has(m_acquire) || __M::has(m_mmio);
    const void *p = pointer<__M>(address);
    if constexpr (strong && __M::count() > 1) {
        const vec<__R, __M::count()> r = strong_load<vec<__R, __M::count()>>(p);
        cpudev_poll();
        order_after<__M>();
        return r;
    } else if constexpr (__M::count() > 1) {
        const auto w = *(const whole<__R, __M::count()> *)p;
        vec<__R, __M::count()> r;
        memcpy(r.v, (const void *)&w, sizeof r.v);
        return r;
    } else if constexpr (strong) {
        const __R r = __atomic_load_n((const __R *)p, __ATOMIC_RELAXED);
        cpudev_poll();
        order_after<__M>();
        return (value_of_load<__T>)r;
    } else {
        return (value_of_load<__T>)*(const __R *)p;
    }
}

template <class __T, class __M, class... Hint>
CPUDEV_PTX void st(uint64_t address, vec<raw_of<__T>, __M::count()> value, Hint...)
{
    typedef raw_of<__T> __R;
    const bool strong = __M::has(m_volatile) || __M::has(m_relaxed) || __M::has(m_release) || __M::has(m_mmio);
    void *p = pointer<__M>(address);
    if constexpr (strong && __M::count() > 1) {
        order_before<__M>();
        strong_store(p, value);
    } else if constexpr (__M::count() > 1) {
        whole<__R, __M::count()> w;
        memcpy((void *)&w, value.v, sizeof w);
        *(decltype(w) *)p = w;
    } else if constexpr (strong) {
        order_before<__M>();
        __atomic_store_n((__R *)p, value.v[0], __ATOMIC_RELAXED);
    } else {
        *(__R *)p = value.v[0];
    }
}

template <class __T, class __M, class... Hint> CPUDEV_PTX void st(uint64_t address, raw_of<__T> value, Hint... hint)
{
    st<__T, __M>(address, vec<raw_of<__T>, 1>{{value}}, hint...);
}

/* ---- atomics ---- */

template <class __T, class __M> CPUDEV_PTX raw_of<__T> atomic_result(raw_of<__T> old, raw_of<__T> b)
{
    if constexpr (__M::has(m_and))
        return (raw_of<__T>)(old & b);
    else if constexpr (__M::has(m_or))
        return (raw_of<__T>)(old | b);
    else if constexpr (__M::has(m_xor))
        return (raw_of<__T>)(old ^ b);
    else if constexpr (__M::has(m_exch))
        return b;
    else if constexpr (__M::has(m_inc))
        return old >= b ? 0 : (raw_of<__T>)(old + 1);
    else if constexpr (__M::has(m_dec))
        return old == 0 || old > b ? b : (raw_of<__T>)(old - 1);
    else if constexpr (__T::is_float && __M::has(m_add))
        return add_float<__T, mods<m_rn>>(old, b);
    else if constexpr (__T::is_float)
        return choose_float<__T, mods<>, __M::has(m_max)>(old, b);
    else if constexpr (__M::has(m_add))
        return (raw_of<__T>)(old + b);
    else
        return choose_int<__T, mods<>, __M::has(m_max)>(old, b);
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> atom(uint64_t address, raw_of<__T> b)
{
    CPUDEV_ATOMIC_KIND(scope<__M>() == 0, __M::has(m_acquire) || __M::has(m_release) || __M::has(m_acq_rel))
    raw_of<__T> *p = (raw_of<__T> *)pointer<__M>(address), old;
    order_before<__M>();
    if constexpr (__M::has(m_exch))
        old = cpudev::atomic_exch(p, b);
    else if constexpr (__M::has(m_add) && !__T::is_float)
        old = cpudev::atomic_add(p, b);
    else if constexpr (std::is_same<__T, f32>::value && __M::has(m_add))
        old = cpudev::atomic_update(p, [p, b](raw_of<__T> o) {
            const float sum = cpudev::add_in_memory(p, cpudev::bits<float>(o), cpudev::bits<float>(b));
            return sum == sum ? cpudev::bits<raw_of<__T>>(sum) : (raw_of<__T>)0x7fffffff;
        });
    else
        old = cpudev::atomic_update(p, [b](raw_of<__T> o) { return atomic_result<__T, __M>(o, b); });
    order_after<__M>();
    return old;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> atom(uint64_t address, raw_of<__T> b, raw_of<__T> c)
{
    if constexpr (!__M::has(m_cas)) {
        (void)c; /* a cache hint */
        return atom<__T, __M>(address, b);
    } else {
        CPUDEV_ATOMIC_KIND(scope<__M>() == 0, __M::has(m_acquire) || __M::has(m_release) || __M::has(m_acq_rel))
        order_before<__M>();
        const raw_of<__T> old = cpudev::atomic_cas((raw_of<__T> *)pointer<__M>(address), b, c);
        order_after<__M>();
        return old;
    }
}
template <class __T, class __M, class... Hint>
CPUDEV_PTX void red(uint64_t address, vec<raw_of<__T>, __M::count()> b, Hint...)
{
    for (int i = 0; i < __M::count(); i++)
        (void)atom<__T, __M>(address + i * sizeof(raw_of<__T>), b.v[i]);
}

template <class __T, class __M, class... Hint> CPUDEV_PTX void red(uint64_t address, raw_of<__T> b, Hint...)
{
    (void)atom<__T, __M>(address, b);
}

/* ---- addresses ---- */

template <class __T, class __M> CPUDEV_PTX raw_of<__T> cvta(uint64_t address)
{
    if constexpr (!in_shared<__M>())
        return (raw_of<__T>)address;
    else if constexpr (__M::has(m_to))
        return (raw_of<__T>)cpudev_to_shared((const void *)address);
    else
        return (raw_of<__T>)(uintptr_t)cpudev_from_shared((uint32_t)address);
}
template <class __M> CPUDEV_PTX bool isspacep(uint64_t address)
{
    const void *p = (const void *)address;
    if constexpr (__M::has(m_shared__cluster))
        return cpudev_is_cluster_shared(p);
    else if constexpr (in_shared<__M>())
        return cpudev_is_shared(p);
    else if constexpr (__M::has(m_local))
        return cpudev_is_local(p);
    else if constexpr (__M::has(m_global))
        return !cpudev_is_cluster_shared(p) && !cpudev_is_local(p);
    else
        return false;
}
template <class __T, class __M> CPUDEV_PTX raw_of<__T> mapa(raw_of<__T> address, uint32_t rank)
{
    if constexpr (__M::has(m_shared__cluster))
        return (raw_of<__T>)cpudev_mapa((uint32_t)address, rank);
    else
        return (raw_of<__T>)(uintptr_t)cpudev_from_shared(
            cpudev_mapa(cpudev_to_shared((const void *)(uint64_t)address), rank));
}
template <class __T, class __M> CPUDEV_PTX uint32_t getctarank(raw_of<__T> address)
{
    if constexpr (__M::has(m_shared__cluster))
        return cpudev_rank_of((uint32_t)address);
    else
        return cpudev_rank_of(cpudev_to_shared((const void *)(uint64_t)address));
}

/* ---- hints ---- */

template <class __M> CPUDEV_PTX void prefetch(uint64_t) {}
template <class __M> CPUDEV_PTX void discard(uint64_t, int) {}
template <class __M> CPUDEV_PTX void applypriority(uint64_t, int) {}
template <class __T, class __M> CPUDEV_PTX uint64_t createpolicy(uint32_t = 0) { return 0; }

} // namespace ptx
} // namespace cpudev
#endif
