/* wgmma_product.c: the arithmetic of wgmma.mma_async, and where its operands lie ("Asynchronous Warpgroup Level Matrix
 * Multiply-Accumulate Operation using wgmma.mma_async" of the PTX ISA).
 *
 * In shared memory an operand is made of core matrices of 8 rows of 16 bytes. K-major, as the bytes of a row go along K:
 *   no swizzle   rows of a core matrix 16 bytes apart; the next along K `leading` bytes on, the next eight rows `stride`
 *   swizzle W    rows W bytes apart, W bytes along K in a row, the next W (of a sparse product with W = 32) `leading` bytes
 *                on; the next eight rows `stride` bytes on
 * MN-major (16-bit types), as the bytes go along M or N:
 *   no swizzle   places along K 16 bytes apart; the next eight of them `leading` bytes on, the next along M/N `stride`
 *   swizzle W    places along K W bytes apart; the next eight `stride` bytes on, the next W bytes along M/N `leading`
 * A swizzle exchanges the 16-byte pieces of the address as a whole: bits 4 and up by the bits from 7 on.
 *
 * Products are exact; those of one instruction are added in fp32 in the order of K, and their sum then to D: one rounding
 * of D an instruction, as on the tensor core, which aligns the products to the largest and truncates.  Integers are exact,
 * and wrap or, with .satfinite, stop at the ends of s32. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "async/wgmma_product.h"
#include "cpudev_smallfloat.h"
#include "exec/held.h"
#include "exec/shared_window.h"
#include "cpudev_must.h"

enum { N_MOST = 256, K_MOST = 64, CHUNK = 16 };

typedef float v8f __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t v8i __attribute__((vector_size(32), aligned(4), may_alias));

/* All that a product needs beside its operands: of the OS thread, as it is too big for a fiber's stack. */
static __thread struct work {
    union {
        float f[K_MOST][N_MOST];
        int32_t i[K_MOST][N_MOST];
        uint64_t bits[N_MOST][4]; /* b1: 256 of a column */
    } b;
    union {
        float f[WGMMA_M][K_MOST];
        int32_t i[WGMMA_M][K_MOST];
        uint64_t bits[WGMMA_M][4];
    } a;
    uint8_t place[WGMMA_M][K_MOST]; /* along K, of each element of a sparse A */
    union {
        float f[N_MOST];
        int32_t i[N_MOST];
    } sum[WGMMA_M];
} * work;

/* ---- where things lie ---- */

wgmma_descriptor wgmma_decode(uint64_t bits)
{
    static const unsigned width[] = {16, 128, 64, 32};
    return (wgmma_descriptor){.start = shared_start((uint32_t)(bits & 0x3fff) << 4),
                              .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                              .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                              .base_offset = (unsigned)(bits >> 49 & 7),
                              .width = width[bits >> 62]};
}

uint32_t wgmma_chunk(const wgmma_descriptor *d, bool turned, unsigned row, unsigned chunk)
{
    const unsigned across = d->width / CHUNK;
    uint32_t address = d->start;
    if (d->width == CHUNK)
        address += turned ? row % 8 * CHUNK + row / 8 * d->leading + chunk * d->stride
                          : row % 8 * CHUNK + row / 8 * d->stride + chunk * d->leading;
    else if (turned)
        address += row % 8 * d->width + row / 8 * d->stride + chunk % across * CHUNK + chunk / across * d->leading;
    else
        address += row % 8 * d->width + row / 8 * d->stride + chunk % across * CHUNK + chunk / across * d->leading;
    return address ^ (((address >> 7) - d->base_offset) & (across - 1)) << 4;
}

/* ---- elements ---- */

int wgmma_bits_of(int format)
{
    return format == CPUDEV_MMA_TF32                               ? 32
           : format == CPUDEV_MMA_F16 || format == CPUDEV_MMA_BF16 ? 16
           : format == CPUDEV_MMA_B1                               ? 1
                                                                   : 8;
}

static float small_floats[2][256];

static void fill_small_floats(void)
{
    for (int i = 0; i < 256; i++) {
        small_floats[0][i] = cpudev_fp8_to_float((uint8_t)i, 3);
        small_floats[1][i] = cpudev_fp8_to_float((uint8_t)i, 2);
    }
}

static const float *small_floats_of(int format)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_small_floats);
    return small_floats[format == CPUDEV_MMA_E5M2];
}

