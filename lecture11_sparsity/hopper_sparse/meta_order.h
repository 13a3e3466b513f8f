/* meta_order.h: 2:4 metadata in the order in which ring_sparse.cuh loads it. Host side.
 *
 * sparse.h keeps metadata in tiles of 16 rows by 64 columns, 32 words, one per lane: what one warp hands to one wgmma
 * (two, of 16-bit elements). A warpgroup works on 64 rows, so four such tiles, one per warp; and four tiles along K
 * make one 16-byte load per thread. So: blocks of 64 rows by 256 columns, row of blocks after row; in a block, thread
 * after thread (128), each with its four words. Words past the matrix say "the first two of four", of zeros. */
#ifndef HOPPER_META_ORDER_H
#define HOPPER_META_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "sparse.h"

/* How many words for rows x columns. */
static inline size_t meta_order_words(size_t rows, size_t columns)
{
    return (rows + 63) / 64 * ((columns + 255) / 256) * 512;
}

static inline void meta_order(const uint32_t *meta, size_t rows, size_t columns, uint32_t *out)
{
    const size_t tile_rows = (rows + SPARSE24_ROWS - 1) / SPARSE24_ROWS;
    const size_t tile_columns = (columns + SPARSE24_COLUMNS - 1) / SPARSE24_COLUMNS;
    for (size_t block_row = 0; block_row * 64 < rows; block_row++)
        for (size_t block = 0; block * 256 < columns; block++)
            for (size_t thread = 0; thread < 128; thread++)
                for (size_t word = 0; word < 4; word++) {
                    const size_t row = block_row * 4 + thread / 32, column = block * 4 + word;
                    *out++ = row < tile_rows && column < tile_columns
                                 ? meta[(row * tile_columns + column) * SPARSE24_TILE_WORDS + thread % 32]
                                 : 0x44444444u;
                }
}

#endif
