/*
 * mma.c: the arithmetic of the warp's matrix instructions; cpudevice/include/cpudev_mma.h says what is promised.
 *
 * Every instruction is one exchange of all the lanes' registers, after which each lane computes its own outputs.
 * With g = lane / 4 and t = lane % 4, lane 4g + t holds of A the rows g and g + 8, of B the column g, of D the rows
 * g and g + 8 and the columns 2t and 2t + 1. Register r + 2i of A and register i of B hold the same values of k,
 * namely those that belong to t; so a dot product runs over t and i without a thought for k. Sparse A picks its k,
 * and there B is unpacked in the order of k.
 */
#include <stdint.h>
#include <string.h>

#include "cpudev_mma.h"
#include "cpudev_smallfloat.h"

static float bf16(uint32_t pair, int i)
{
    return cpudev_bits_float(i ? pair & 0xffff0000u : pair << 16);
}

static float f16(uint32_t pair, int i)
{
    return cpudev_half_to_float((uint16_t)(pair >> (16 * i)));
}

static float tf32(uint32_t word, int i)
{
    (void)i;
    return cpudev_bits_float(word & 0xffffe000u);
}

static int s8(uint32_t word, int i)
{
    return (int8_t)(word >> (8 * i));
}

/* Dense: `steps` registers of B (half as many rows of A's registers), `per` values a register. */
#define DENSE(name, value, sum_t, result_t, value_at, steps, per)                                     \
    void name(result_t d[4], const uint32_t a[2 * steps], const uint32_t b[steps])                    \
    {                                                                                                 \
        struct { uint32_t a[2 * steps], b[steps]; } mine, all[32];                                    \
        unsigned lane = cpudev_lane(), g = lane / 4, n = 2 * (lane % 4);                              \
        sum_t sum[4] = {(sum_t)d[0], (sum_t)d[1], (sum_t)d[2], (sum_t)d[3]};                          \
        memcpy(mine.a, a, sizeof(mine.a));                                                            \
        memcpy(mine.b, b, sizeof(mine.b));                                                            \
        cpudev_warp_allgather(0xffffffffu, &mine, all, sizeof(mine));                                 \
        for (unsigned t = 0; t < 4; t++) {                                                            \
            const uint32_t *rows = all[4 * g + t].a;                                                  \
            const uint32_t *left = all[4 * n + t].b, *right = all[4 * n + 4 + t].b;                   \
            for (int i = 0; i < steps; i++) {                                                         \
                for (int j = 0; j < per; j++) {                                                       \
                    value top = value_at(rows[2 * i], j), bottom = value_at(rows[2 * i + 1], j);      \
                    value b0 = value_at(left[i], j), b1 = value_at(right[i], j);                      \
                    sum[0] += (sum_t)top * (sum_t)b0;                                                 \
                    sum[1] += (sum_t)top * (sum_t)b1;                                                 \
                    sum[2] += (sum_t)bottom * (sum_t)b0;                                              \
                    sum[3] += (sum_t)bottom * (sum_t)b1;                                              \
                }                                                                                     \
            }                                                                                         \
        }                                                                                             \
        for (int i = 0; i < 4; i++)                                                                   \
            d[i] = (result_t)sum[i];                                                                  \
    }

DENSE(cpudev_mma_m16n8k8_bf16, float, double, float, bf16, 1, 2)
DENSE(cpudev_mma_m16n8k8_f16, float, double, float, f16, 1, 2)
DENSE(cpudev_mma_m16n8k16_bf16, float, double, float, bf16, 2, 2)
DENSE(cpudev_mma_m16n8k16_f16, float, double, float, f16, 2, 2)
DENSE(cpudev_mma_m16n8k8_tf32, float, double, float, tf32, 2, 1)
DENSE(cpudev_mma_m16n8k32_s8, int, uint32_t, int, s8, 2, 4)

