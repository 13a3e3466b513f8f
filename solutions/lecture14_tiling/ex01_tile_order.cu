/* Exercise 14.1 grouped tiles (2 points)
 *
 * Blocks with neighbouring numbers run at the same time, and share in L2 what they have in common. tile_grouped() says
 * which tile of C block `id` computes, in a grid of rows x columns tiles: down a group of `group` rows, then one column
 * to the right; after the last column, the next group. The last group may have fewer rows. 5 x 4 tiles in groups of 3:
 *
 *     0  3  6  9
 *     1  4  7 10
 *     2  5  8 11
 *    12 14 16 18
 *    13 15 17 19
 *
 * Hint 1: a whole group has group * columns tiles, so id / (group * columns) is the number of groups before this one.
 *
 * Hint 2: within its group a tile's place is id % (group * columns). Down first, so its row within the group is that
 * place modulo the group's height, and its column the quotient. The height is `group`, except in the last group.
 *
 * After a pass:
 * Tiles are taken column by column within groups of a few rows, so the tiles that run together share rows of A and
 * columns of B, and L2 keeps them. The last group may have fewer rows. Next: draw the order for a group of one, and of
 * all rows.
 */
#include <string.h>

#include "lab.h"

__host__ __device__ static void tile_grouped(int id, int rows, int columns, int group, int *row, int *column)
{
    // TODO(ex01): write the tile's row and column (about 4 lines)
    // >>> answer
    // stub: *row = id / columns;
    // stub: *column = id % columns + 0 * rows * group;
    int first = id / (group * columns) * group;
    int height = rows - first < group ? rows - first : group;
    *row = first + id % (group * columns) % height;
    *column = id % (group * columns) / height;
    // <<< answer
}

__global__ void order_kernel(int rows, int columns, int group, int *turn)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, row, column;
    if (id >= rows * columns)
        return;
    tile_grouped(id, rows, columns, group, &row, &column);
    if (row >= 0 && row < rows && column >= 0 && column < columns)
        turn[row * columns + column] = id;
}

/* Fills turn[rows * columns] with each tile's turn; -1 where no block comes. */
static void turns(int rows, int columns, int group, int *turn)
{
    int *d_turn;
    size_t bytes = sizeof(int) * rows * columns;
    CUDA_CHECK(cudaMalloc(&d_turn, bytes));
    CUDA_CHECK(cudaMemset(d_turn, 0xff, bytes));
    order_kernel<<<(rows * columns + 127) / 128, 128>>>(rows, columns, group, d_turn);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(turn, d_turn, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_turn));
}

/* Tiles of A and B that the first `wave` tiles of an n x n grid need. */
static int fetched(const int *turn, int n, int wave)
{
    int panels = 0;
    for (int i = 0; i < n; i++) {
        int row = 0, column = 0;
        for (int j = 0; j < n; j++) {
            row |= turn[i * n + j] < wave;
            column |= turn[j * n + i] < wave;
        }
        panels += row + column;
    }
    return panels * n;
}

static int show(const LabOptions *)
{
    static const int expected[20] = {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12, 14, 16, 18, 13, 15, 17, 19};
    int turn[37 * 37], failed = 0;
    turns(5, 4, 3, turn);
    printf("\n");
    for (int i = 0; i < 20; i++)
        printf("%5d%s", turn[i], i % 4 == 3 ? "\n" : "");
    printf("\n");
    failed |= lab_claim(memcmp(turn, expected, sizeof expected) == 0, "5 x 4 tiles in groups of 3");
    turns(9, 9, 3, turn);
    failed |= lab_claim(fetched(turn, 9, 9) == 54, "the first 9 of 9 x 9 tiles need 54 tiles of A and B, not 90");
    for (int group = 1; group <= 40; group += 13) {
        int seen[37 * 11] = {0}, once = 1;
        turns(37, 11, group, turn);
        for (int i = 0; i < 37 * 11; i++)
            once &= turn[i] >= 0 && turn[i] < 37 * 11 && !seen[turn[i]]++;
        failed |= lab_claim(once, "37 x 11 tiles in groups of %d: each tile once", group);
    }
    return failed;
}

static const Lab lab = {
    .name = "ex01_tile_order",
    .title = "which tile a block takes",
    .show = show,
};

LAB_MAIN(lab)
