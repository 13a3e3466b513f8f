/* ptx_mma.c: mma.sync and mma.sp in the shapes and types of the PTX ISA, "Warp-Level Matrix Instructions".
 *
 * The lanes meet, and the last to come computes for all of them. With g = lane / 4, t = lane % 4 and `per` values a
 * register, the layouts that the ISA draws for each shape are one rule:
 *   A  register j: row g + 8 (j % (M / 8)), columns 4 per (j / (M / 8)) + per t and the per - 1 after
 *   B  register j: the same columns as rows, column g
 *   C  value i: row g + 8 (i / 2), column 2 t + i % 2
 * m8n8k4 of half precision has layouts of its own (mma_quads); of a sparse A the columns are those of what it holds
 * (sparse_rows).
 * Products are exact; their sum with C is formed in double (exact for integers), and rounded or wrapped once. A tensor
 * core aligns the products of one step and truncates, so results agree to float rounding, and exactly where every
 * partial sum is exact. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cpudev_abi.h"
#include "cpudev_smallfloat.h"
#include "warp/warp.h"

enum { M_MOST = 16, N_MOST = 8, K_MOST = 256 };

static int bits_of(int format)
{
    switch (format) {
    case CPUDEV_MMA_B1: return 1;
    case CPUDEV_MMA_S4:
    case CPUDEV_MMA_U4: return 4;
    case CPUDEV_MMA_S8:
    case CPUDEV_MMA_U8:
    case CPUDEV_MMA_E4M3:
    case CPUDEV_MMA_E5M2: return 8;
    case CPUDEV_MMA_F16:
    case CPUDEV_MMA_BF16: return 16;
    case CPUDEV_MMA_F64: return 64;
    default: return 32;
    }
}

/* The i-th value of a register as a number that double holds exactly. */
static double value_at(uint64_t reg, int i, int format)
{
    const int bits = bits_of(format);
    const uint64_t x = bits == 64 ? reg : reg >> (i * bits) & (((uint64_t)1 << bits) - 1);
    switch (format) {
    case CPUDEV_MMA_F16: return cpudev_half_to_float((uint16_t)x);
    case CPUDEV_MMA_BF16: return cpudev_bf16_to_float((uint16_t)x);
    case CPUDEV_MMA_TF32: return cpudev_bits_float((uint32_t)x & 0xffffe000u);
    case CPUDEV_MMA_F32: return cpudev_bits_float((uint32_t)x);
    case CPUDEV_MMA_F64: return cpudev_bits_double(x);
    case CPUDEV_MMA_E4M3: return cpudev_fp8_to_float((uint8_t)x, 3);
    case CPUDEV_MMA_E5M2: return cpudev_fp8_to_float((uint8_t)x, 2);
    case CPUDEV_MMA_S8: return (int8_t)x;
    case CPUDEV_MMA_S4: return (int8_t)(x << 4) >> 4;
    case CPUDEV_MMA_S32: return (int32_t)x;
    default: return (double)x;
    }
}

struct lane {
    const cpudev_mma_form *form;
    uint64_t *d;
    const uint64_t *a, *b, *c;
    uint32_t meta, selector;
};

static uint64_t register_of(void *const *lanes, unsigned l, int which, unsigned j)
{
    const struct lane *from = lanes[l];
    if (!from) /* a lane that has ended takes part with zeros */
        return 0;
    return which == 0 ? from->a[j] : which == 1 ? from->b[j] : from->c[j];
}

/* D's value i goes to its register: two of 16 bits share one. */
static void put_value(struct lane *to, unsigned i, double sum, const cpudev_mma_form *f)
{
    switch (f->d) {
    case CPUDEV_MMA_F32: to->d[i] = cpudev_float_bits((float)sum); break;
    case CPUDEV_MMA_F64: to->d[i] = cpudev_double_bits(sum); break;
    case CPUDEV_MMA_S32:
        if (f->saturate)
            to->d[i] = (uint32_t)(sum > 2147483647.0    ? 2147483647
                                  : sum < -2147483648.0 ? -2147483647 - 1
                                                        : (int32_t)sum);
        else
            to->d[i] = (uint32_t)(int64_t)sum;
        break;
    default: { /* f16 */
        const uint64_t half = cpudev_double_to_small(sum, 10, 5, CPUDEV_RN);
        to->d[i / 2] = i % 2 ? (to->d[i / 2] & 0xffff) | half << 16 : half;
    }
    }
}

