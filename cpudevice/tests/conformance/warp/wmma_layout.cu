// Which element of the matrix is x[i] of a wmma fragment: CUDA leaves it open; the CPU device has the layout of sm_80 and
// later, which is mma.sync's. Expected are the formulas beside the figures of the PTX ISA ("Warp-level Matrix
// Instructions", "Matrix Fragments for mma.m16n8k16" and so on), where groupID is lane / 4 and threadID_in_group is
// lane % 4; what is wider than the instruction is two of them side by side. num_elements is as in NVIDIA's mma.h.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "conformance.h"

using namespace nvcuda;
enum { LD = 48, MOST = 16 };
struct Element {
    int row, column;
};

// One matrix has in each element its row, another its column: 8 bits hold either. A result is 100 * row + column. The
// leading dimension is longer than the matrix.
template <class Fragment, class V> __global__ void operand(const V *rows, const V *columns, int *out)
{
    Fragment f;
    wmma::load_matrix_sync(f, rows, LD);
    for (int i = 0; i < f.num_elements; i++)
        out[threadIdx.x * MOST + i] = 100 * (int)(float)f.x[i];
    wmma::load_matrix_sync(f, columns, LD);
    for (int i = 0; i < f.num_elements; i++)
        out[threadIdx.x * MOST + i] += (int)(float)f.x[i];
}
template <class Fragment, class V>
__global__ void sum(const V *rows, const V *columns, int *out, V *stored, wmma::layout_t order)
{
    Fragment f;
    wmma::load_matrix_sync(f, rows, LD, order);
    for (int i = 0; i < f.num_elements; i++)
        out[threadIdx.x * MOST + i] = 100 * (int)(float)f.x[i];
    wmma::load_matrix_sync(f, columns, LD, order);
    for (int i = 0; i < f.num_elements; i++)
        out[threadIdx.x * MOST + i] += (int)(float)f.x[i];
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = (V)(float)(threadIdx.x * 8 + i); // 255 at most
    wmma::store_matrix_sync(stored, f, LD, order);
}

// ---- the figures: element i of lane 4 g + t ----

// A of m16n8k16, 16 bits: row g for a0, a1, a4, a5 and g + 8 for the others; column 2 t + i % 2, plus 8 from a4 on.
static Element a16(int g, int t, int i) { return {i % 4 < 2 ? g : g + 8, 2 * t + i % 2 + (i >= 4 ? 8 : 0)}; }
// B of m16n8k16, 16 bits: row 2 t + i % 2, plus 8 from b2 on; column g.
static Element b16(int g, int t, int i) { return {2 * t + i % 2 + (i >= 2 ? 8 : 0), g}; }
// A of m16n8k16, 8 bits: row g for a0 to a3, else g + 8; column 4 t + i % 4. B: row 4 t + i, column g.
static Element a8(int g, int t, int i) { return {i < 4 ? g : g + 8, 4 * t + i % 4}; }
static Element b8(int g, int t, int i) { return {4 * t + i, g}; }
// A of m16n8k8, tf32: row g for a0 and a2, else g + 8; column t, plus 4 from a2 on. B: row t, plus 4 for b1.
static Element a32(int g, int t, int i) { return {i % 2 ? g + 8 : g, i >= 2 ? t + 4 : t}; }
static Element b32(int g, int t, int i) { return {i ? t + 4 : t, g}; }
// C of m16n8: row g for c0, c1, else g + 8; column 2 t + i % 2.
static Element c32(int g, int t, int i) { return {i < 2 ? g : g + 8, 2 * t + i % 2}; }

// ---- wmma's shapes out of them ----

typedef Element Figure(int g, int t, int i);
// of instruction i / n: its element i % n, moved by so many rows and columns
template <Figure *figure, int n, int rows, int columns> static Element beside(int g, int t, int i)
{
    const Element e = figure(g, t, i % n);
    return {e.row + i / n * rows, e.column + i / n * columns};
}
// The transposed matrix: with 8 x 32 the instruction's A is B, and its sum is turned too.
template <Figure *figure> static Element turned(int g, int t, int i)
{
    const Element e = figure(g, t, i);
    return {e.column, e.row};
}
// A and B of half have 16 elements, copies where fewer are needed.
template <Figure *figure, int needed> static Element copies(int g, int t, int i) { return figure(g, t, i % needed); }
// m8n8k4, double: A row g, column t; B row t, column g; C row g, column 2 t + i.
static Element a64(int g, int t, int) { return {g, t}; }
static Element b64(int g, int t, int) { return {t, g}; }

