/*
 * mma.c: the arithmetic of the warp's matrix instructions; cpudevice/include/cpudev_mma.h says what is promised.
 *
 * The lanes meet, and the last to come computes for all of them: it unpacks A and B out of the 32 lanes' registers,
 * multiplies, and adds to their accumulators. With g = lane / 4 and t = lane % 4, lane 4g + t holds of A the rows g and
 * g + 8, of B the column g, of D the rows g and g + 8 and the columns 2t and 2t + 1. Register 2i + r of A (row g + 8r)
 * and register i of B hold the same values of k: the t-th piece of the i-th part of k.
 */
#ifdef __GNUC__
#pragma GCC optimize("O3,no-trapping-math") /* loops are to be vectorised, with choices between values in them too */
#endif
#include <stdint.h>
#include <string.h>

#include "cpudev_abi.h"
#include "cpudev_mma.h"
#include "cpudev_smallfloat.h"
#include "cpudevice.h"

#include "observe/observers.h"
#include "exec/thread.h"
#include "warp/warp.h"

enum { M = 16, N = 8, K_MAX = 64 };

/* The values in a register, in the order of k. Products of two of them are exact in float (in int, for s8). */
static inline void unpack_bf16(float *out, uint32_t word)
{
    out[0] = cpudev_bits_float(word << 16);
    out[1] = cpudev_bits_float(word & 0xffff0000u);
}

static inline void unpack_f16(float *out, uint32_t word)
{
    out[0] = cpudev_half_to_float((uint16_t)word);
    out[1] = cpudev_half_to_float((uint16_t)(word >> 16));
}

static inline void unpack_tf32(float *out, uint32_t word) { out[0] = cpudev_bits_float(word & 0xffffe000u); }

static inline void unpack_s8(int *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        out[i] = (int8_t)(word >> (8 * i));
}

/* sum (M x N) += a (M x k) times b (k x N), along the rows of b, which a compiler can do eight at a time. */
static inline void multiply_float(double sum[M][N], const float a[M][K_MAX], const float b[K_MAX][N], int k)
{
    for (int m = 0; m < M; m++)
        for (int i = 0; i < k; i++)
            for (int n = 0; n < N; n++)
                sum[m][n] += (double)(a[m][i] * b[i][n]);
}

static inline void multiply_int(uint32_t sum[M][N], const int a[M][K_MAX], const int b[K_MAX][N], int k)
{
    for (int m = 0; m < M; m++)
        for (int i = 0; i < k; i++)
            for (int n = 0; n < N; n++)
                sum[m][n] += (uint32_t)(a[m][i] * b[i][n]);
}

struct lane {
    void *d;
    const uint32_t *a, *b;
    uint32_t meta;
    int selector;
};

/* All 32 lanes; one that has ended takes part with zeros. */
static void all_lanes(struct lane **all, void *const *lanes)
{
    static const uint32_t zeros[4];
    static __thread uint32_t sink[4];
    static __thread struct lane nobody;
    nobody = (struct lane){sink, zeros, zeros, 0, 0};
    for (int l = 0; l < 32; l++)
        all[l] = lanes[l] ? lanes[l] : &nobody;
}

/* Accumulators in and out: the four of each lane. */
#define EACH_ACCUMULATOR(type, statement)                                                                              \
    for (unsigned l = 0; l < 32; l++) {                                                                                \
        type *d = all[l]->d;                                                                                           \
        for (unsigned i = 0; i < 4; i++) {                                                                             \
            unsigned row = l / 4 + 8 * (i / 2), column = 2 * (l % 4) + i % 2;                                          \
            statement;                                                                                                 \
        }                                                                                                              \
    }

