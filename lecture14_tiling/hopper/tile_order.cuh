/* tile_order.cuh: in which order a persistent grid walks the tiles. What matters is the set of tiles in flight at one
 * time: 128 tiles in a row of C read the whole of B; 128 in a square of 16 x 8 tiles of 128 x 256 read 2048 rows of
 * each. */
#ifndef HOPPER_TILE_ORDER_CUH
#define HOPPER_TILE_ORDER_CUH

#include <stdint.h>

/* The order, made on the host: `group` rows of tiles are walked column by column, so that the tiles in flight form a
 * square.
 *
 * To place a tile takes two integer divisions, 250 cycles, at the beginning of a tile, when nothing else can run.
 * Instead of dividing t by d the device multiplies it by floor(2^31 / d) + 1 and drops 31 bits: t / d is made bigger by
 * at most t / 2^31, which reaches no whole number while t * d < 2^31. */
typedef struct TileOrder {
    int tiles;
    int group, groups, rest;                  /* rows of tiles in a group, whole groups, rows after them */
    uint32_t per_group;                       /* tiles */
    uint32_t by_per_group, by_group, by_rest; /* the factors instead of divisions */
} TileOrder;

/* NULL, or why there is no such order. */
static inline const char *tile_order(TileOrder *o, int rows, int cols, int group)
{
    const auto factor = [](int d) { return (1u << 31) / (uint32_t)d + 1; };
    if (group > rows)
        group = rows;
    if ((double)rows * cols * group * cols >= 0x1p31)
        group = 1;
    if ((double)rows * cols * group * cols >= 0x1p31)
        return "so many tiles are not numbered here";
    o->tiles = rows * cols;
    o->group = group, o->groups = rows / group, o->rest = rows % group;
    o->per_group = (uint32_t)(group * cols);
    o->by_per_group = factor(group * cols), o->by_group = factor(group), o->by_rest = factor(o->rest ? o->rest : 1);
    return NULL;
}

/* Where tile number t is. */
__device__ __forceinline__ void tile_place(const TileOrder &o, int t, int *row, int *col)
{
    const auto quotient = [](int t, uint32_t factor) { return (int)((uint64_t)(uint32_t)t * factor >> 31); };
    const int g = quotient(t, o.by_per_group), in = t - g * (int)o.per_group;
    const bool whole = g < o.groups;
    *col = quotient(in, whole ? o.by_group : o.by_rest);
    *row = g * o.group + in - *col * (whole ? o.group : o.rest);
}

/* The same from a table on the device: row << 16 | column. */
__device__ __forceinline__ void tile_place(const uint32_t *table, int t, int *row, int *col)
{
    const uint32_t rc = __ldg(table + t);
    *row = (int)(rc >> 16);
    *col = (int)(rc & 0xffff);
}

/* Host. Such a table, in the order of a Hilbert curve (over the power of two that holds them, leaving out what is
 * outside): neighbours in the order are neighbours in the matrix, at every scale. out: rows * cols entries. */
static inline void hilbert_order(uint32_t *out, int rows, int cols)
{
    int side = 1;
    while (side < rows || side < cols)
        side *= 2;
    for (int64_t d = 0; d < (int64_t)side * side; d++) {
        int x = 0, y = 0;
        int64_t rest = d;
        for (int s = 1; s < side; s *= 2, rest /= 4) { /* from the smallest square to the largest, turning as we go */
            const int right = (int)(rest / 2 & 1), up = (int)((rest ^ right) & 1);
            if (!up) {
                if (right) {
                    x = s - 1 - x;
                    y = s - 1 - y;
                }
                const int swap = x;
                x = y;
                y = swap;
            }
            x += s * right;
            y += s * up;
        }
        if (y < rows && x < cols)
            *out++ = (uint32_t)y << 16 | (uint32_t)x;
    }
}

#endif
