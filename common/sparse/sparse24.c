/* sparse24.c: 2:4 sparsity (sparse.h): where the metadata lies, which two of four are kept, and a matrix to its
 * compressed form and back; and the 4 x 4 tiles that are 2:4 along rows and columns at once. Nothing is allocated. */
#include "sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sparse24_padded(size_t columns)
{
    return (columns + SPARSE24_COLUMNS - 1) / SPARSE24_COLUMNS * SPARSE24_COLUMNS;
}

size_t sparse24_ld(size_t columns) { return sparse24_padded(columns) / 2; }

size_t sparse24_value_count(size_t rows, size_t columns) { return rows * sparse24_ld(columns); }

size_t sparse24_meta_words(size_t rows, size_t columns)
{
    return (rows + SPARSE24_ROWS - 1) / SPARSE24_ROWS * (sparse24_padded(columns) / SPARSE24_COLUMNS) *
           SPARSE24_TILE_WORDS;
}

size_t sparse24_bytes(size_t rows, size_t columns, size_t element_bytes)
{
    return sparse24_value_count(rows, columns) * element_bytes + sparse24_meta_words(rows, columns) * 4;
}

void sparse24_place(size_t row, size_t column, size_t columns, size_t element_bytes, size_t *word, unsigned *bit)
{
    size_t tile = row / SPARSE24_ROWS * (sparse24_padded(columns) / SPARSE24_COLUMNS) + column / SPARSE24_COLUMNS;
    unsigned g = row % 8, h = row / 8 % 2;
    unsigned lane;
    if (element_bytes == 2) {
        lane = 4 * g + (unsigned)(column / 16 % 4);
        *bit = 16 * h + 4 * (unsigned)(column / 4 % 4);
    } else {
        lane = 4 * g + 2 * (unsigned)(column / 32 % 2) + h;
        *bit = 4 * (unsigned)(column / 4 % 8);
    }
    *word = tile * SPARSE24_TILE_WORDS + lane;
}

/* The places of the two largest keys; of equal keys the earlier. */
static unsigned pick(const unsigned key[4])
{
    unsigned first = 0, second;
    for (unsigned i = 1; i < 4; i++)
        if (key[i] > key[first])
            first = i;
    second = first == 0;
    for (unsigned i = second + 1; i < 4; i++)
        if (i != first && key[i] > key[second])
            second = i;
    return first < second ? first | second << 2 : second | first << 2;
}

unsigned sparse24_pick_bf16(const uint16_t group[4])
{
    unsigned key[4]; /* the bits without the sign order bf16 by magnitude, and put NaN above infinity */
    for (int i = 0; i < 4; i++)
        key[i] = group[i] & 0x7fffu;
    return pick(key);
}

unsigned sparse24_pick_s8(const int8_t group[4])
{
    unsigned key[4];
    for (int i = 0; i < 4; i++)
        key[i] = (unsigned)abs(group[i]);
    return pick(key);
}

/* The three functions below are the same for both element types but for one name; a macro keeps them so. */
#define SPARSE24_OF(NAME, TYPE)                                                                                        \
    void sparse24_compress_##NAME(const TYPE *source, size_t rows, size_t columns, size_t ld, TYPE *values,            \
                                  uint32_t *meta)                                                                      \
    {                                                                                                                  \
        size_t padded = sparse24_padded(columns),                                                                      \
               padded_rows = (rows + SPARSE24_ROWS - 1) / SPARSE24_ROWS * SPARSE24_ROWS;                               \
        memset(meta, 0, sparse24_meta_words(rows, columns) * sizeof *meta);                                            \
        for (size_t r = 0; r < padded_rows; r++)                                                                       \
            for (size_t c = 0; c < padded; c += 4) {                                                                   \
                TYPE group[4] = {0, 0, 0, 0};                                                                          \
                for (size_t i = 0; i < 4 && r < rows && c + i < columns; i++)                                          \
                    group[i] = source[r * ld + c + i];                                                                 \
                unsigned places = sparse24_pick_##NAME(group), bit;                                                    \
                size_t word;                                                                                           \
                sparse24_place(r, c, columns, sizeof(TYPE), &word, &bit);                                              \
                meta[word] |= places << bit;                                                                           \
                if (r < rows) {                                                                                        \
                    values[r * (padded / 2) + c / 2] = group[places & 3];                                              \
                    values[r * (padded / 2) + c / 2 + 1] = group[places >> 2];                                         \
                }                                                                                                      \
            }                                                                                                          \
    }                                                                                                                  \
    int sparse24_decompress_##NAME(const TYPE *values, const uint32_t *meta, size_t rows, size_t columns, TYPE *dense, \
                                   size_t ld, const char **why)                                                        \
    {                                                                                                                  \
        size_t padded = sparse24_padded(columns);                                                                      \
        for (size_t r = 0; r < rows; r++)                                                                              \
            for (size_t c = 0; c < padded; c += 4) {                                                                   \
                size_t word;                                                                                           \
                unsigned bit;                                                                                          \
                sparse24_place(r, c, columns, sizeof(TYPE), &word, &bit);                                              \
                unsigned places = meta[word] >> bit & 15, first = places & 3, second = places >> 2;                    \
                if (first >= second) {                                                                                 \
                    if (why)                                                                                           \
                        *why = "2:4 metadata: the two places of a group are equal or descending";                      \
                    return -1;                                                                                         \
                }                                                                                                      \
                for (size_t i = 0; i < 4 && c + i < columns; i++)                                                      \
                    dense[r * ld + c + i] = i == first    ? values[r * (padded / 2) + c / 2]                           \
                                            : i == second ? values[r * (padded / 2) + c / 2 + 1]                       \
                                                          : (TYPE)0;                                                   \
            }                                                                                                          \
        return 0;                                                                                                      \
    }

