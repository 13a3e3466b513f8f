// wmma on 4-bit integers and single bits: A by rows, B by columns, with a leading dimension longer than the matrix
#include <mma.h>

#include "conformance.h"

using namespace nvcuda;
typedef wmma::experimental::precision::s4 s4;
typedef wmma::experimental::precision::u4 u4;
typedef wmma::experimental::precision::b1 b1;
enum { WORDS = 8 * 8 }; // eight rows or columns of 8 words, of which the first 4 are the matrix

template <class T> __global__ void fours(const unsigned *a, const unsigned *b, int *d, bool saturate)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> c;
    wmma::fill_fragment(c, saturate ? 0x7fffffff : -5);
    wmma::load_matrix_sync(x, a, 64);
    wmma::load_matrix_sync(y, b, 64);
    wmma::mma_sync(c, x, y, c, saturate);
    wmma::store_matrix_sync(d, c, 8, wmma::mem_row_major);
    wmma::fill_fragment(x, 13);
    wmma::fill_fragment(c, 1);
    wmma::mma_sync(c, x, y, c);
    wmma::store_matrix_sync(d + 64, c, 8, wmma::mem_col_major);
}
__global__ void bits(const unsigned *a, const unsigned *b, int *d)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> c;
    wmma::fill_fragment(c, 9);
    wmma::load_matrix_sync(x, a, 256);
    wmma::load_matrix_sync(y, b, 256);
    wmma::bmma_sync(c, x, y, c, wmma::experimental::bmmaBitOpAND);
    wmma::store_matrix_sync(d, c, 8, wmma::mem_row_major);
    wmma::bmma_sync(c, x, y, c);
    wmma::store_matrix_sync(d + 64, c, 8, wmma::mem_row_major);
}

// the same as inline PTX
__global__ void by_ptx(const unsigned *a, const unsigned *b, int *d)
{
    asm volatile("{ .reg .b32 a0, b0, c<2>; mov.b32 c0, -5; mov.b32 c1, -5;\n"
                 "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {a0}, [%0], 64;\n"
                 "wmma.load.b.sync.aligned.col.m8n8k32.global.s4 {b0}, [%1], 64;\n"
                 "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {c0, c1}, {a0}, {b0}, {c0, c1};\n"
                 "wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [%2], {c0, c1}; }"
                 :
                 : "l"(a), "l"(b), "l"(d)
                 : "memory");
    asm volatile("{ .reg .b32 a0, b0, c<2>; mov.b32 c0, 9; mov.b32 c1, 9;\n"
                 "wmma.load.a.sync.aligned.row.m8n8k128.global.b1 {a0}, [%0], 256;\n"
                 "wmma.load.b.sync.aligned.col.m8n8k128.global.b1 {b0}, [%1], 256;\n"
                 "wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {c0, c1}, {a0}, {b0}, {c0, c1};\n"
                 "wmma.store.d.sync.aligned.row.m8n8k128.global.s32 [%2], {c0, c1}; }"
                 :
                 : "l"(a), "l"(b), "l"(d + 64)
                 : "memory");
}

static unsigned word(int i) { return 0x9e3779b9u * (unsigned)(i + 1) ^ 0x85ebca6bu * (unsigned)(i * i + 3); }
static int value(unsigned w, int i, bool with_sign)
{
    const int v = (int)(w >> 4 * i & 15);
    return with_sign && v > 7 ? v - 16 : v;
}
// row r of A times column c of B
static int product(int r, int c, bool with_sign, int instead)
{
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += (instead ? instead : value(word(r * 8 + k / 8), k % 8, with_sign)) *
               value(word(1000 + c * 8 + k / 8), k % 8, with_sign);
    return sum;
}
static int common(int r, int c, bool both)
{
    int sum = 0;
    for (int k = 0; k < 128; k++) {
        const unsigned x = word(r * 8 + k / 32) >> k % 32 & 1, y = word(1000 + c * 8 + k / 32) >> k % 32 & 1;
        sum += both ? x & y : x ^ y;
    }
    return sum;
}
int main()
{
    unsigned *a = (unsigned *)managed(WORDS), *b = (unsigned *)managed(WORDS);
    int *d = managed(5 * 128);
    for (int i = 0; i < WORDS; i++)
        a[i] = word(i), b[i] = word(1000 + i);
    fours<s4><<<1, 32>>>(a, b, d, false);
    fours<u4><<<1, 32>>>(a, b, d + 128, false);
    fours<s4><<<1, 32>>>(a, b, d + 256, true);
    bits<<<1, 32>>>(a, b, d + 384);
    by_ptx<<<1, 32>>>(a, b, d + 512);
    return check(d, 5 * 128, [](int i) {
        const int which = i / 128, r = i % 64 / 8, c = i % 8;
        const bool second = i % 128 >= 64;
        if (which == 4)
            return second ? 9 + common(r, c, true) : -5 + product(r, c, true, 0);
        if (which == 3)
            return 9 + common(r, c, true) + (second ? common(r, c, false) : 0);
        if (second)
            return 1 + product(c, r, which != 1, which == 1 ? 13 : -3);
        if (which < 2)
            return -5 + product(r, c, which == 0, 0);
        const int s = product(r, c, true, 0);
        return s > 0 ? 0x7fffffff : 0x7fffffff + s;
    });
}
