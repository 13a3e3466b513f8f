/* wmma.h: PTX's wmma.load, wmma.mma, wmma.store ("Warp-level Matrix Instructions using wmma"). Which lane holds what is
 * left open by the ISA, the number of registers is not. Here it is as on sm_80 and later, as in mma.h of nvcuda::wmma;
 * runtime/warp/mma.c computes. A and B of f16 have eight registers whatever they need: the others are copies. */
#ifndef CPUDEV_PTX_WMMA_FAMILY_H
#define CPUDEV_PTX_WMMA_FAMILY_H

#include "mma.h"

namespace cpudev
{
namespace ptx
{

enum wmma_use { wmma_a = CPUDEV_WMMA_A, wmma_b = CPUDEV_WMMA_B, wmma_c = CPUDEV_WMMA_SUM };

/* One lane's part of a matrix of Ts. */
template <class __T, class __M, int use> struct wmma_part {
    enum {
        bits = element<__T>::bits,
        rows = use == wmma_b ? shape_of<__M>::k : shape_of<__M>::m,
        columns = use == wmma_a ? shape_of<__M>::k : shape_of<__M>::n,
        count = rows * columns / 32,
        needed = count * bits < 32 ? 1 : count * bits / (bits == 64 ? 64 : 32),
        registers = use != wmma_c && std::is_same<__T, f16>::value ? 8 : needed
    };
    typedef vec<word_of<__T>, registers> type;

    static cpudev_wmma_layout layout()
    {
        typedef shape_of<__M> shape;
        return ::cpudev_wmma_layout_of(cpudev_wmma_use(use), shape::m, shape::n, shape::k, bits);
    }
    /* Where value i of the lane lies, in values. */
    static size_t offset(const struct cpudev_wmma_layout &l, unsigned lane, int i, size_t stride)
    {
        const bool along = __M::has(m_row) == l.by_rows;
        return cpudev_wmma_offset(&l, cpudev_wmma_use(use), lane, i / l.per, stride, along) +
               (size_t)(i % l.per) * (along ? 1 : stride);
    }
    static constexpr uint32_t usual_stride() { return __M::has(m_row) ? columns : rows; }
};

template <class __T, class __M, int use> CPUDEV_PTX auto wmma_load(uint64_t address, uint32_t stride)
{
    typedef wmma_part<__T, __M, use> part;
    typename part::type r = {};
    const void *const matrix = pointer<__M>(address);
    const size_t row_bytes = (size_t)stride * part::bits / 8;
    if constexpr (part::bits < 8) { /* A by rows and B by columns: the lane's run is a word */
        r.v[0] = cpudev_wmma_word(matrix, row_bytes);
    } else {
        const unsigned lane = cpudev_wmma_meet(matrix, row_bytes);
        typedef bits_raw<part::bits> stored;
        enum { per = sizeof(r.v[0]) / sizeof(stored) };
        const struct cpudev_wmma_layout l = part::layout();
        for (int i = 0; i < part::count; i++)
            r.v[i / per] |= (word_of<__T>)((const stored *)matrix)[part::offset(l, lane, i, stride)]
                            << i % per * part::bits;
        for (int i = part::needed; i < part::registers; i++)
            r.v[i] = r.v[i - part::needed];
    }
    return r;
}
#define CPUDEV_PTX_WMMA_LOAD(use)                                                                                      \
    template <class __T, class __M> CPUDEV_PTX auto wmma_load_##use(uint64_t address, uint32_t stride)                 \
    {                                                                                                                  \
        return wmma_load<__T, __M, wmma_##use>(address, stride);                                                       \
    }                                                                                                                  \
    template <class __T, class __M> CPUDEV_PTX auto wmma_load_##use(uint64_t address)                                  \
    {                                                                                                                  \
        return wmma_load<__T, __M, wmma_##use>(address, wmma_part<__T, __M, wmma_##use>::usual_stride());              \
    }
CPUDEV_PTX_WMMA_LOAD(a)
CPUDEV_PTX_WMMA_LOAD(b)
CPUDEV_PTX_WMMA_LOAD(c)
#undef CPUDEV_PTX_WMMA_LOAD

template <class __T, class __M>
CPUDEV_PTX void wmma_store_d(uint64_t address, const typename wmma_part<__T, __M, wmma_c>::type &r,
                             uint32_t stride = wmma_part<__T, __M, wmma_c>::usual_stride())
{
    typedef wmma_part<__T, __M, wmma_c> part;
    typedef bits_raw<part::bits> stored;
    enum { per = sizeof(r.v[0]) / sizeof(stored) };
    stored *const matrix = (stored *)pointer<__M>(address);
    const unsigned lane = cpudev_wmma_meet(matrix, stride * sizeof *matrix);
    const struct cpudev_wmma_layout l = part::layout();
    for (int i = 0; i < part::count; i++)
        matrix[part::offset(l, lane, i, stride)] = (stored)(r.v[i / per] >> i % per * part::bits);
}

/* The names that runtime/warp/mma.c has for the types. */
template <class __T> constexpr int wmma_type()
{
    return std::is_same<__T, f16>::value    ? CPUDEV_WMMA_F16
           : std::is_same<__T, bf16>::value ? CPUDEV_WMMA_BF16
           : std::is_same<__T, tf32>::value ? CPUDEV_WMMA_TF32
           : std::is_same<__T, f32>::value  ? CPUDEV_WMMA_F32
           : std::is_same<__T, f64>::value  ? CPUDEV_WMMA_F64
           : std::is_same<__T, s8>::value   ? CPUDEV_WMMA_S8
           : std::is_same<__T, u8>::value   ? CPUDEV_WMMA_U8
                                            : CPUDEV_WMMA_S32;
}

template <class __D, class __A, class __B, class __C, class __M>
CPUDEV_PTX auto wmma_mma(const typename wmma_part<__A, __M, wmma_a>::type &a,
                         const typename wmma_part<__B, __M, wmma_b>::type &b,
                         const typename wmma_part<__C, __M, wmma_c>::type &c)
{
    enum { m = shape_of<__M>::m, n = shape_of<__M>::n, k = shape_of<__M>::k };
    static_assert(std::is_same<__A, __B>::value, "wmma multiplies two matrices of one type");
    if constexpr (element<__A>::bits < 8) {
        typedef mods<shape(m, n, k), __M::has(m_satfinite) ? m_satfinite : m_aligned, __M::has(m_and) ? m_and : m_xor>
            plain;
        return multiply<__D, __A, __B, __C, plain, 1, false>(a, b, c, 0, 0);
    } else {
        typename wmma_part<__D, __M, wmma_c>::type d;
        cpudev_wmma(m, n, k, wmma_type<__A>(), wmma_type<__C>(), wmma_type<__D>(), d.v, a.v, b.v, c.v,
                    __M::has(m_satfinite));
        return d;
    }
}
/* Of f16 only D's and C's types are written. */
template <class __D, class __C, class __M>
CPUDEV_PTX auto wmma_mma(const typename wmma_part<f16, __M, wmma_a>::type &a,
                         const typename wmma_part<f16, __M, wmma_b>::type &b,
                         const typename wmma_part<__C, __M, wmma_c>::type &c)
{
    return wmma_mma<__D, f16, f16, __C, __M>(a, b, c);
}

} // namespace ptx
} // namespace cpudev
#endif