SPARSE24_OF(bf16, uint16_t)
SPARSE24_OF(s8, int8_t)

int sparse24_holds_bf16(const uint16_t *dense, size_t rows, size_t columns, size_t ld)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c += 4) {
            int nonzero = 0;
            for (size_t i = 0; i < 4 && c + i < columns; i++)
                nonzero += (dense[r * ld + c + i] & 0x7fff) != 0;
            if (nonzero > 2)
                return 0;
        }
    return 1;
}

static float tile_magnitude(uint16_t bits)
{
    unsigned m = bits & 0x7fffu;
    uint32_t f = (m < 0x7c00u ? m : 0x7c00u) << 16; /* 0x7c00 is 2^121: eight of them do not overflow */
    float x;
    memcpy(&x, &f, sizeof x);
    return x;
}

static float tagged(float sum, unsigned mask, unsigned tag)
{
    uint32_t u;
    memcpy(&u, &sum, sizeof u);
    u = (u & ~mask) | tag;
    memcpy(&sum, &u, sizeof u);
    return sum;
}

static unsigned tag_of(float tagged_sum, unsigned mask)
{
    uint32_t u;
    memcpy(&u, &tagged_sum, sizeof u);
    return u & mask;
}

static float larger(float a, float b) { return a > b ? a : b; }

/* The 90 patterns fall into three kinds by the columns that the upper two rows use. (Hu et al., "Accelerating
 * Transformer Pre-training with 2:4 Sparsity", 2024, search all 90 by a convolution.) Pairs of columns are numbered
 * 01 02 03 12 13 23, so that pair 5 - p is what pair p leaves; p is (i, j), and what it leaves (k, l).
 *   equal          rows 0 and 1 keep the pair p, rows 2 and 3 the other: 6
 *   complementary  row 0 keeps p, row 1 what it leaves; row 2 keeps q, row 3 what it leaves: 36
 *   shared         rows 0 and 1 both keep k, or both l, and rows 2 and 3 the other; of i and j one row of each half
 *                  takes one and the other row the other: 6 x 2 x 2 x 2 = 48
 * With m[r][c] the magnitudes, D = m[0] - m[1], G = m[2] - m[3], E = m[0] + m[1] - m[2] - m[3], Q = m[1] - m[2]:
 *   equal          m[2] + m[3] over all columns  +  E_i + E_j
 *   complementary  m[1] + m[3] over all columns  +  D_i + D_j  +  G_i + G_j (of the pair q)
 *   shared         m[2] + m[3] over all columns  +  Q_i + Q_j + max(D_i, D_j) + max(G_i, G_j) + max(E_k, E_l)
 * so that a handful of differences serves all of them. Sums carry which pattern they are in their lowest bits. */
static const unsigned char pair_i[6] = {0, 0, 0, 1, 1, 2}, pair_j[6] = {1, 2, 3, 2, 3, 3};