static double dot(const cpudev_mma_form *f, const double *a, const double *b, double c)
{
    double sum = 0;
    if (f->a == CPUDEV_MMA_B1) {
        for (int k = 0; k < f->k; k++)
            sum += f->popc_and ? a[k] * b[k] : a[k] != b[k];
    } else {
        for (int k = 0; k < f->k; k++)
            sum += a[k] * b[k];
    }
    return sum + c;
}

/* Values in a register, of which f64 takes more than 32 bits. */
static int values_in(int format) { return bits_of(format) > 32 ? 1 : 32 / bits_of(format); }

/* Row g of A, or column g of B, each of which has `every` registers for the same part of k: of them the r-th. */
static void dense_rows(void *const *lanes, int which, int format, unsigned every, unsigned r, int k,
                       double (*to)[K_MOST])
{
    const int per = values_in(format), parts = k / (4 * per);
    for (unsigned l = 0; l < 32; l++)
        for (int part = 0; part < parts; part++)
            for (int i = 0; i < per; i++)
                to[l / 4][(4 * part + (int)(l % 4)) * per + i] =
                    value_at(register_of(lanes, l, which, (unsigned)part * every + r), i, format);
}

/* Rows g + 8r of a sparse A, of which a lane holds `per` of 2 per places in each half of k, or in all of it. Their
 * metadata are two bits a value: its place among four, the lower first. tf32 has one value in two places, and four bits
 * for it, of halves as wide as f16's; 4-bit integers come in pairs, two bits a pair. So a row of a part has 16 bits, of
 * lane 4g + the part's number, or, for smaller values, 32 of lane 4g + 2 part + r. Where that leaves lanes of the four
 * over, the selector says which are meant ("Sparse matrix storage"). */
static void sparse_rows(void *const *lanes, const cpudev_mma_form *f, unsigned r, double (*to)[K_MOST])
{
    const int per = values_in(f->a), parts = f->k / (8 * per);
    const unsigned bits = f->a == CPUDEV_MMA_TF32 ? 4 : per == 8 ? 8 : 2 * (unsigned)per, in_lane = 32 / (4 * bits);
    const unsigned lanes_meant = 2 * (unsigned)parts / in_lane;
    for (unsigned l = 0; l < 32; l++)
        for (int part = 0; part < parts; part++) {
            double *const row = to[l / 4] + (4 * part + (int)(l % 4)) * 2 * per;
            const uint64_t held = register_of(lanes, l, 0, 2 * (unsigned)part + r);
            const struct lane *here = lanes[l];
            const unsigned chosen = here ? here->selector % (4 / lanes_meant) * lanes_meant : 0;
            const struct lane *from =
                lanes[l / 4 * 4 + chosen + (in_lane == 2 ? (unsigned)part : 2 * (unsigned)part + r)];
            const uint32_t meta = (from ? from->meta : 0) >> (in_lane == 2 ? 16 * r : 0) >> (l % 4 * bits);
            memset(row, 0, 2 * (size_t)per * sizeof *row);
            for (int i = 0; i < per; i++) {
                const int place = f->a == CPUDEV_MMA_TF32 ? (int)(meta >> 1 & 1)
                                  : per == 8              ? i / 4 * 8 + (int)(meta >> i / 2 * 2 & 3) * 2 + i % 2
                                                          : i / 2 * 4 + (int)(meta >> 2 * i & 3);
                row[place] = value_at(held, i, f->a);
            }
        }
}

