/* cpudev_wmma_small.h: nvcuda::wmma::experimental: fragments of 8 x 8 x 32 (u4, s4) and 8 x 8 x 128 (b1), A by rows and
 * B by columns, with sums in int. A lane has one 32-bit word of A and of B: the (lane % 4)-th of row, or column,
 * lane / 4, which is also mma.sync's layout. */
#ifndef CPUDEV_WMMA_SMALL_H
#define CPUDEV_WMMA_SMALL_H

#include "cpudev_abi.h"
#include "mma.h"

namespace nvcuda
{
namespace wmma
{
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* Of each small type: what a word of it is declared as, its bits, and its name for the emulation. */
template <class __T> struct cpudev_small;
template <> struct cpudev_small<experimental::precision::u4> {
    typedef unsigned storage;
    enum { bits = 4, id = CPUDEV_MMA_U4 };
};
template <> struct cpudev_small<experimental::precision::s4> {
    typedef int storage;
    enum { bits = 4, id = CPUDEV_MMA_S4 };
};
template <> struct cpudev_small<experimental::precision::b1> {
    typedef unsigned storage;
    enum { bits = 1, id = CPUDEV_MMA_B1 };
};

template <class __T> struct cpudev_small_fragment {
    typedef __T element_type;
    typedef typename cpudev_small<__T>::storage storage_element_type;
    enum { num_elements = 32 / cpudev_small<__T>::bits, num_storage_elements = 1 };
    storage_element_type x[1];
};
#define CPUDEV_WMMA_SMALL(type, k)                                                                                     \
    template <>                                                                                                        \
    class fragment<matrix_a, 8, 8, k, experimental::precision::type, row_major>                                        \
        : public cpudev_small_fragment<experimental::precision::type>                                                  \
    {                                                                                                                  \
    };                                                                                                                 \
    template <>                                                                                                        \
    class fragment<matrix_b, 8, 8, k, experimental::precision::type, col_major>                                        \
        : public cpudev_small_fragment<experimental::precision::type>                                                  \
    {                                                                                                                  \
    };
CPUDEV_WMMA_SMALL(u4, 32)
CPUDEV_WMMA_SMALL(s4, 32)
CPUDEV_WMMA_SMALL(b1, 128)
#undef CPUDEV_WMMA_SMALL

/* Of `value` only the bits that an element has count. */
template <class __T, class Value> static inline void fill_fragment(cpudev_small_fragment<__T> &f, const Value &value)
{
    const unsigned all = cpudev_small<__T>::bits == 4 ? 0x11111111u : ~0u;
    const unsigned one = (unsigned)value & (cpudev_small<__T>::bits == 4 ? 15u : 1u);
    f.x[0] = (typename cpudev_small<__T>::storage)(all * one);
}

/* ld in elements: a multiple of 32 (u4, s4) or 128 (b1) */
template <class __T> static inline void load_matrix_sync(cpudev_small_fragment<__T> &f, const void *p, unsigned ld)
{
    f.x[0] = (typename cpudev_small<__T>::storage)cpudev_wmma_word(p, (size_t)ld * cpudev_small<__T>::bits / 8);
}

template <class __T, int k>
static inline void cpudev_small_product(fragment<accumulator, 8, 8, k, int> &d, const cpudev_small_fragment<__T> &a,
                                        const cpudev_small_fragment<__T> &b,
                                        const fragment<accumulator, 8, 8, k, int> &c, bool satf, bool popc_and)
{
    enum { type = cpudev_small<__T>::id };
    const cpudev_mma_form form = {8, 8, k, CPUDEV_MMA_S32, type, type, CPUDEV_MMA_S32, satf, false, popc_and, 0, 0};
    const uint64_t of_a = (unsigned)a.x[0], of_b = (unsigned)b.x[0], of_c[2] = {(unsigned)c.x[0], (unsigned)c.x[1]};
    uint64_t of_d[2];
    cpudev_mma(&form, of_d, &of_a, &of_b, of_c, 0, 0);
    d.x[0] = (int)of_d[0];
    d.x[1] = (int)of_d[1];
}

template <class __T>
static inline void mma_sync(fragment<accumulator, 8, 8, 32, int> &d,
                            const fragment<matrix_a, 8, 8, 32, __T, row_major> &a,
                            const fragment<matrix_b, 8, 8, 32, __T, col_major> &b,
                            const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false)
{
    cpudev_small_product<__T, 32>(d, a, b, c, satf, false);
}

/* The bits that differ, or (AND) that both have, are counted. */
static inline void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                             const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                             const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                             const fragment<accumulator, 8, 8, 128, int> &c,
                             experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                             experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    cpudev_small_product<experimental::precision::b1, 128>(d, a, b, c, false, op == experimental::bmmaBitOpAND);
}

} // namespace wmma
} // namespace nvcuda

#endif