/* Half accumulators: the two columns of a row in one register. */
static void to_half_pairs(uint32_t d[2], const float f[4])
{
    for (int i = 0; i < 2; i++)
        d[i] = cpudev_float_to_half(f[2 * i]) | (uint32_t)cpudev_float_to_half(f[2 * i + 1]) << 16;
}

void cpudev_mma_m16n8k16_f16_f16(uint32_t d[2], const uint32_t a[4], const uint32_t b[2])
{
    float f[4] = {f16(d[0], 0), f16(d[0], 1), f16(d[1], 0), f16(d[1], 1)};
    cpudev_mma_m16n8k16_f16(f, a, b);
    to_half_pairs(d, f);
}

/*
 * Sparse A: lane 4g + t holds of row g + 8r, in register r + 2h, the nonzeros of the half h of k, `per` of them,
 * that is per / 2 groups of four places. The metadata of such a half row is one run of 4-bit groups in k's order;
 * where it lies differs: in 16-bit types in lane 4g + 2 selector + h, bits 16r and up; in 8-bit types in lane
 * 4g + 2h + r, all 32 bits.
 */
#define SPARSE(name, value, sum_t, result_t, value_at, per, meta_of)                                  \
    void name(result_t d[4], const uint32_t a[4], const uint32_t b[4], uint32_t meta, int selector)   \
    {                                                                                                 \
        enum { K = 16 * per, RUN = 4 * per };                                                         \
        struct { uint32_t a[4], b[4], meta; } mine, all[32];                                          \
        unsigned lane = cpudev_lane(), g = lane / 4, n = 2 * (lane % 4);                              \
        value column[2][K];                                                                           \
        memcpy(mine.a, a, sizeof(mine.a));                                                            \
        memcpy(mine.b, b, sizeof(mine.b));                                                            \
        mine.meta = meta;                                                                             \
        cpudev_warp_allgather(0xffffffffu, &mine, all, sizeof(mine));                                 \
        for (unsigned c = 0; c < 2; c++)                                                              \
            for (unsigned i = 0; i < 4; i++)                                                          \
                for (unsigned t = 0; t < 4; t++)                                                      \
                    for (unsigned j = 0; j < per; j++)                                                \
                        column[c][i * RUN + t * per + j] = value_at(all[4 * (n + c) + t].b[i], (int)j); \
        for (unsigned r = 0; r < 2; r++) {                                                            \
            sum_t sum0 = (sum_t)d[2 * r], sum1 = (sum_t)d[2 * r + 1];                                 \
            for (unsigned h = 0; h < 2; h++) {                                                        \
                uint32_t places = meta_of;                                                            \
                for (unsigned t = 0; t < 4; t++) {                                                    \
                    uint32_t nonzeros = all[4 * g + t].a[r + 2 * h];                                  \
                    for (unsigned j = 0; j < per; j++, places >>= 2) {                                \
                        unsigned group = h * (K / 8) + t * (per / 2) + j / 2, k = 4 * group + (places & 3); \
                        value v = value_at(nonzeros, (int)j);                                         \
                        sum0 += (sum_t)v * (sum_t)column[0][k];                                       \
                        sum1 += (sum_t)v * (sum_t)column[1][k];                                       \
                    }                                                                                 \
                }                                                                                     \
            }                                                                                         \
            d[2 * r] = (result_t)sum0;                                                                \
            d[2 * r + 1] = (result_t)sum1;                                                            \
        }                                                                                             \
    }

SPARSE(cpudev_mma_sp_m16n8k32_bf16, float, double, float, bf16, 2,
       all[4 * g + 2 * (unsigned)selector + h].meta >> (16 * r))
SPARSE(cpudev_mma_sp_m16n8k32_f16, float, double, float, f16, 2,
       all[4 * g + 2 * (unsigned)selector + h].meta >> (16 * r))
SPARSE(cpudev_mma_sp_m16n8k64_s8, int, uint32_t, int, s8, 4, ((void)selector, all[4 * g + 2 * h + r].meta))