/* The values of 16 bytes, as floats, or for integers as int32_t. Returns how many. */
static int take_chunk(float *to, const void *from, int format)
{
    uint16_t h[8];
    uint32_t w[4];
    uint8_t b[16];
    int32_t number[16];
    memcpy(h, from, CHUNK);
    memcpy(w, from, CHUNK);
    memcpy(b, from, CHUNK);
    switch (format) {
    case CPUDEV_MMA_BF16:
        for (int i = 0; i < 8; i++)
            to[i] = cpudev_bf16_to_float(h[i]);
        return 8;
    case CPUDEV_MMA_F16:
        for (int i = 0; i < 8; i++)
            to[i] = cpudev_half_to_float(h[i]);
        return 8;
    case CPUDEV_MMA_TF32:
        for (int i = 0; i < 4; i++)
            to[i] = cpudev_bits_float(w[i] & 0xffffe000u);
        return 4;
    case CPUDEV_MMA_S8:
    case CPUDEV_MMA_U8:
        for (int i = 0; i < 16; i++)
            number[i] = format == CPUDEV_MMA_S8 ? (int8_t)b[i] : b[i];
        memcpy(to, number, sizeof number);
        return 16;
    default: {
        const float *values = small_floats_of(format);
        for (int i = 0; i < 16; i++)
            to[i] = values[b[i]];
        return 16;
    }
    }
}

static bool integers(const cpudev_wgmma_form *f) { return f->d == CPUDEV_MMA_S32; }

/* An operand of `rows` rows (columns of B) of `bytes` bytes along K, from shared memory, to to[row * row_step +
 * place along K * place_step]. false: it lies outside of shared memory. */
static bool take_operand(float *to, size_t row_step, size_t place_step, uint64_t bits, bool turned, int rows, int bytes,
                         int format)
{
    const wgmma_descriptor d = wgmma_decode(bits);
    const int places = bytes * 8 / wgmma_bits_of(format), lines = turned ? places : rows;
    const int chunks = turned ? rows * wgmma_bits_of(format) / 8 / CHUNK : bytes / CHUNK;
    const size_t line_step = turned ? place_step : row_step, along = turned ? row_step : place_step;
    for (int r = 0; r < lines; r++)
        for (int c = 0; c < chunks; c++) {
            float values[16];
            const void *from = shared_at(wgmma_chunk(&d, turned, (unsigned)r, (unsigned)c), CHUNK);
            if (!from)
                return false;
            const int n = take_chunk(values, from, format);
            float *row = to + (size_t)r * line_step + (size_t)(c * n) * along;
            for (int i = 0; i < n; i++)
                memcpy(&row[(size_t)i * along], &values[i], sizeof(float));
        }
    return true;
}

static bool take_bits(uint64_t (*to)[4], uint64_t bits, int rows)
{
    const wgmma_descriptor d = wgmma_decode(bits);
    for (int r = 0; r < rows; r++)
        for (unsigned c = 0; c < 2; c++) {
            const void *from = shared_at(wgmma_chunk(&d, false, (unsigned)r, c), CHUNK);
            if (!from)
                return false;
            memcpy(&to[r][2 * c], from, CHUNK);
        }
    return true;
}

/* A from registers: register j of a lane holds 4 bytes of row lane / 4 + 8 (j % 2) of its warp's sixteen, from byte
 * 16 (j / 2) + 4 (lane % 4) on. */
static void take_registers(const wgmma_product *p, unsigned char (*rows)[32])
{
    for (int l = 0; l < WARPGROUP; l++)
        for (int j = 0; j < 4; j++)
            memcpy(rows[l / 32 * 16 + l % 32 / 4 + 8 * (j % 2)] + 16 * (j / 2) + 4 * (l % 4), &p->lane[l].a[j], 4);
}

static bool take_a(const wgmma_product *p, struct work *w)
{
    const cpudev_wgmma_form *f = &p->form;
    if (!f->registers && f->a == CPUDEV_MMA_B1)
        return take_bits(w->a.bits, p->a, WGMMA_M);
    if (!f->registers)
        return take_operand(w->a.f[0], K_MOST, 1, p->a, f->trans_a, WGMMA_M, 32, f->a);
    unsigned char rows[WGMMA_M][32];
    take_registers(p, rows);
    for (int r = 0; r < WGMMA_M; r++)
        for (int c = 0; c < 2; c++) {
            if (f->a == CPUDEV_MMA_B1)
                memcpy(&w->a.bits[r][2 * c], rows[r] + CHUNK * c, CHUNK);
            else
                take_chunk(&w->a.f[r][c * (CHUNK * 8 / wgmma_bits_of(f->a))], rows[r] + CHUNK * c, f->a);
        }
    return true;
}

