/* tensor_map.h: what a CUtensorMap holds here, and where a box of it lies ("Tensors" of the PTX ISA). */
#ifndef TENSOR_MAP_H
#define TENSOR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TENSOR_RANK = 5, TENSOR_MAP_TAG = 0x544d4150, BOX_MOST = 256 /* elements a side */ };

/* In the order of the driver API's CU_TENSOR_MAP_DATA_TYPE_...; behind them PTX's own, of cp.reduce.async.bulk. */
enum {
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_S32,
    TYPE_U64,
    TYPE_S64,
    TYPE_F16,
    TYPE_F32,
    TYPE_F64,
    TYPE_BF16,
    TYPE_F32_FTZ,
    TYPE_TF32,
    TYPE_TF32_FTZ,
    TYPES
};
enum { SWIZZLE_NONE, SWIZZLE_32, SWIZZLE_64, SWIZZLE_128, SWIZZLES };
enum { INTERLEAVE_NONE, INTERLEAVE_16, INTERLEAVE_32, INTERLEAVES };

typedef struct tensor_map {
    uint32_t tag; /* TENSOR_MAP_TAG */
    uint8_t type, rank, interleave, swizzle, fill, im2col;
    uint16_t channels;            /* of im2col: elements of a pixel */
    uint32_t last[TENSOR_RANK];   /* the highest index of each dimension, which has up to 2^32 */
    uint16_t box[TENSOR_RANK];    /* elements that are traversed; [0] of im2col: channels, [1]: pixels */
    uint8_t step[TENSOR_RANK];    /* in steps of so many */
    int16_t lower[3], upper[3];   /* of im2col: the corners of the pixels' box */
    uint64_t base;                /* address */
    uint64_t stride[TENSOR_RANK]; /* in bytes; [0] is unused */
} tensor_map;
_Static_assert(sizeof(tensor_map) <= 128, "it fits in a CUtensorMap");

unsigned tensor_element(int type); /* bytes */

/* A box in memory, row by row: what lies along dimension 0. */
typedef struct box {
    const tensor_map *map;
    int64_t at[TENSOR_RANK];     /* the first element; may lie outside */
    uint32_t count[TENSOR_RANK]; /* elements that are copied */
    uint16_t offset[3];          /* of im2col */
    uint32_t row, pitch, rows;   /* bytes of a row, from row to row in shared memory, and how many there are */
} box;

void box_of(box *b, const tensor_map *map, const int32_t *at, const uint16_t *offsets);
/* Row i: where its first element that exists lies in memory, and which those are, [*first, *end) of count[0]; none:
 * *first == *end. */
char *box_row(const box *b, uint32_t i, uint32_t *first, uint32_t *end);
/* Where a byte of the box lies in shared memory, whose address `at` it would have unswizzled. */
static inline uintptr_t box_swizzled(const box *b, uintptr_t at)
{
    static const uint8_t bits[SWIZZLES] = {0, 0x10, 0x30, 0x70};
    return at ^ (at >> 3 & bits[b->map->swizzle]);
}

#endif