/*
 * wmma. A fragment's layout is the implementation's own: here the matrix in a fixed order (A by rows, B by columns,
 * accumulators by rows), cut into 32 equal runs, one a lane. After the exchange each lane sees whole matrices.
 */
static size_t type_size(int type)
{
    switch (type) {
    case CPUDEV_WMMA_F16:
    case CPUDEV_WMMA_BF16: return 2;
    case CPUDEV_WMMA_S8:
    case CPUDEV_WMMA_U8: return 1;
    case CPUDEV_WMMA_F64: return 8;
    default: return 4;
    }
}

/* `count` values of a type as double: exact for each of them. */
static void widen(double *out, const void *in, int count, int type)
{
    const uint16_t *h = in;
    const uint32_t *w = in;
    const int8_t *s = in;
    for (int i = 0; i < count; i++) {
        switch (type) {
        case CPUDEV_WMMA_F16: out[i] = cpudev_half_to_float(h[i]); break;
        case CPUDEV_WMMA_BF16: out[i] = cpudev_bf16_to_float(h[i]); break;
        case CPUDEV_WMMA_TF32: out[i] = tf32(w[i], 0); break;
        case CPUDEV_WMMA_F32: out[i] = ((const float *)in)[i]; break;
        case CPUDEV_WMMA_F64: out[i] = ((const double *)in)[i]; break;
        case CPUDEV_WMMA_S8: out[i] = s[i]; break;
        case CPUDEV_WMMA_U8: out[i] = (uint8_t)s[i]; break;
        default: out[i] = ((const int *)in)[i]; break;
        }
    }
}

enum { K_MAX = 16, BYTES_MAX = 64 }; /* values of k; bytes of A and B that a lane holds */

/* The k values of line `line` (a row of A, a column of B), out of runs of `run` (a divisor of k), one a lane. */
static void line_of(double *out, const unsigned char *all, size_t stride, int line, int k, int run, int type)
{
    const unsigned char *from = all + stride * (size_t)(line * (k / run));
    for (int i = 0; i < k; i += run, from += stride)
        widen(out + i, from, run, type);
}

void cpudev_wmma(int m, int n, int k, int type, int accumulator, int result, void *d, const void *a, const void *b,
                 const void *c, int saturate)
{
    int lane = (int)cpudev_lane(), a_run = m * k / 32, b_run = n * k / 32, run = m * n / 32;
    size_t a_bytes = (size_t)a_run * type_size(type), bytes = a_bytes + (size_t)b_run * type_size(type);
    unsigned char mine[BYTES_MAX], all[32 * BYTES_MAX];
    double row[K_MAX], column[K_MAX], sum[8];
    memcpy(mine, a, a_bytes);
    memcpy(mine + a_bytes, b, bytes - a_bytes);
    cpudev_warp_allgather(0xffffffffu, mine, all, (unsigned)bytes);
    /* A lane's outputs are a run within one row. */
    widen(sum, c, run, accumulator);
    line_of(row, all, bytes, lane * run / n, k, a_run, type);
    for (int j = 0; j < run; j++) {
        line_of(column, all + a_bytes, bytes, lane * run % n + j, k, b_run, type);
        for (int i = 0; i < k; i++)
            sum[j] += row[i] * column[i];
    }
    for (int j = 0; j < run; j++) {
        switch (result) {
        case CPUDEV_WMMA_F16: ((uint16_t *)d)[j] = (uint16_t)cpudev_double_to_small(sum[j], 10, 5, CPUDEV_RN); break;
        case CPUDEV_WMMA_F32: ((float *)d)[j] = (float)sum[j]; break;
        case CPUDEV_WMMA_F64: ((double *)d)[j] = sum[j]; break;
        default:
            if (saturate && sum[j] > 2147483647.0)
                ((int *)d)[j] = 2147483647;
            else if (saturate && sum[j] < -2147483648.0)
                ((int *)d)[j] = -2147483647 - 1;
            else
                ((int *)d)[j] = (int)(uint32_t)(int64_t)sum[j];
        }
    }
}
