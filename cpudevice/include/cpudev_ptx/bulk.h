/* bulk.h: PTX's bulk and tensor copies ("Data Movement and Conversion Instructions: Asynchronous copy: Bulk copy, Tensor
 * copy" of the PTX ISA). Cache policies and L2 prefetches change nothing here. */
#ifndef CPUDEV_PTX_BULK_H
#define CPUDEV_PTX_BULK_H

#include "../cpudev_abi.h"
#include "mbarrier.h"

namespace cpudev
{
namespace ptx
{

/* {c0, c1, ...} of a tensor copy: registers and literals, as bits. */
template <class __T, int n> struct list {
    __T v[n];
    template <class... __A, class = std::enable_if_t<sizeof...(__A) == n>> constexpr list(__A... a) : v{(__T)a...} {}
};
template <class __M> constexpr int dimensions()
{
    return __M::has(m_5d) ? 5 : __M::has(m_4d) ? 4 : __M::has(m_3d) ? 3 : __M::has(m_2d) ? 2 : 1;
}
template <class __M> using coordinates = list<int32_t, dimensions<__M>()>;
template <class __M> using offsets = list<uint16_t, (dimensions<__M>() > 2 ? dimensions<__M>() - 2 : 1)>;

template <class __M> constexpr int reduction()
{
    return __M::has(m_add)   ? CPUDEV_BULK_ADD
           : __M::has(m_min) ? CPUDEV_BULK_MIN
           : __M::has(m_max) ? CPUDEV_BULK_MAX
           : __M::has(m_inc) ? CPUDEV_BULK_INC
           : __M::has(m_dec) ? CPUDEV_BULK_DEC
           : __M::has(m_and) ? CPUDEV_BULK_AND
           : __M::has(m_or)  ? CPUDEV_BULK_OR
                             : CPUDEV_BULK_XOR;
}
/* As the driver API numbers types. */
template <class __T> constexpr int element_type()
{
    return std::is_same<__T, f16>::value    ? 6
           : std::is_same<__T, bf16>::value ? 9
           : std::is_same<__T, f32>::value  ? 7
           : std::is_same<__T, f64>::value  ? 8
           : std::is_same<__T, s32>::value  ? 3
           : std::is_same<__T, s64>::value  ? 5
           : __T::bits == 64                ? 4
                                            : 2;
}

/* The blocks of a multicast; the other operand that may follow is a cache policy. */
template <class __M> CPUDEV_PTX uint32_t receivers() { return 0; }
template <class __M, class... Hint> CPUDEV_PTX uint32_t receivers(uint64_t mask, Hint...)
{
    return __M::has(m_multicast__cluster) ? (uint32_t)mask : 0;
}

/* ---- bulk ---- */

template <class __M, class... Rest>
CPUDEV_PTX void bulk_load(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar, Rest... rest)
{
    cpudev_bulk_load((uint32_t)to, (const void *)from, bytes, (uint32_t)bar, receivers<__M>(rest...));
}
template <class __M> CPUDEV_PTX void bulk_send(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar)
{
    cpudev_bulk_send((uint32_t)to, (uint32_t)from, bytes, (uint32_t)bar, 0, 0);
}
template <class __M> CPUDEV_PTX void bulk_store(uint64_t to, uint64_t from, uint32_t bytes, uint64_t = 0)
{
    cpudev_bulk_store((void *)to, (uint32_t)from, bytes, 0xffff, 0, 0);
}
template <class __T, class __M> CPUDEV_PTX void bulk_reduce(uint64_t to, uint64_t from, uint32_t bytes, uint64_t = 0)
{
    cpudev_bulk_store((void *)to, (uint32_t)from, bytes, 0xffff, reduction<__M>(), element_type<__T>());
}
template <class __T, class __M>
CPUDEV_PTX void bulk_reduce_send(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar)
{
    cpudev_bulk_send((uint32_t)to, (uint32_t)from, bytes, (uint32_t)bar, reduction<__M>(), element_type<__T>());
}
template <class __M> CPUDEV_PTX void bulk_prefetch(uint64_t, uint32_t, uint64_t = 0) {}
template <class __M> CPUDEV_PTX void bulk_commit_group() { cpudev_bulk_commit(); }
template <class __M> CPUDEV_PTX void bulk_wait_group(uint32_t pending) { cpudev_bulk_wait(pending, 0); }
template <class __M> CPUDEV_PTX void bulk_wait_group_read(uint32_t pending) { cpudev_bulk_wait(pending, 1); }

/* ---- values ("Data Movement: st.async", "Synchronization: red.async") ---- */

template <class __T, class __M>
CPUDEV_PTX void st_async(uint64_t to, vec<raw_of<__T>, __M::count()> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, value.v, sizeof value.v, (uint32_t)bar, 0, 0);
}
template <class __T, class __M> CPUDEV_PTX void st_async(uint64_t to, raw_of<__T> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, &value, sizeof value, (uint32_t)bar, 0, 0);
}
template <class __T, class __M> CPUDEV_PTX void red_async(uint64_t to, raw_of<__T> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, &value, sizeof value, (uint32_t)bar, reduction<__M>(), element_type<__T>());
}

/* ---- tensors: a load completes on an mbarrier, a store joins the thread's bulk group ---- */

template <class __M, class... Rest>
CPUDEV_PTX std::enable_if_t<!__M::has(m_bulk_group)> bulk_tensor(uint64_t to, uint64_t map, coordinates<__M> at,
                                                                 uint64_t bar, Rest... rest)
{
    static_assert(__M::has(m_mbarrier__complete_tx__bytes), "a tensor load completes on an mbarrier");
    cpudev_tensor_load((uint32_t)to, (const void *)map, dimensions<__M>(), at.v, nullptr, (uint32_t)bar,
                       receivers<__M>(rest...));
}
template <class __M, class... Rest>
CPUDEV_PTX std::enable_if_t<__M::has(m_im2col)> bulk_tensor(uint64_t to, uint64_t map, coordinates<__M> at,
                                                            uint64_t bar, offsets<__M> offset, Rest... rest)
{
    cpudev_tensor_load((uint32_t)to, (const void *)map, dimensions<__M>(), at.v, offset.v, (uint32_t)bar,
                       receivers<__M>(rest...));
}
template <class __M>
CPUDEV_PTX std::enable_if_t<__M::has(m_bulk_group)> bulk_tensor(uint64_t map, coordinates<__M> at, uint64_t from,
                                                                uint64_t = 0)
{
    cpudev_tensor_store((const void *)map, dimensions<__M>(), at.v, (uint32_t)from, 0, __M::has(m_im2col_no_offs));
}
template <class __M> CPUDEV_PTX void bulk_tensor_reduce(uint64_t map, coordinates<__M> at, uint64_t from, uint64_t = 0)
{
    cpudev_tensor_store((const void *)map, dimensions<__M>(), at.v, (uint32_t)from, reduction<__M>(),
                        __M::has(m_im2col_no_offs));
}
template <class __M> CPUDEV_PTX void bulk_tensor_prefetch(uint64_t map, coordinates<__M> at, uint64_t = 0)
{
    cpudev_tensor_prefetch((const void *)map, dimensions<__M>(), at.v, nullptr);
}
template <class __M> CPUDEV_PTX void bulk_tensor_prefetch(uint64_t map, coordinates<__M> at, offsets<__M> offset)
{
    cpudev_tensor_prefetch((const void *)map, dimensions<__M>(), at.v, offset.v);
}

} // namespace ptx
} // namespace cpudev
#endif
