/*
 * mma.h: nvcuda::wmma on the CPU device: fragments of 16 x 16 x 16, 32 x 8 x 16 and 8 x 32 x 16 (half, bfloat16, s8,
 * u8), 16 x 16 x 8 (tf32) and 8 x 8 x 4 (double), with sums in float, half, int or double.
 *
 * Which lane holds which element of a fragment is left open by CUDA. Here it is as on sm_80 and later: cpudev_mma.h says
 * how. A and B of half have 16 elements whatever they need: the others are copies of the first, which a product does
 * not read. runtime/warp/mma.c computes.
 */
#ifndef CPUDEV_WMMA_H
#define CPUDEV_WMMA_H
#ifdef __cplusplus /* in C it is empty, as NVIDIA's */

#include "cpudev_mma.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

/* Of each type: how it is stored, and its name for the emulation. */
template <class __T> struct cpudev_type;
template <> struct cpudev_type<__half> {
    typedef __half storage;
    enum { id = CPUDEV_WMMA_F16 };
};
template <> struct cpudev_type<__nv_bfloat16> {
    typedef __nv_bfloat16 storage;
    enum { id = CPUDEV_WMMA_BF16 };
};
template <> struct cpudev_type<precision::tf32> {
    typedef float storage;
    enum { id = CPUDEV_WMMA_TF32 };
};
template <> struct cpudev_type<float> {
    typedef float storage;
    enum { id = CPUDEV_WMMA_F32 };
};
template <> struct cpudev_type<double> {
    typedef double storage;
    enum { id = CPUDEV_WMMA_F64 };
};
template <> struct cpudev_type<signed char> {
    typedef signed char storage;
    enum { id = CPUDEV_WMMA_S8 };
};
template <> struct cpudev_type<unsigned char> {
    typedef unsigned char storage;
    enum { id = CPUDEV_WMMA_U8 };
};
template <> struct cpudev_type<int> {
    typedef int storage;
    enum { id = CPUDEV_WMMA_S32 };
};

/* The values that a fragment needs in each lane, and its name for the layout. */
template <class Use, int m, int n, int k> struct cpudev_shape;
template <int m, int n, int k> struct cpudev_shape<matrix_a, m, n, k> {
    enum { needed = m * k / 32, use = CPUDEV_WMMA_A };
};
template <int m, int n, int k> struct cpudev_shape<matrix_b, m, n, k> {
    enum { needed = k * n / 32, use = CPUDEV_WMMA_B };
};
template <int m, int n, int k> struct cpudev_shape<accumulator, m, n, k> {
    enum { needed = m * n / 32, use = CPUDEV_WMMA_SUM };
};

template <class Use, int m, int n, int k, class __T, class Layout = void> class fragment
{
    static_assert((m == 16 && n == 16 && (k == 16 || k == 8)) || (m == 32 && n == 8 && k == 16) ||
                      (m == 8 && n == 32 && k == 16) || (m == 8 && n == 8 && k == 4) ||
                      (m == 8 && n == 8 && (k == 32 || k == 128) && int(cpudev_type<__T>::id) == CPUDEV_WMMA_S32),
                  "wmma: not a shape that the CPU device has");

  public:
    typedef typename cpudev_type<__T>::storage element_type;
    typedef element_type storage_element_type;
    enum {
        num_elements =
            int(cpudev_shape<Use, m, n, k>::use) != CPUDEV_WMMA_SUM && int(cpudev_type<__T>::id) == CPUDEV_WMMA_F16
                ? 16
                : int(cpudev_shape<Use, m, n, k>::needed),
        num_storage_elements = num_elements
    };
    element_type x[num_elements];
};

template <class Use, int m, int n, int k, class __T, class Layout, class Value,
          class = typename cpudev_type<__T>::storage>
static inline void fill_fragment(fragment<Use, m, n, k, __T, Layout> &f, const Value &value)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = (typename cpudev_type<__T>::storage)value;
}

