/* ptx_mma.c: mma.sync in the shapes and types of the PTX ISA, "Warp-Level Matrix Instructions".
 *
 * The lanes meet, and the last to come computes for all of them. With g = lane / 4, t = lane % 4 and `per` values a
 * register, the layouts that the ISA draws for each shape are one rule:
 *   A  register j: row g + 8 (j % (M / 8)), columns 4 per (j / (M / 8)) + per t and the per - 1 after
 *   B  register j: the same columns as rows, column g
 *   C  value i: row g + 8 (i / 2), column 2 t + i % 2
 * m8n8k4 of half precision has layouts of its own (mma_quads).
 * Products are exact; their sum with C is formed in double (exact for integers), and rounded or wrapped once. A tensor
 * core aligns the products of one step and truncates, so results agree to float rounding, and exactly where every
 * partial sum is exact. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cpudev_ptx_mma.h"
#include "cpudev_smallfloat.h"
#include "warp.h"

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

static void mma_warp(void *const *lanes)
{
    const struct lane *any = NULL;
    for (int l = 0; l < 32 && !any; l++)
        any = lanes[l];
    const cpudev_mma_form *f = any->form;
    const int halves = f->m / 8, per_a = 32 / bits_of(f->a), per = per_a ? per_a : 1;
    const int parts = f->k / (4 * per), values = 2 * halves;
    static __thread double a[M_MOST][K_MOST], b[N_MOST][K_MOST];
    for (unsigned l = 0; l < 32; l++) {
        const unsigned g = l / 4, t = l % 4;
        for (int part = 0; part < parts; part++)
            for (int i = 0; i < per; i++) {
                const int k = part * 4 * per + (int)t * per + i;
                for (int h = 0; h < halves; h++)
                    a[g + 8 * h][k] = value_at(register_of(lanes, l, 0, (unsigned)(part * halves + h)), i, f->a);
                b[g][k] = value_at(register_of(lanes, l, 1, (unsigned)part), i, f->b);
            }
    }
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

void cpudev_mma(const cpudev_mma_form *form, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c)
{
    struct lane mine = {form, d, a, b, c};
    const bool quads = CPUDEV_MMA_IN_QUADS(form->m, form->a);
    warp_call_at(quads ? mma_quads : mma_warp, &mine, __builtin_return_address(0));
    warp_multiplies(quads ? 4 * form->m : form->m, form->n, form->k, __builtin_return_address(0));
}