static int bad;
static void differs(const char *what, int lane, int i, int got, int row, int column)
{
    if (!bad++)
        printf("%s: lane %d, x[%d]: (%d, %d), not (%d, %d)\n", what, lane, i, got / 100, got % 100, row, column);
}
template <class V> static void fill(V *m, int rows, int columns, bool by_rows, bool of_row)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            m[by_rows ? r * LD + c : c * LD + r] = (V)(float)(of_row ? r : c);
}
static void compare(const char *what, const int *out, int n, int want_n, Figure *figure)
{
    if (cudaDeviceSynchronize() != cudaSuccess || n != want_n) {
        bad += printf("%s: %d elements, not %d, or it does not run\n", what, n, want_n);
        return;
    }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < n; i++) {
            const Element e = figure(lane / 4, lane % 4, i);
            if (out[lane * MOST + i] != 100 * e.row + e.column)
                differs(what, lane, i, out[lane * MOST + i], e.row, e.column);
        }
}

static void *room[4]; // rows, columns, what is stored; out
template <class Use, int m, int n, int k, class T, class V>
static void operands(const char *what, int rows, int columns, int want_n, Figure *figure)
{
    typedef wmma::fragment<Use, m, n, k, T, wmma::row_major> ByRows;
    typedef wmma::fragment<Use, m, n, k, T, wmma::col_major> ByColumns;
    V *r = (V *)room[0], *c = (V *)room[1];
    int *out = (int *)room[3];
    fill(r, rows, columns, true, true), fill(c, rows, columns, true, false);
    operand<ByRows, V><<<1, 32>>>(r, c, out);
    compare(what, out, ByRows::num_elements, want_n, figure);
    fill(r, rows, columns, false, true), fill(c, rows, columns, false, false);
    operand<ByColumns, V><<<1, 32>>>(r, c, out);
    compare(what, out, ByColumns::num_elements, want_n, figure);
}
template <int m, int n, int k, class V> static void sums(const char *what, int want_n, Figure *figure)
{
    typedef wmma::fragment<wmma::accumulator, m, n, k, V> Sum;
    V *r = (V *)room[0], *c = (V *)room[1], *stored = (V *)room[2];
    int *out = (int *)room[3];
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        fill(r, m, n, by_rows, true), fill(c, m, n, by_rows, false);
        sum<Sum, V><<<1, 32>>>(r, c, out, stored, by_rows ? wmma::mem_row_major : wmma::mem_col_major);
        compare(what, out, Sum::num_elements, want_n, figure);
        for (int i = 0; i < 32 * want_n; i++) {
            const Element e = figure(i / want_n / 4, i / want_n % 4, i % want_n);
            const int got = (int)(float)stored[by_rows ? e.row * LD + e.column : e.column * LD + e.row];
            if (got != i / want_n * 8 + i % want_n)
                differs(what, i / want_n, i % want_n, -1, e.row, e.column);
        }
    }
}

template <class V> static void sixteen_bits(const char *what, bool is_half)
{
    using namespace wmma;
    operands<matrix_a, 16, 16, 16, V, V>(what, 16, 16, is_half ? 16 : 8, copies<a16, 8>);
    operands<matrix_b, 16, 16, 16, V, V>(what, 16, 16, is_half ? 16 : 8, copies<beside<b16, 4, 0, 8>, 8>);
    operands<matrix_a, 32, 8, 16, V, V>(what, 32, 16, 16, beside<a16, 8, 16, 0>);
    operands<matrix_b, 32, 8, 16, V, V>(what, 16, 8, is_half ? 16 : 4, copies<b16, 4>);
    operands<matrix_a, 8, 32, 16, V, V>(what, 8, 16, is_half ? 16 : 4, copies<turned<b16>, 4>);
    operands<matrix_b, 8, 32, 16, V, V>(what, 16, 32, 16, turned<beside<a16, 8, 16, 0>>);
}
template <class V> static void bytes(const char *what)
{
    using namespace wmma;
    operands<matrix_a, 16, 16, 16, V, V>(what, 16, 16, 8, a8);
    operands<matrix_b, 16, 16, 16, V, V>(what, 16, 16, 8, beside<b8, 4, 0, 8>);
    operands<matrix_a, 32, 8, 16, V, V>(what, 32, 16, 16, beside<a8, 8, 16, 0>);
    operands<matrix_b, 32, 8, 16, V, V>(what, 16, 8, 4, b8);
    operands<matrix_a, 8, 32, 16, V, V>(what, 8, 16, 4, turned<b8>);
    operands<matrix_b, 8, 32, 16, V, V>(what, 16, 32, 16, turned<beside<a8, 8, 16, 0>>);
}
template <class V> static void sums_of(const char *what)
{
    sums<16, 16, 16, V>(what, 8, beside<c32, 4, 0, 8>);
    sums<32, 8, 16, V>(what, 8, beside<c32, 4, 16, 0>);
    sums<8, 32, 16, V>(what, 8, turned<beside<c32, 4, 16, 0>>);
}