/* Dense: `parts` registers of B (twice as many of A), `per` values a register. */
#define DENSE(name, value, sum_t, result_t, unpack, multiply, parts, per)                                              \
    static void name##_warp(void *const *lanes)                                                                        \
    {                                                                                                                  \
        value a[M][K_MAX], b[K_MAX][N];                                                                                \
        sum_t sum[M][N];                                                                                               \
        struct lane *all[32];                                                                                          \
        all_lanes(all, lanes);                                                                                         \
        for (unsigned l = 0; l < 32; l++) {                                                                            \
            const struct lane *from = all[l];                                                                          \
            unsigned g = l / 4, t = l % 4;                                                                             \
            for (unsigned i = 0; i < parts; i++) {                                                                     \
                unsigned k = i * 4 * per + t * per;                                                                    \
                value column[per];                                                                                     \
                unpack(&a[g][k], from->a[2 * i]);                                                                      \
                unpack(&a[g + 8][k], from->a[2 * i + 1]);                                                              \
                unpack(column, from->b[i]);                                                                            \
                for (unsigned j = 0; j < per; j++)                                                                     \
                    b[k + j][g] = column[j];                                                                           \
            }                                                                                                          \
        }                                                                                                              \
        EACH_ACCUMULATOR(result_t, sum[row][column] = (sum_t)d[i])                                                     \
        multiply(sum, a, b, 4 * parts * per);                                                                          \
        EACH_ACCUMULATOR(result_t, d[i] = (result_t)sum[row][column])                                                  \
    }                                                                                                                  \
    void name(result_t d[4], const uint32_t a[2 * parts], const uint32_t b[parts])                                     \
    {                                                                                                                  \
        struct lane mine = {d, a, b, 0, 0};                                                                            \
        warp_call_at(name##_warp, &mine, __builtin_return_address(0));                                                 \
        warp_multiplies(M, N, 4 * parts * per, __builtin_return_address(0));                                           \
    }

DENSE(cpudev_mma_m16n8k16_bf16, float, double, float, unpack_bf16, multiply_float, 2, 2)
DENSE(cpudev_mma_m16n8k16_f16, float, double, float, unpack_f16, multiply_float, 2, 2)
DENSE(cpudev_mma_m16n8k8_tf32, float, double, float, unpack_tf32, multiply_float, 2, 1)
DENSE(cpudev_mma_m16n8k32_s8, int, uint32_t, int, unpack_s8, multiply_int, 2, 4)

/*
 * Sparse A: lane 4g + t holds of row g + 8r, in register r + 2h, the nonzeros of the half h of k, `per` of them,
 * that is per / 2 groups of four places. The metadata of such a half row is one run of 4-bit groups in k's order;
 * where it lies differs: in 16-bit types in lane 4g + 2 selector + h, bits 16r and up; in 8-bit types in lane
 * 4g + 2h + r, all 32 bits. A is spread out over its places, and the rest is as before.
 */
#define SPARSE(name, value, sum_t, result_t, unpack, multiply, per, meta_of)                                           \
    static void name##_warp(void *const *lanes)                                                                        \
    {                                                                                                                  \
        enum { K = 16 * per };                                                                                         \
        value a[M][K_MAX], b[K_MAX][N];                                                                                \
        sum_t sum[M][N];                                                                                               \
        struct lane *all[32];                                                                                          \
        all_lanes(all, lanes);                                                                                         \
        memset(a, 0, sizeof(a));                                                                                       \
        for (unsigned l = 0; l < 32; l++) {                                                                            \
            const struct lane *from = all[l];                                                                          \
            unsigned g = l / 4, t = l % 4;                                                                             \
            for (unsigned i = 0; i < 4; i++) {                                                                         \
                unsigned r = i % 2, h = i / 2, first = h * (K / 2) + t * 2 * per;                                      \
                const uint32_t *b_word = &from->b[i];                                                                  \
                uint32_t places = meta_of >> (2 * per * t);                                                            \
                value nonzero[per], column[per];                                                                       \
                unpack(nonzero, from->a[i]);                                                                           \
                for (unsigned j = 0; j < per; j++, places >>= 2)                                                       \
                    a[g + 8 * r][first + j / 2 * 4 + (places & 3)] = nonzero[j];                                       \
                unpack(column, *b_word);                                                                               \
                for (unsigned j = 0; j < per; j++)                                                                     \
                    b[i * 4 * per + t * per + j][g] = column[j];                                                       \
            }                                                                                                          \
        }                                                                                                              \
        EACH_ACCUMULATOR(result_t, sum[row][column] = (sum_t)d[i])                                                     \
        multiply(sum, a, b, K);                                                                                        \
        EACH_ACCUMULATOR(result_t, d[i] = (result_t)sum[row][column])                                                  \
    }                                                                                                                  \
    void name(result_t d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta, int selector)                    \
    {                                                                                                                  \
        struct lane mine = {d, a, b, meta, selector};                                                                  \
        warp_call_at(name##_warp, &mine, __builtin_return_address(0));                                                 \
        warp_multiplies(M, N, 16 * per, __builtin_return_address(0));                                                  \
    }
#define META_16 (all[4 * g + 2 * (unsigned)from->selector + h]->meta >> (16 * r))
#define META_8 (all[4 * g + 2 * h + r]->meta)

SPARSE(cpudev_mma_sp_m16n8k32_bf16, float, double, float, unpack_bf16, multiply_float, 2, META_16)
SPARSE(cpudev_mma_sp_m16n8k64_s8, int, uint32_t, int, unpack_s8, multiply_int, 4, META_8)

/* ldmatrix: which lane needs which rows; the lane reads them itself, so that the access is seen as its own. */
struct rows {
    const void *mine, **needed;
    int matrices, transposed;
};

static void rows_warp(void *const *lanes)
{
    for (int l = 0; l < 32; l++) {
        struct rows *to = lanes[l];
        for (int i = 0; to && i < to->matrices; i++) {
            for (int j = 0; j <= to->transposed; j++) {
                struct rows *from = lanes[8 * i + (to->transposed ? 2 * (l % 4) + j : l / 4)];
                to->needed[to->transposed ? 2 * i + j : i] = from ? from->mine : to->mine;
            }
        }
    }
}

void cpudev_ldmatrix_rows(const void *mine, const void **needed, int matrices, int transposed)
{
    struct rows lane = {mine, needed, matrices, transposed};
    warp_call_at(rows_warp, &lane, __builtin_return_address(0));
}

/* wmma. cpudev_mma.h says how a fragment is spread over the lanes. */
struct wmma {
    int m, n, k, type, accumulator, result, saturate;
    void *d;
    const void *a, *b, *c;
};

/* `count` values of a type as double: exact for each of them. */
static void widen(double *out, const void *in, int count, int type)
{
#define WIDEN(ctype, expression)                                                                                       \
    for (int i = 0; i < count; i++) {                                                                                  \
        ctype x = ((const ctype *)in)[i];                                                                              \
        out[i] = expression;                                                                                           \
    }                                                                                                                  \
    break;
    switch (type) {
    case CPUDEV_WMMA_F16: WIDEN(uint16_t, cpudev_half_to_float(x))
    case CPUDEV_WMMA_BF16: WIDEN(uint16_t, cpudev_bf16_to_float(x))
    case CPUDEV_WMMA_TF32: WIDEN(uint32_t, cpudev_bits_float(x & 0xffffe000u))
    case CPUDEV_WMMA_F32: WIDEN(float, x)
    case CPUDEV_WMMA_F64: WIDEN(double, x)
    case CPUDEV_WMMA_S8: WIDEN(int8_t, x)
    case CPUDEV_WMMA_U8: WIDEN(uint8_t, x)
    default: WIDEN(int32_t, x)
    }
#undef WIDEN
}

static int32_t saturated(double x)
{
    return x > 2147483647.0 ? 2147483647 : x < -2147483648.0 ? -2147483647 - 1 : (int32_t)x;
}

static void narrow(void *out, const double *in, int count, int type, int saturate)
{
#define NARROW(ctype, expression)                                                                                      \
    for (int i = 0; i < count; i++) {                                                                                  \
        double x = in[i];                                                                                              \
        ((ctype *)out)[i] = expression;                                                                                \
    }                                                                                                                  \
    break;
    switch (type) {
    case CPUDEV_WMMA_F16: NARROW(uint16_t, cpudev_float_to_half(cpudev_double_to_float_odd(x)))
    case CPUDEV_WMMA_F32: NARROW(float, (float)x)
    case CPUDEV_WMMA_F64: NARROW(double, x)
    default: NARROW(int32_t, saturate ? saturated(x) : (int32_t)(uint32_t)(int64_t)x)
    }
#undef NARROW
}

static int type_bytes(int type)
{
    static const unsigned char bytes[] = {
        [CPUDEV_WMMA_F16] = 2, [CPUDEV_WMMA_BF16] = 2, [CPUDEV_WMMA_TF32] = 4, [CPUDEV_WMMA_F32] = 4,
        [CPUDEV_WMMA_F64] = 8, [CPUDEV_WMMA_S8] = 1,   [CPUDEV_WMMA_U8] = 1,   [CPUDEV_WMMA_S32] = 4};
    return bytes[type];
}

/* From the lanes' fragments to the matrix, line by line without gaps, or back. All but the pointers are constants. */
static inline __attribute__((always_inline)) void exchange_values(enum cpudev_wmma_use use, const int m, const int n,
                                                                  const int k, const int bytes, char *lines,
                                                                  char *const *fragments, const bool gather)
{
    const struct cpudev_wmma_layout l = cpudev_wmma_layout_of(use, m, n, k, 8 * bytes);
    const size_t piece = (size_t)(l.per * bytes);
    for (unsigned lane = 0; lane < 32; lane++) {
#pragma GCC unroll 8
        for (int i = 0; i < l.pieces; i++) {
            char *const at = lines + cpudev_wmma_offset(&l, use, lane, i, (size_t)l.length, true) * (size_t)bytes;
            char *const mine = fragments[lane] + (size_t)i * piece;
            if (gather)
                memcpy(at, mine, piece);
            else
                memcpy(mine, at, piece);
        }
    }
}
static inline __attribute__((always_inline)) void exchange(enum cpudev_wmma_use use, const int m, const int n,
                                                           const int k, int type, char *lines, char *const *fragments,
                                                           const bool gather)
{
    switch (type_bytes(type)) {
    case 1: exchange_values(use, m, n, k, 1, lines, fragments, gather); break;
    case 2: exchange_values(use, m, n, k, 2, lines, fragments, gather); break;
    case 4: exchange_values(use, m, n, k, 4, lines, fragments, gather); break;
    default: exchange_values(use, m, n, k, 8, lines, fragments, gather);
    }
}

/* sum (m x n, by rows) += a (m x k, by rows) times b (k x n, by columns), for constant sizes: four rows by eight
 * columns at a time stay in registers. */
typedef double four __attribute__((vector_size(32)));
static inline __attribute__((always_inline)) void multiply(double *sum, const double *a, const double *b, const int m,
                                                           const int n, const int k)
{
    for (int column = 0; column < n; column += 8) {
        four b8[16][2];
        for (int i = 0; i < k; i++)
            for (int j = 0; j < 8; j++)
                b8[i][j / 4][j % 4] = b[(column + j) * k + i];
        for (int row = 0; row < m; row += 4) {
            four s[4][2];
            for (int r = 0; r < 4; r++)
                memcpy(s[r], sum + (row + r) * n + column, sizeof(s[r]));
            for (int i = 0; i < k; i++)
                for (int r = 0; r < 4; r++)
                    for (int h = 0; h < 2; h++)
                        s[r][h] += a[(row + r) * k + i] * b8[i][h];
            for (int r = 0; r < 4; r++)
                memcpy(sum + (row + r) * n + column, s[r], sizeof(s[r]));
        }
    }
}

/* With 8 x 32 the accumulator's lines are its columns: b times a, both turned. */
static inline __attribute__((always_inline)) void product(void *const *lanes, const struct wmma *w, const int m,
                                                          const int n, const int k)
{
    char matrix[32 * 16 * sizeof(double)], *fragments[32];
    double a[32 * 16], b[32 * 16], sum[32 * 16];
#define GATHER(to, use, from, size, type)                                                                              \
    for (int l = 0; l < 32; l++)                                                                                       \
        fragments[l] = (char *)(uintptr_t)((const struct wmma *)lanes[l])->from;                                       \
    exchange(use, m, n, k, type, matrix, fragments, true);                                                             \
    widen(to, matrix, size, type);
    GATHER(a, CPUDEV_WMMA_A, a, m * k, w->type)
    GATHER(b, CPUDEV_WMMA_B, b, n * k, w->type)
    GATHER(sum, CPUDEV_WMMA_SUM, c, m * n, w->accumulator)
#undef GATHER
    if (m == 8 && n == 32)
        multiply(sum, b, a, n, m, k);
    else
        multiply(sum, a, b, m, n, k);
    narrow(matrix, sum, m * n, w->result, w->saturate);
    for (int l = 0; l < 32; l++)
        fragments[l] = ((const struct wmma *)lanes[l])->d;
    exchange(CPUDEV_WMMA_SUM, m, n, k, w->result, matrix, fragments, false);
}

static void wmma_warp(void *const *lanes)
{
    for (unsigned l = 0; l < 32; l++)
        if (!lanes[l])
            return; /* undefined: a lane has ended */
    const struct wmma first = *(const struct wmma *)lanes[0];
    if (first.m == 32)
        product(lanes, &first, 32, 8, 16);
    else if (first.n == 32)
        product(lanes, &first, 8, 32, 16);
    else if (first.m == 8)
        product(lanes, &first, 8, 8, 4);
    else if (first.k == 8)
        product(lanes, &first, 16, 16, 8);
    else
        product(lanes, &first, 16, 16, 16);
}

void cpudev_wmma(int m, int n, int k, int type, int accumulator, int result, void *d, const void *a, const void *b,
                 const void *c, int saturate)
{
    struct wmma mine = {m, n, k, type, accumulator, result, saturate, d, a, b, c};
    warp_call_at(wmma_warp, &mine, __builtin_return_address(0));
    warp_multiplies(m, n, k, __builtin_return_address(0));
}

static void nothing(void *const *lanes) { (void)lanes; }

unsigned cpudev_wmma_meet(const void *tile, size_t row_bytes)
{
    TELL(tile, tile, row_bytes, __builtin_return_address(0));
    warp_call_at(nothing, NULL, __builtin_return_address(0));
    return cpudev_lane();
}
