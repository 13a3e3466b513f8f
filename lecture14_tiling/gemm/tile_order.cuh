/* In which order the blocks of a grid take the tiles of C: grouped, so that the blocks that run at the same time share
 * as many rows of A and columns of B as they can, and find them in L2. The swizzle lab shows what this is worth. */
#ifndef TILE_ORDER_CUH
#define TILE_ORDER_CUH

/* Tile `id` of rows x columns tiles: down a group of `group` rows, then one column to the right; then the next group.
 */
__host__ __device__ __forceinline__ void tile_grouped(int id, int rows, int columns, int group, int *row, int *column)
{
    int first = id / (group * columns) * group;               /* the group's first row */
    int height = rows - first < group ? rows - first : group; /* the last group may have fewer rows */
    int within = id % (group * columns);
    *row = first + within % height;
    *column = within / height;
}

struct TileGrouped {
    int group;
    __host__ __device__ __forceinline__ void operator()(int id, int rows, int columns, int *row, int *column) const
    {
        tile_grouped(id, rows, columns, group, row, column);
    }
};

#endif
