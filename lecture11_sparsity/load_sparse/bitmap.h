/* bitmap.h: a matrix with single zeros anywhere, as a bitmap and its values, in the order in which load_sparse's kernels
 * multiply. Host side.
 *
 *   W        rows x columns, bf16, row-major; columns a multiple of 16
 *   chunk    64 rows by 256 columns of it, the work of one step: 16 warps of 4 tiles each
 *   tile     16 x 16: operand A of one mma.m16n8k16. A lane holds 8 of its elements, and so one byte of bitmap
 *
 * A chunk is contiguous, so that one bulk copy brings it:
 *   per warp, 192 bytes   for each four lanes the 32 bits of tile 0, 1, 2 and 3 (lane l: byte l % 4); then, for each four
 *                         lanes and each tile, where in the values theirs begin (16 bits each)
 *   the values            bf16: per warp, per tile, per lane, per element; filled up to a multiple of 16 bytes
 * So an element costs 1.5 bits, and 16 more if it is not zero: with a share of z zeros 17.5 - 16 z bits instead of 16.
 *
 * Rows and columns past the matrix are zeros. */
#ifndef LOAD_SPARSE_BITMAP_H
#define LOAD_SPARSE_BITMAP_H

#include <stdint.h>
#include <stdlib.h>

enum {
    BITMAP_ROWS = 64,
    BITMAP_COLUMNS = 256,
    BITMAP_WARPS = 16,
    BITMAP_TILES = 4,                                                /* of a warp */
    BITMAP_WARP_BYTES = 8 * BITMAP_TILES * 4 + 8 * BITMAP_TILES * 2, /* bits and beginnings */
    BITMAP_HEAD = BITMAP_WARPS * BITMAP_WARP_BYTES,
};

typedef struct Bitmap {
    size_t rows, columns, strips, chunks; /* strips of 64 rows, of `chunks` chunks each */
    uint32_t *start;                      /* strips * chunks + 1: where each chunk begins, in units of 16 bytes */
    uint8_t *bytes;                       /* the chunks, one after the other */
    size_t most;                          /* bytes of the largest chunk */
} Bitmap;

/* Where element e (0..7) of a lane is in its tile. */
static inline void bitmap_place(int lane, int e, int *row, int *column)
{
    *row = lane / 4 + e / 2 % 2 * 8;
    *column = lane % 4 * 2 + e % 2 + e / 4 * 8;
}

/* Which tile of the chunk is tile j of warp w: a warp has two tiles below each other, and two to the right of them. */
static inline void bitmap_tile(int w, int j, int *row, int *column)
{
    *row = (w % 2 * 2 + j % 2) * 16;
    *column = (w / 2 * 2 + j / 2) * 16;
}

static inline uint16_t bitmap_element(const uint16_t *W, const Bitmap *b, size_t row, size_t column)
{
    return row < b->rows && column < b->columns ? W[row * b->columns + column] : 0;
}

/* Bytes of chunk `c` of strip `s`; with `to` it is written, too. -0.0 is a zero. */
static inline size_t bitmap_chunk(const Bitmap *b, const uint16_t *W, size_t s, size_t c, uint8_t *to)
{
    size_t values = 0;
    for (int w = 0; w < BITMAP_WARPS; w++)
        for (int j = 0; j < BITMAP_TILES; j++)
            for (int lane = 0; lane < 32; lane++) {
                int row0, column0;
                bitmap_tile(w, j, &row0, &column0);
                uint8_t *const head = to ? to + w * BITMAP_WARP_BYTES : NULL;
                if (head && lane % 4 == 0)
                    ((uint16_t *)(head + 128))[lane / 4 * BITMAP_TILES + j] = (uint16_t)values;
                unsigned bits = 0;
                for (int e = 0; e < 8; e++) {
                    int row, column;
                    bitmap_place(lane, e, &row, &column);
                    const uint16_t x = bitmap_element(W, b, s * BITMAP_ROWS + (size_t)(row0 + row),
                                                      c * BITMAP_COLUMNS + (size_t)(column0 + column));
                    if (!(x & 0x7fff))
                        continue;
                    bits |= 1u << e;
                    if (to)
                        ((uint16_t *)(to + BITMAP_HEAD))[values] = x;
                    values++;
                }
                if (head)
                    head[(lane / 4 * BITMAP_TILES + j) * 4 + lane % 4] = (uint8_t)bits;
            }
    const size_t end = BITMAP_HEAD + values * 2;
    for (size_t i = end; to && i < (end + 15) / 16 * 16; i++)
        to[i] = 0;
    return (end + 15) / 16 * 16;
}

/* Returns 0, or -1: no memory. */
static inline int bitmap_from_dense(Bitmap *b, const uint16_t *W, size_t rows, size_t columns)
{
    b->rows = rows, b->columns = columns, b->most = 0;
    b->strips = (rows + BITMAP_ROWS - 1) / BITMAP_ROWS;
    b->chunks = (columns + BITMAP_COLUMNS - 1) / BITMAP_COLUMNS;
    const size_t count = b->strips * b->chunks;
    b->bytes = NULL;
    b->start = (uint32_t *)malloc((count + 1) * sizeof *b->start);
    if (!b->start)
        return -1;
    b->start[0] = 0;
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        b->start[i + 1] = (uint32_t)(bitmap_chunk(b, W, i / b->chunks, i % b->chunks, NULL) / 16);
    for (size_t i = 0; i < count; i++) {
        if (b->start[i + 1] * (size_t)16 > b->most)
            b->most = b->start[i + 1] * (size_t)16;
        b->start[i + 1] += b->start[i];
    }
    b->bytes = (uint8_t *)malloc(b->start[count] * (size_t)16 + 16);
    if (!b->bytes) {
        free(b->start);
        return -1;
    }
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        bitmap_chunk(b, W, i / b->chunks, i % b->chunks, b->bytes + b->start[i] * (size_t)16);
    return 0;
}

static inline size_t bitmap_bytes(const Bitmap *b) { return b->start[b->strips * b->chunks] * (size_t)16; }

static inline void bitmap_free(Bitmap *b)
{
    free(b->start);
    free(b->bytes);
    b->start = NULL, b->bytes = NULL;
}

#endif