unsigned sparse24_pick_tile_bf16(const uint16_t *tile, size_t ld)
{
    float m[4][4], D[4], E[4], G[4], Q[4], bottom[4];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            m[r][c] = tile_magnitude(tile[r * ld + c]);
    for (int c = 0; c < 4; c++) {
        bottom[c] = m[2][c] + m[3][c];
        D[c] = m[0][c] - m[1][c];
        G[c] = m[2][c] - m[3][c];
        E[c] = (m[0][c] + m[1][c]) - bottom[c];
        Q[c] = m[1][c] - m[2][c];
    }
    float equal = -INFINITY, upper = -INFINITY, lower = -INFINITY, shared = -INFINITY;
    for (unsigned p = 0; p < 6; p++) {
        int i = pair_i[p], j = pair_j[p], k = pair_i[5 - p], l = pair_j[5 - p];
        equal = larger(equal, tagged(E[i] + E[j], 7, p));
        upper = larger(upper, tagged(D[i] + D[j], 7, p));
        lower = larger(lower, tagged(G[i] + G[j], 7, p));
        /* bit 0: the upper half is crossed (row 0 keeps j); bit 1: the lower half is; bit 2: the upper rows share l */
        unsigned crossed = (D[j] > D[i]) | (unsigned)(G[j] > G[i]) << 1 | (unsigned)(E[l] > E[k]) << 2;
        float sum = ((Q[i] + Q[j]) + larger(D[i], D[j])) + (larger(G[i], G[j]) + larger(E[k], E[l]));
        shared = larger(shared, tagged(sum, 63, p * 8 + crossed));
    }
    float rows13 = ((m[1][0] + m[1][1]) + (m[1][2] + m[1][3])) + ((m[3][0] + m[3][1]) + (m[3][2] + m[3][3]));
    float rows23 = (bottom[0] + bottom[1]) + (bottom[2] + bottom[3]);
    unsigned rows[4];
#define PAIR(p) (1u << pair_i[p] | 1u << pair_j[p])
    if (rows13 + (upper + lower) > rows23 + larger(equal, shared)) {
        rows[0] = PAIR(tag_of(upper, 7));
        rows[1] = 15 ^ rows[0];
        rows[2] = PAIR(tag_of(lower, 7));
        rows[3] = 15 ^ rows[2];
    } else if (equal >= shared) {
        rows[0] = rows[1] = PAIR(tag_of(equal, 7));
        rows[2] = rows[3] = 15 ^ rows[0];
    } else {
        unsigned p = tag_of(shared, 63) >> 3, x = tag_of(shared, 7);
        unsigned c = 1u << pair_i[p], d = 1u << pair_j[p], a = 1u << pair_i[5 - p], b = 1u << pair_j[5 - p];
        if (x & 4) {
            unsigned t = a;
            a = b;
            b = t;
        }
        rows[0] = a | (x & 1 ? d : c);
        rows[1] = a | (x & 1 ? c : d);
        rows[2] = b | (x & 2 ? d : c);
        rows[3] = b | (x & 2 ? c : d);
    }
    return rows[0] | rows[1] << 4 | rows[2] << 8 | rows[3] << 12;
}

static void set_group(uint32_t *meta, size_t row, size_t column, size_t columns, unsigned places)
{
    size_t word;
    unsigned bit;
    sparse24_place(row, column, columns, 2, &word, &bit);
    meta[word] = (meta[word] & ~(15u << bit)) | places << bit;
}

void sparse24_compress_both_bf16(const uint16_t *source, size_t rows, size_t columns, size_t ld, uint16_t *values,
                                 uint32_t *meta, uint16_t *values_t, uint32_t *meta_t)
{
    size_t ldv = sparse24_ld(columns), ldt = sparse24_ld(rows);
    memset(values, 0, sparse24_value_count(rows, columns) * sizeof *values);
    memset(values_t, 0, sparse24_value_count(columns, rows) * sizeof *values_t);
    memset(meta, 0x44, sparse24_meta_words(rows, columns) * sizeof *meta); /* places 0 and 1 everywhere */
    memset(meta_t, 0x44, sparse24_meta_words(columns, rows) * sizeof *meta_t);
    for (size_t r = 0; r < rows; r += 4)
        for (size_t c = 0; c < columns; c += 4) {
            uint16_t tile[16];
            for (size_t i = 0; i < 16; i++)
                tile[i] = r + i / 4 < rows && c + i % 4 < columns ? source[(r + i / 4) * ld + c + i % 4] : 0;
            unsigned kept = sparse24_pick_tile_bf16(tile, 4);
            for (size_t i = 0; i < 4; i++) {
                unsigned along[2] = {0, 0}, places[2] = {0, 0}; /* row i, and column i */
                for (unsigned j = 0; j < 4; j++) {
                    if (kept >> (4 * i + j) & 1) {
                        if (r + i < rows)
                            values[(r + i) * ldv + c / 2 + along[0]] = tile[4 * i + j];
                        places[0] |= j << 2 * along[0]++;
                    }
                    if (kept >> (4 * j + i) & 1) {
                        if (c + i < columns)
                            values_t[(c + i) * ldt + r / 2 + along[1]] = tile[4 * j + i];
                        places[1] |= j << 2 * along[1]++;
                    }
                }
                if (r + i < rows)
                    set_group(meta, r + i, c, columns, places[0]);
                if (c + i < columns)
                    set_group(meta_t, c + i, r, rows, places[1]);
            }
        }
}