static bool take_b(const wgmma_product *p, struct work *w)
{
    const cpudev_wgmma_form *f = &p->form;
    if (f->b == CPUDEV_MMA_B1)
        return take_bits(w->b.bits, p->b, f->n);
    return take_operand(w->b.f[0], 1, N_MOST, p->b, f->trans_b, f->n, f->k * wgmma_bits_of(f->b) / 8, f->b);
}

/* ---- sparse A ("Sparse Warpgroup Level Matrix ... Metadata") ----
 *
 * A row's metadata are 4 bits for each 8 bytes of K (16-bit elements) or 4 bytes (8-bit): the places, of two bits each, of
 * the two elements of four that are kept. 32-bit elements keep one of two: 0b0100 the first, 0b1110 the second. */

/* The 16 bits of metadata that begin at the part-th element kept of 8. */
static unsigned metadata_at(const wgmma_product *p, int row, int part)
{
    const int lane = row / 16 * 32 + row % 8 * 4, below = row % 16 / 8, pair = 2 * (int)(p->selector & 1);
    if (wgmma_bits_of(p->form.a) == 8) /* lane c of four: row c % 2, half c / 2 of K */
        return p->lane[lane + 2 * (part / 2) + below].metadata >> 16 * (part % 2) & 0xffff;
    return p->lane[lane + pair + part].metadata >> 16 * below & 0xffff; /* lane c of the pair: half c of K */
}

static void find_places(const wgmma_product *p, struct work *w)
{
    const bool wide = wgmma_bits_of(p->form.a) == 32;
    const int kept = p->form.k / 2, each = wide ? 4 : 8; /* kept elements in 16 bits of metadata */
    for (int row = 0; row < WGMMA_M; row++)
        for (int i = 0; i < kept; i++) {
            const unsigned bits = metadata_at(p, row, i / each);
            const unsigned place = wide ? bits >> (4 * (i % 4) + 1) & 1 : bits >> 2 * (i % 8) & 3;
            w->place[row][i] = (uint8_t)(wide ? 2 * i + (int)place : 4 * (i / 2) + (int)place);
        }
}

static void plain_places(const wgmma_product *p, struct work *w)
{
    for (int row = 0; row < WGMMA_M; row++)
        for (int i = 0; i < p->form.k; i++)
            w->place[row][i] = (uint8_t)i;
}

/* ---- sums ---- */

/* sum[0 .. n) = the row of A times B: n a multiple of 8. */
#define ROW_TIMES(name, value, vector, member)                                                                         \
    static void name(value *restrict sum, const value *a, const uint8_t *place, int count, const struct work *w,       \
                     int n)                                                                                            \
    {                                                                                                                  \
        enum { WIDE = 8 };                                                                                             \
        int j = 0;                                                                                                     \
        for (; j + 8 * WIDE <= n; j += 8 * WIDE) {                                                                     \
            vector s[WIDE] = {{0}};                                                                                    \
            for (int i = 0; i < count; i++) {                                                                          \
                const vector *b = (const vector *)&w->b.member[place[i]][j];                                           \
                for (int v = 0; v < WIDE; v++)                                                                         \
                    s[v] += a[i] * b[v];                                                                               \
            }                                                                                                          \
            memcpy(&sum[j], s, sizeof s);                                                                              \
        }                                                                                                              \
        for (; j < n; j += 8) {                                                                                        \
            vector s = {0};                                                                                            \
            for (int i = 0; i < count; i++)                                                                            \
                s += a[i] * *(const vector *)&w->b.member[place[i]][j];                                                \
            memcpy(&sum[j], &s, sizeof s);                                                                             \
        }                                                                                                              \
    }
ROW_TIMES(row_times_float, float, v8f, f)
ROW_TIMES(row_times_int, int32_t, v8i, i)

static void row_times_bits(int32_t *sum, const uint64_t a[4], const struct work *w, const cpudev_wgmma_form *f)
{
    for (int j = 0; j < f->n; j++) {
        sum[j] = 0;
        for (int i = 0; i < 4; i++)
            sum[j] += __builtin_popcountll(f->popc_and ? a[i] & w->b.bits[j][i] : a[i] ^ w->b.bits[j][i]);
    }
}