/* Element (row, column) lies at row * ld + column of a row-major matrix, at column * ld + row of a column-major one. */
template <class Use, int m, int n, int k, class __T, class Layout, class Element>
static inline void cpudev_load(fragment<Use, m, n, k, __T, Layout> &f, const Element *p, unsigned ld, bool rows)
{
    typedef cpudev_shape<Use, m, n, k> shape;
    const cpudev_wmma_use use = cpudev_wmma_use(shape::use);
    const struct cpudev_wmma_layout l = cpudev_wmma_layout_of(use, m, n, k, 8 * sizeof f.x[0]);
    const unsigned lane = cpudev_wmma_meet(p, ld * sizeof *p);
    const bool along = rows == l.by_rows;
    for (int i = 0; i < l.pieces; i++) {
        const Element *const piece = p + cpudev_wmma_offset(&l, use, lane, i, ld, along);
        for (int j = 0; j < l.per; j++)
            f.x[i * l.per + j] = piece[along ? j : j * (size_t)ld];
    }
    for (int i = shape::needed; i < f.num_elements; i++)
        f.x[i] = f.x[i - shape::needed];
}

template <class Use, int m, int n, int k, class __T, class Element, class = typename cpudev_type<__T>::storage>
static inline void load_matrix_sync(fragment<Use, m, n, k, __T, row_major> &f, const Element *p, unsigned ld)
{
    cpudev_load(f, p, ld, true);
}

template <class Use, int m, int n, int k, class __T, class Element, class = typename cpudev_type<__T>::storage>
static inline void load_matrix_sync(fragment<Use, m, n, k, __T, col_major> &f, const Element *p, unsigned ld)
{
    cpudev_load(f, p, ld, false);
}

template <int m, int n, int k, class __T, class Element>
static inline void load_matrix_sync(fragment<accumulator, m, n, k, __T> &f, const Element *p, unsigned ld,
                                    layout_t layout)
{
    cpudev_load(f, p, ld, layout == mem_row_major);
}

template <int m, int n, int k, class __T, class Element>
static inline void store_matrix_sync(Element *p, const fragment<accumulator, m, n, k, __T> &f, unsigned ld,
                                     layout_t layout)
{
    const struct cpudev_wmma_layout l = cpudev_wmma_layout_of(CPUDEV_WMMA_SUM, m, n, k, 8 * sizeof f.x[0]);
    const unsigned lane = cpudev_wmma_meet(p, ld * sizeof *p);
    const bool along = (layout == mem_row_major) == l.by_rows;
    for (int i = 0; i < l.pieces; i++) {
        Element *const piece = p + cpudev_wmma_offset(&l, CPUDEV_WMMA_SUM, lane, i, ld, along);
        for (int j = 0; j < l.per; j++)
            piece[along ? j : j * (size_t)ld] = f.x[i * l.per + j];
    }
}

/* d = a * b + c; with satf integers stop at the ends of their range instead of wrapping. */
template <int m, int n, int k, class __T, class LayoutA, class LayoutB, class Sum, class Result>
static inline void mma_sync(fragment<accumulator, m, n, k, Result> &d,
                            const fragment<matrix_a, m, n, k, __T, LayoutA> &a,
                            const fragment<matrix_b, m, n, k, __T, LayoutB> &b,
                            const fragment<accumulator, m, n, k, Sum> &c, bool satf = false)
{
    cpudev_wmma(m, n, k, cpudev_type<__T>::id, cpudev_type<Sum>::id, cpudev_type<Result>::id, d.x, a.x, b.x, c.x, satf);
}

/* Round a float to the nearest tf32, ties away from zero. */
static inline float __float_to_tf32(float x)
{
    unsigned u = cpudev_float_bits(x);
    return (u & 0x7f800000u) == 0x7f800000u ? x : cpudev_bits_float((u + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#include "cpudev_wmma_small.h"

#endif
#endif