static void mma_warp(void *const *lanes)
{
    const struct lane *any = NULL;
    for (int l = 0; l < 32 && !any; l++)
        any = lanes[l];
    const cpudev_mma_form *f = any->form;
    const int halves = f->m / 8, values = 2 * halves;
    static __thread double a[M_MOST][K_MOST], b[N_MOST][K_MOST];
    for (unsigned r = 0; r < (unsigned)halves; r++) {
        if (f->sparse)
            sparse_rows(lanes, f, r, a + 8 * r);
        else
            dense_rows(lanes, 0, f->a, (unsigned)halves, r, f->k, a + 8 * r);
    }
    dense_rows(lanes, 1, f->b, 1, 0, f->k, b);
    for (unsigned l = 0; l < 32; l++) {
        struct lane *to = lanes[l];
        for (int i = 0; to && i < values; i++) {
            const int packed = f->c == CPUDEV_MMA_F16;
            const double c = value_at(to->c[packed ? i / 2 : i], packed ? i % 2 : 0, f->c);
            put_value(to, (unsigned)i, dot(f, a[l / 4 + 8 * (i / 2)], b[2 * (l % 4) + i % 2], c), f);
        }
    }
}

/* Lane i of eight: of A row i, or by columns column i % 4 and four rows; of B column i, or by rows row i % 4 and four
 * columns; of C and D row i in f16, two rows of four columns in f32 ("Matrix Fragments for mma.m8n8k4"). */
static void mma_quad(void *const *lanes, const cpudev_mma_form *f, const unsigned *eight)
{
    double a[8][4], b[8][4], c[8][8]; /* b by columns */
    unsigned row[8][8], column[8][8];
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned v = 0; v < 4; v++) {
            const double of_a = value_at(register_of(lanes, eight[i], 0, v / 2), v % 2, CPUDEV_MMA_F16);
            const double of_b = value_at(register_of(lanes, eight[i], 1, v / 2), v % 2, CPUDEV_MMA_F16);
            *(f->col_a ? &a[i / 4 * 4 + v][i % 4] : &a[i][v]) = of_a;
            *(f->row_b ? &b[i / 4 * 4 + v][i % 4] : &b[i][v]) = of_b;
        }
        for (unsigned v = 0; v < 8; v++) {
            const bool packed = f->c == CPUDEV_MMA_F16, of_d = f->d == CPUDEV_MMA_F16;
            const unsigned r = i / 4 * 4 + (i & 1) + (v & 2), n = (v & 4) + (i & 2) + (v & 1);
            row[i][v] = of_d ? i : r;
            column[i][v] = of_d ? v : n;
            c[packed ? i : r][packed ? v : n] =
                value_at(register_of(lanes, eight[i], 2, packed ? v / 2 : v), packed ? v % 2 : 0, f->c);
        }
    }
    for (unsigned i = 0; i < 8; i++)
        for (unsigned v = 0; v < 8 && lanes[eight[i]]; v++) {
            const unsigned r = row[i][v], n = column[i][v];
            put_value(lanes[eight[i]], v, dot(f, a[r], b[n], c[r][n]), f);
        }
}

static void mma_quads(void *const *lanes)
{
    const struct lane *any = NULL;
    for (int l = 0; l < 32 && !any; l++)
        any = lanes[l];
    for (unsigned q = 0; q < 4; q++) {
        unsigned eight[8];
        for (unsigned i = 0; i < 8; i++)
            eight[i] = 4 * q + i % 4 + i / 4 * 16;
        mma_quad(lanes, any->form, eight);
    }
}

void cpudev_mma(const cpudev_mma_form *form, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                uint32_t meta, uint32_t selector)
{
    struct lane mine = {form, d, a, b, c, meta, selector};
    const bool quads = CPUDEV_MMA_IN_QUADS(form->m, form->a);
    warp_call_at(quads ? mma_quads : mma_warp, &mine, __builtin_return_address(0));
    warp_multiplies(quads ? 4 * form->m : form->m, form->n, form->k, __builtin_return_address(0));
}
