/* sparse.h: sparse formats on the host: 2:4 compression, CSR, BSR, and the masks that make a matrix sparse.
 * All matrices row-major. bf16 elements are passed as their 16 bits. C-clean; plain C11, no device code.
 *
 * 2:4: of every four neighbours in a row two are kept. Stored are
 *   values    rows x (padded columns / 2), row-major: the kept elements, in order
 *   metadata  4 bits for each group of four: bits 0-1 the place (0..3) of the first kept, bits 2-3 of the second;
 *             the first is always the smaller
 * Columns are padded to a multiple of 64 (SPARSE24_COLUMNS) and the metadata's rows to one of 16 (SPARSE24_ROWS);
 * a padded group holds two zeros at places 0 and 1. The metadata lies in the order in which mma.sp wants it in
 * registers, so that a kernel reads it with one coalesced load (PTX ISA, "Matrix fragments for sparse mma"):
 * tile (row / 16, column / 64) is 32 words, one for each lane of a warp. With g = row % 8 and h = row / 8 % 2,
 *   16-bit elements: word 4 g + (column / 16 % 4), bits 16 h + 4 (column / 4 % 4)
 *    8-bit elements: word 4 g + 2 (column / 32 % 2) + h, bits 4 (column / 4 % 8)
 */
#ifndef SPARSE_H
#define SPARSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPARSE24_ROWS = 16, SPARSE24_COLUMNS = 64, SPARSE24_TILE_WORDS = 32 };

/* Columns after padding; values in one packed row (half of that); elements and words of the two arrays. */
size_t sparse24_padded(size_t columns);
size_t sparse24_ld(size_t columns);
size_t sparse24_value_count(size_t rows, size_t columns);
size_t sparse24_meta_words(size_t rows, size_t columns);
/* Bytes of both arrays for elements of `element_bytes` (1 or 2). */
size_t sparse24_bytes(size_t rows, size_t columns, size_t element_bytes);

/* Where the four bits of the group that holds (row, column) lie: *word, and the lowest bit's number in it. */
void sparse24_place(size_t row, size_t column, size_t columns, size_t element_bytes, size_t *word, unsigned *bit);

/* Which two of four to keep, by magnitude, as the metadata's 4 bits: the larger magnitudes; of equal ones the
 * earlier. -0.0 is as small as 0.0. A NaN counts as larger than any number, so that it is never hidden. */
unsigned sparse24_pick_bf16(const uint16_t group[4]);
unsigned sparse24_pick_s8(const int8_t group[4]);

/* Prune and compress. `source` is rows x columns with leading dimension `ld`. Nothing is rounded: kept elements
 * keep their bits, the sign of zero and a NaN's payload included. */
void sparse24_compress_bf16(const uint16_t *source, size_t rows, size_t columns, size_t ld, uint16_t *values,
                            uint32_t *meta);
void sparse24_compress_s8(const int8_t *source, size_t rows, size_t columns, size_t ld, int8_t *values, uint32_t *meta);
/* The reverse: dropped elements become +0. Returns 0, or -1 and a reason in *why when the metadata is not valid
 * (a group whose two places are equal or descending), in which case `dense` is not complete. why may be NULL. */
int sparse24_decompress_bf16(const uint16_t *values, const uint32_t *meta, size_t rows, size_t columns, uint16_t *dense,
                             size_t ld, const char **why);
int sparse24_decompress_s8(const int8_t *values, const uint32_t *meta, size_t rows, size_t columns, int8_t *dense,
                           size_t ld, const char **why);

/* The 4 x 4 tile that is 2:4 along rows and along columns at once (so that the matrix and its transpose can both be
 * compressed): of the 90 patterns with two kept in each row and each column, the one that keeps the largest sum of
 * magnitudes. Sums are taken in float, in the order written in sparse24.c, to about 17 bits; of sums that are
 * equal there, the order of the patterns decides. Magnitudes above 2^121, infinities and NaN all count as 2^121.
 * tile[r][c] is source[r * ld + c]. Returns 16 bits, bit 4 r + c set if (r, c) is kept. */
