/* tile_order.cuh: in which order a persistent grid walks the tiles. What matters is the set of tiles in flight at one
 * time: 128 tiles in a row of C read the whole of B; 128 in a square of 16 x 8 tiles of 128 x 256 read 2048 rows of
 * each. */
#ifndef HOPPER_TILE_ORDER_CUH
#define HOPPER_TILE_ORDER_CUH

#include <stdint.h>

#ifndef __CUCC__

/* Tile number t to tile coordinates. `group` rows of tiles are walked column by column, so that the tiles in flight
 * form a square. order != NULL: looked up instead (row << 16 | col). */
__device__ __forceinline__ void tile_place(int t, int rows, int cols, int group, const uint32_t *order, int *row,
                                           int *col)
{
    if (order) {
        const uint32_t rc = __ldg(order + t);
        *row = (int)(rc >> 16);
        *col = (int)(rc & 0xffff);
        return;
    }
    const int per_group = group * cols, g = t / per_group, in = t - g * per_group;
    const int height = min(group, rows - g * group);
    *col = in / height;
    *row = g * group + in - *col * height;
}

/* The tiles in the order of a Hilbert curve (over the power of two that holds them, leaving out what lies outside):
 * neighbours in the order are neighbours in the matrix, at every scale. out: rows * cols entries, host. */
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
#endif
