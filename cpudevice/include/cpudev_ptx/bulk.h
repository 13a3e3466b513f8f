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
template <class T, int n> struct list {
    T v[n];
    template <class... A, class = std::enable_if_t<sizeof...(A) == n>> constexpr list(A... a) : v{(T)a...} {}
};
template <class M> constexpr int dimensions()
{
    return M::has(m_5d) ? 5 : M::has(m_4d) ? 4 : M::has(m_3d) ? 3 : M::has(m_2d) ? 2 : 1;
}
template <class M> using coordinates = list<int32_t, dimensions<M>()>;
template <class M> using offsets = list<uint16_t, (dimensions<M>() > 2 ? dimensions<M>() - 2 : 1)>;

template <class M> constexpr int reduction()
{
    return M::has(m_add)   ? CPUDEV_BULK_ADD
           : M::has(m_min) ? CPUDEV_BULK_MIN
           : M::has(m_max) ? CPUDEV_BULK_MAX
           : M::has(m_inc) ? CPUDEV_BULK_INC
           : M::has(m_dec) ? CPUDEV_BULK_DEC
           : M::has(m_and) ? CPUDEV_BULK_AND
           : M::has(m_or)  ? CPUDEV_BULK_OR
                           : CPUDEV_BULK_XOR;
}
/* As the driver API numbers types. */
template <class T> constexpr int element_type()
{
    return std::is_same<T, f16>::value    ? 6
           : std::is_same<T, bf16>::value ? 9
           : std::is_same<T, f32>::value  ? 7
           : std::is_same<T, f64>::value  ? 8
           : std::is_same<T, s32>::value  ? 3
           : std::is_same<T, s64>::value  ? 5
           : T::bits == 64                ? 4
                                          : 2;
}

/* The blocks of a multicast; the other operand that may follow is a cache policy. */
template <class M> CPUDEV_PTX uint32_t receivers() { return 0; }
template <class M, class... Hint> CPUDEV_PTX uint32_t receivers(uint64_t mask, Hint...)
{
    return M::has(m_multicast__cluster) ? (uint32_t)mask : 0;
}

/* ---- bulk ---- */

template <class M, class... Rest>
CPUDEV_PTX void bulk_load(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar, Rest... rest)
{
    cpudev_bulk_load((uint32_t)to, (const void *)from, bytes, (uint32_t)bar, receivers<M>(rest...));
}
template <class M> CPUDEV_PTX void bulk_send(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar)
{
    cpudev_bulk_send((uint32_t)to, (uint32_t)from, bytes, (uint32_t)bar, 0, 0);
}
template <class M> CPUDEV_PTX void bulk_store(uint64_t to, uint64_t from, uint32_t bytes, uint64_t = 0)
{
    cpudev_bulk_store((void *)to, (uint32_t)from, bytes, 0xffff, 0, 0);
}
template <class T, class M> CPUDEV_PTX void bulk_reduce(uint64_t to, uint64_t from, uint32_t bytes, uint64_t = 0)
{
    cpudev_bulk_store((void *)to, (uint32_t)from, bytes, 0xffff, reduction<M>(), element_type<T>());
}
template <class T, class M> CPUDEV_PTX void bulk_reduce_send(uint64_t to, uint64_t from, uint32_t bytes, uint64_t bar)
{
    cpudev_bulk_send((uint32_t)to, (uint32_t)from, bytes, (uint32_t)bar, reduction<M>(), element_type<T>());
}
template <class M> CPUDEV_PTX void bulk_prefetch(uint64_t, uint32_t, uint64_t = 0) {}
template <class M> CPUDEV_PTX void bulk_commit_group() { cpudev_bulk_commit(); }
template <class M> CPUDEV_PTX void bulk_wait_group(uint32_t pending) { cpudev_bulk_wait(pending, 0); }
template <class M> CPUDEV_PTX void bulk_wait_group_read(uint32_t pending) { cpudev_bulk_wait(pending, 1); }

/* ---- values ("Data Movement: st.async", "Synchronization: red.async") ---- */

template <class T, class M> CPUDEV_PTX void st_async(uint64_t to, vec<raw_of<T>, M::count()> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, value.v, sizeof value.v, (uint32_t)bar, 0, 0);
}
template <class T, class M> CPUDEV_PTX void st_async(uint64_t to, raw_of<T> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, &value, sizeof value, (uint32_t)bar, 0, 0);
}
template <class T, class M> CPUDEV_PTX void red_async(uint64_t to, raw_of<T> value, uint64_t bar)
{
    cpudev_async_value((uint32_t)to, &value, sizeof value, (uint32_t)bar, reduction<M>(), element_type<T>());
}

/* ---- tensors: a load completes on an mbarrier, a store joins the thread's bulk group ---- */

template <class M, class... Rest>
CPUDEV_PTX std::enable_if_t<!M::has(m_bulk_group)> bulk_tensor(uint64_t to, uint64_t map, coordinates<M> at,
                                                               uint64_t bar, Rest... rest)
{
    static_assert(M::has(m_mbarrier__complete_tx__bytes), "a tensor load completes on an mbarrier");
    cpudev_tensor_load((uint32_t)to, (const void *)map, dimensions<M>(), at.v, nullptr, (uint32_t)bar,
                       receivers<M>(rest...));
}
template <class M, class... Rest>
CPUDEV_PTX std::enable_if_t<M::has(m_im2col)> bulk_tensor(uint64_t to, uint64_t map, coordinates<M> at, uint64_t bar,
                                                          offsets<M> offset, Rest... rest)
{
    cpudev_tensor_load((uint32_t)to, (const void *)map, dimensions<M>(), at.v, offset.v, (uint32_t)bar,
                       receivers<M>(rest...));
}
template <class M>
CPUDEV_PTX std::enable_if_t<M::has(m_bulk_group)> bulk_tensor(uint64_t map, coordinates<M> at, uint64_t from,
                                                              uint64_t = 0)
{
    cpudev_tensor_store((const void *)map, dimensions<M>(), at.v, (uint32_t)from, 0, M::has(m_im2col_no_offs));
}
template <class M> CPUDEV_PTX void bulk_tensor_reduce(uint64_t map, coordinates<M> at, uint64_t from, uint64_t = 0)
{
    cpudev_tensor_store((const void *)map, dimensions<M>(), at.v, (uint32_t)from, reduction<M>(),
                        M::has(m_im2col_no_offs));
}
template <class M> CPUDEV_PTX void bulk_tensor_prefetch(uint64_t map, coordinates<M> at, uint64_t = 0)
{
    cpudev_tensor_prefetch((const void *)map, dimensions<M>(), at.v, nullptr);
}
template <class M> CPUDEV_PTX void bulk_tensor_prefetch(uint64_t map, coordinates<M> at, offsets<M> offset)
{
    cpudev_tensor_prefetch((const void *)map, dimensions<M>(), at.v, offset.v);
}

} // namespace ptx
} // namespace cpudev
#endif