// ---- the copies are not read: a product takes the elements before them ----

template <int m, int n, int k> __global__ void product(const half *a, const half *b, float *d, bool spoil)
{
    wmma::fragment<wmma::matrix_a, m, n, k, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, m, n, k, half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, m, n, k, float> c;
    wmma::load_matrix_sync(x, a, LD);
    wmma::load_matrix_sync(y, b, LD);
    wmma::fill_fragment(c, 1.0f);
    if (spoil)
        for (int i = 0; i < 16; i++) {
            x.x[i] = i < m * k / 32 ? x.x[i] : (half)7.0f;
            y.x[i] = i < n * k / 32 ? y.x[i] : (half)7.0f;
        }
    wmma::mma_sync(c, x, y, c);
    wmma::store_matrix_sync(d, c, LD, wmma::mem_row_major);
}
template <int m, int n, int k> static void products(const char *what)
{
    half *a = (half *)room[0], *b = (half *)room[1];
    float *d = (float *)room[2];
    for (int i = 0; i < 32 * LD; i++)
        a[i] = (half)(float)(i * 5 % 7), b[i] = (half)(float)(i * 3 % 11);
    for (int spoil = 0; spoil < 2; spoil++) {
        product<m, n, k><<<1, 32>>>(a, b, d, spoil);
        bad += cudaDeviceSynchronize() != cudaSuccess;
        for (int r = 0; r < m; r++)
            for (int c = 0; c < n; c++) {
                int want = 1;
                for (int i = 0; i < k; i++)
                    want += (r * LD + i) * 5 % 7 * ((i * LD + c) * 3 % 11);
                if (d[r * LD + c] != (float)want && !bad++)
                    printf("%s: product (%d, %d) is %g, not %d\n", what, r, c, d[r * LD + c], want);
            }
    }
}

// ---- 4 bits and 1 bit: a word of row or column g, the t-th; sums as above ----

template <class T, int k, class Word> __global__ void words(const Word *m, int *out)
{
    wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> b;
    wmma::load_matrix_sync(a, m, 2 * k);
    wmma::load_matrix_sync(b, m, 2 * k);
    out[threadIdx.x * MOST] = (int)a.x[0] + 10000 * (int)b.x[0];
    out[threadIdx.x * MOST + 1] = a.num_elements + 100 * a.num_storage_elements;
}
template <class T, int k, class Word> static void small(const char *what, int elements)
{
    Word *m = (Word *)room[0];
    int *out = (int *)room[3];
    for (int r = 0; r < 8; r++)
        for (int w = 0; w < 8; w++)
            m[r * 8 + w] = (Word)(100 * r + w);
    words<T, k, Word><<<1, 32>>>(m, out);
    bad += cudaDeviceSynchronize() != cudaSuccess;
    for (int lane = 0; lane < 32; lane++) {
        const int word = 100 * (lane / 4) + lane % 4;
        if ((out[lane * MOST] != 10001 * word || out[lane * MOST + 1] != elements + 100) && !bad++)
            printf("%s: lane %d: %d\n", what, lane, out[lane * MOST]);
    }
    sums<8, 8, k, int>(what, 2, c32);
}

int main()
{
    for (void *&r : room)
        r = managed<double>(32 * LD);
    sixteen_bits<half>("half", true);
    sixteen_bits<__nv_bfloat16>("bfloat16", false);
    bytes<signed char>("s8");
    bytes<unsigned char>("u8");
    sums_of<float>("sums in float");
    sums_of<half>("sums in half");
    sums_of<int>("sums in int");
    operands<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, float>("tf32 A", 16, 8, 4, a32);
    operands<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, float>("tf32 B", 8, 16, 4, beside<b32, 2, 0, 8>);
    sums<16, 16, 8, float>("sums of tf32", 8, beside<c32, 4, 0, 8>);
    operands<wmma::matrix_a, 8, 8, 4, double, double>("double A", 8, 4, 1, a64);
    operands<wmma::matrix_b, 8, 8, 4, double, double>("double B", 4, 8, 1, b64);
    sums<8, 8, 4, double>("sums of double", 2, c32);
    small<wmma::experimental::precision::s4, 32, int>("s4", 8);
    small<wmma::experimental::precision::u4, 32, unsigned>("u4", 8);
    small<wmma::experimental::precision::b1, 128, unsigned>("b1", 32);
    products<16, 16, 16>("16 x 16");
    products<32, 8, 16>("32 x 8");
    products<8, 32, 16>("8 x 32");
    for (void *r : room)
        cudaFree(r);
    return bad != 0;
}