unsigned sparse24_pick_tile_bf16(const uint16_t *tile, size_t ld);
/* Prunes so, and compresses both the matrix and its transpose (values_t and meta_t: those of the columns x rows
 * matrix). Tiles at the edges are filled up with zeros; groups that lie wholly outside are as above: zeros at places 0
 * and 1. */
void sparse24_compress_both_bf16(const uint16_t *source, size_t rows, size_t columns, size_t ld, uint16_t *values,
                                 uint32_t *meta, uint16_t *values_t, uint32_t *meta_t);

/* Is the matrix 2:4: does every group of four in a row hold at most two elements that are not zero? */
int sparse24_holds_bf16(const uint16_t *dense, size_t rows, size_t columns, size_t ld);

/* CSR of the elements that are not zero (NaN is not zero). Arrays by malloc; freed by csr_free. 0, or -1: no memory. */
typedef struct Csr {
    size_t rows, columns, nonzeros;
    int *row_start; /* rows + 1 */
    int *column;    /* nonzeros, ascending in each row */
    float *value;   /* nonzeros */
} Csr;
int csr_from_dense(Csr *csr, const float *dense, size_t rows, size_t columns);
void csr_to_dense(const Csr *csr, float *dense);
void csr_free(Csr *csr);
/* NULL, or what is wrong: starts that descend, a column outside the matrix or out of order. */
const char *csr_problem(const Csr *csr);

/* Block CSR of bf16: square blocks of `block` on a side, each stored row-major; a block is kept if it holds an
 * element that is not zero. Rows and columns must be multiples of the block. */
typedef struct Bsr {
    size_t rows, columns, block, blocks;
    int *row_start;  /* rows / block + 1 */
    int *column;     /* blocks: the block column, ascending in each block row */
    uint16_t *value; /* blocks * block * block */
} Bsr;
int bsr_from_dense(Bsr *bsr, const uint16_t *dense, size_t rows, size_t columns, size_t block);
void bsr_to_dense(const Bsr *bsr, uint16_t *dense);
void bsr_free(Bsr *bsr);

/* Random matrices in these formats, made without their dense form: an element (a block) is zero with probability
 * `sparsity`, the others are uniform in [-1, 1). The same on every machine. 0, or -1: no memory. */
int csr_random(Csr *csr, size_t rows, size_t columns, double sparsity, uint64_t seed);
int bsr_random(Bsr *bsr, size_t rows, size_t columns, size_t block, double sparsity, uint64_t seed);
/* The block rows, those with the most blocks first: order has rows / block elements. */
void bsr_longest_first(const Bsr *bsr, int *order);

/* Bytes of each format for rows x columns with `nonzeros` elements of `element_bytes` and 32-bit indices. */
size_t coo_bytes(size_t nonzeros, size_t element_bytes);
size_t csr_bytes(size_t rows, size_t nonzeros, size_t element_bytes);
size_t bsr_bytes(size_t rows, size_t block, size_t blocks, size_t element_bytes);

/* Masks by magnitude: mask[i] = 1 where w[i] is kept. `sparsity` is the share to drop, 0 to 1; the count dropped is
 * floor(sparsity * units). Ties fall to the later unit. Units are elements, rows (by the sum of squares), or
 * block x block tiles (by the sum of squares; rows and columns multiples of the block). Return 0, or -1: no memory. */
int mask_unstructured(const float *w, size_t rows, size_t columns, double sparsity, uint8_t *mask);
int mask_rows(const float *w, size_t rows, size_t columns, double sparsity, uint8_t *mask);
int mask_blocks(const float *w, size_t rows, size_t columns, size_t block, double sparsity, uint8_t *mask);
/* keep of every `group` neighbours in a row: 2 of 4 at 50 %. columns must be a multiple of group. */
int mask_n_of_m(const float *w, size_t rows, size_t columns, size_t keep, size_t group, uint8_t *mask);
/* The share of the sum of squares that the mask keeps. */
double mask_energy(const float *w, size_t count, const uint8_t *mask);

#ifdef __cplusplus
}
#endif
#endif