static void multiply(const wgmma_product *p, struct work *w)
{
    const cpudev_wgmma_form *f = &p->form;
    const int count = f->sparse ? f->k / 2 : f->k;
    for (int r = 0; r < WGMMA_M; r++) {
        if (f->a == CPUDEV_MMA_B1) {
            row_times_bits(w->sum[r].i, w->a.bits[r], w, f);
        } else if (integers(f)) {
            row_times_int(w->sum[r].i, w->a.i[r], w->place[r], count, w, f->n);
        } else {
            for (int i = 0; i < count && f->sign_a * f->sign_b < 0; i++)
                w->a.f[r][i] = -w->a.f[r][i];
            row_times_float(w->sum[r].f, w->a.f[r], w->place[r], count, w, f->n);
        }
    }
}

/* ---- D ---- */

static uint32_t added_int(uint32_t d, int32_t sum, bool saturate)
{
    const int64_t all = (int64_t)(int32_t)d + sum;
    if (saturate && all > INT32_MAX)
        return INT32_MAX;
    if (saturate && all < INT32_MIN)
        return (uint32_t)INT32_MIN;
    return (uint32_t)all;
}

static uint32_t added_float(uint32_t d, float sum)
{
    const float all = cpudev_bits_float(d) + sum;
    return all != all ? 0x7fffffffu : cpudev_float_bits(all);
}

static uint32_t added_halves(uint32_t d, const float *sum)
{
    uint32_t all = 0;
    for (int h = 0; h < 2; h++)
        all |= (uint32_t)cpudev_float_to_half(cpudev_half_to_float((uint16_t)(d >> 16 * h)) + sum[h]) << 16 * h;
    return all;
}

/* Sums of f32 in registers that follow each other: the common case, four at a time. */
static void add_floats(float *d, const struct work *w, int row, int column, int n, int accumulate)
{
    for (int j = 0; j < n / 8; j++, d += 4) {
        const float *above = &w->sum[row].f[column + 8 * j], *below = &w->sum[row + 8].f[column + 8 * j];
        const float sum[4] = {above[0], above[1], below[0], below[1]};
        for (int i = 0; i < 4; i++) {
            const float all = (accumulate ? d[i] : 0) + sum[i];
            d[i] = all == all ? all : cpudev_bits_float(0x7fffffffu);
        }
    }
}

/* A thread's value i (of n / 2): row lane / 4 + 8 (i / 2 % 2) of its warp's sixteen, column 8 (i / 4) + 2 (lane % 4) +
 * i % 2. A register holds one, or two of f16. */
static void add_to_lane(const wgmma_product *p, const struct work *w, int l)
{
    const cpudev_wgmma_form *f = &p->form;
    const bool half = f->d == CPUDEV_MMA_F16;
    const int row = l / 32 * 16 + l % 32 / 4, column = 2 * (l % 4);
    const wgmma_lane *lane = &p->lane[l];
    if (f->d == CPUDEV_MMA_F32 && !lane->scattered) {
        add_floats((float *)lane->d, w, row, column, f->n, p->accumulate);
        return;
    }
    for (int i = 0; i < f->n / 2; i += half ? 2 : 1) {
        const int reg = half ? i / 2 : i;
        uint32_t *to = lane->scattered ? lane->scattered[reg] : lane->d + reg;
        const uint32_t old = p->accumulate ? *to : 0;
        const int r = row + 8 * (i / 2 % 2), c = column + 8 * (i / 4) + i % 2;
        if (half)
            *to = added_halves(old, &w->sum[r].f[c]);
        else if (integers(f))
            *to = added_int(old, w->sum[r].i[c], f->saturate);
        else
            *to = added_float(old, w->sum[r].f[c]);
    }
}

const char *wgmma_compute(const wgmma_product *p)
{
    if (!work && !(work = held_malloc(sizeof *work)))
        out_of_memory();
    if (!take_a(p, work))
        return "its descriptor of A leaves shared memory";
    if (!take_b(p, work))
        return "its descriptor of B leaves shared memory";
    if (p->form.sparse)
        find_places(p, work);
    else if (p->form.a != CPUDEV_MMA_B1)
        plain_places(p, work);
    multiply(p, work);
    for (int l = 0; l < WARPGROUP; l++)
        if (p->lane[l].d)
            add_to_lane(p, work, l);
    return NULL;
}
