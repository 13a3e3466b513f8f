/* In which order the tiles of C are computed, and how that helps L2.
 *
 * A GPU runs as many blocks at a time as its multiprocessors hold (132 of these on an H100), roughly in the order of
 * their numbers, and they walk along K together. A row of A's tiles that several of them need is fetched from memory
 * once, if they run at the same time, and so is a column of B's. So which tiles of C run together decides what must be
 * fetched: 9 tiles in one row of a 9 x 9 grid need 1 row of A and 9 columns of B, 9 + 81 = 90 tiles; 9 in a square need
 * 3 rows and 3 columns, 27 + 27 = 54.
 *
 *   rung               order                                                             ./run swizzle --rung N
 *   1  rows            as they are numbered: along a row of C, then the next
 *   2  columns         down a column of C, then the next
 *   3  grouped by 4    down 4 rows, then one column to the right; then the next 4 rows (Triton's tl.swizzle2d)
 *   4  grouped by 8
 *   5  grouped by 16
 *   6  grouped by 32
 *   7  Hilbert         along Hilbert's curve: a square at every scale, so no width to choose
 *
 * The kernel is rung 6 of gemm_bf16, with the order as an argument. Measured where A and B together are many times L2.
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "product.h"
#include "table.h"

#include "gemm/bf16_06_spread_copies.cuh"

typedef __nv_bfloat16 bf16;

enum { ROWS, COLUMNS, HILBERT, GROUPED /* + the group's height */ };

typedef struct Tile {
    int row, column;
} Tile;

/* Cell d of Hilbert's curve through side x side cells, side a power of two: quadrant by quadrant from the smallest up,
 * each turned so that it joins the one before (after Wikipedia, "Hilbert curve", d2xy). */
static Tile hilbert(int side, int d)
{
    int x = 0, y = 0;
    for (int s = 1; s < side; s *= 2, d /= 4) {
        int rx = d / 2 % 2, ry = (d % 2) ^ rx;
        if (ry == 0) {
            if (rx == 1) {
                x = s - 1 - x;
                y = s - 1 - y;
            }
            int t = x;
            x = y;
            y = t;
        }
        x += s * rx;
        y += s * ry;
    }
    return Tile{y, x};
}

/* Fills list[0 .. rows * columns) with the tiles in the order asked for. */
static void tile_list(int order, int rows, int columns, Tile *list)
{
    int side = 1, n = 0;
    while (side < rows || side < columns)
        side *= 2;
    switch (order) {
    case ROWS:
        for (int i = 0; i < rows * columns; i++)
            list[i] = Tile{i / columns, i % columns};
        break;
    case COLUMNS:
        for (int i = 0; i < rows * columns; i++)
            list[i] = Tile{i % rows, i / rows};
        break;
    case HILBERT: /* through the square around the grid, leaving out tiles outside */
        for (int d = 0; d < side * side; d++) {
            Tile t = hilbert(side, d);
            if (t.row < rows && t.column < columns)
                list[n++] = t;
        }
        break;
    default:
        for (int first = 0, group = order - GROUPED; first < rows; first += group)
            for (int c = 0; c < columns; c++)
                for (int r = first; r < first + group && r < rows; r++)
                    list[n++] = Tile{r, c};
    }
}

/* The kernel's argument: the list, in device memory. One read per block: any order costs the same to look up. */
struct TileListed {
    const Tile *list;
    __device__ __forceinline__ void operator()(int id, int, int, int *row, int *column) const
    {
        Tile t = list[id];
        *row = t.row;
        *column = t.column;
    }
};

typedef GemmBf16Shape6 Shape;

static int tile_rows(const LabCase *c) { return (int)((c->dim[0] + Shape::BM - 1) / Shape::BM); }
static int tile_columns(const LabCase *c) { return (int)((c->dim[1] + Shape::BN - 1) / Shape::BN); }

static const LabRung rungs[] = {
    {1, "rows", NULL, LAB_BF16, LAB_NEEDS_SM80, ROWS},
    {2, "columns", NULL, LAB_BF16, LAB_NEEDS_SM80, COLUMNS},
    {3, "grouped by 4", NULL, LAB_BF16, LAB_NEEDS_SM80, GROUPED + 4},
    {4, "grouped by 8", NULL, LAB_BF16, LAB_NEEDS_SM80, GROUPED + 8},
    {5, "grouped by 16", NULL, LAB_BF16, LAB_NEEDS_SM80, GROUPED + 16},
    {6, "grouped by 32", NULL, LAB_BF16, LAB_NEEDS_SM80, GROUPED + 32},
    {7, "Hilbert", NULL, LAB_BF16, LAB_NEEDS_SM80, HILBERT},
};

static const char *setup(LabCase *c)
{
    size_t M = c->dim[0], N = c->dim[1], K = c->dim[2];
    if (M > 1 << 20 || N > 1 << 20 || K > 1 << 20)
        return "M, N and K are at most 1048576";
    if (N % 8 != 0 || K % 8 != 0)
        return "N and K must be multiples of 8: the kernel loads 16 bytes at a time, which must begin at multiples of "
               "16";
    lab_input(c, 0, M * K, LAB_BF16);
    lab_input(c, 1, K * N, LAB_BF16);
    lab_output(c, M * N, LAB_BF16);
    lab_fill_uniform(c, 0, -1, 1);
    lab_fill_uniform(c, 1, -1, 1);
    c->out_width = N;
    c->atol = 1e-6 * (1 + (double)K) / 4;
    c->rtol = 1.0 / 256 + 1e-5;
    /* all orders' lists, one after the other */
    size_t tiles = (size_t)tile_rows(c) * tile_columns(c), bytes = tiles * sizeof(Tile);
    if (tiles == 0)
        return NULL;
    Tile *list = (Tile *)malloc(bytes);
    char *d_lists = (char *)lab_scratch(c, LAB_COUNT(rungs) * bytes);
    for (int i = 0; i < LAB_COUNT(rungs); i++) {
        tile_list(rungs[i].variant, tile_rows(c), tile_columns(c), list);
        CUDA_CHECK(cudaMemcpy(d_lists + i * bytes, list, bytes, cudaMemcpyHostToDevice));
    }
    free(list);
    return NULL;
}

static void run(const LabRung *r, LabCase *c)
{
    if (c->out_count == 0)
        return; /* a grid of no blocks is an error in CUDA */
    const Tile *list = (const Tile *)c->scratch + (size_t)(r - rungs) * tile_rows(c) * tile_columns(c);
    gemm_bf16_spread<Shape>(lab_in_bf16(c, 0), lab_in_bf16(c, 1), lab_out_bf16(c), (int)c->dim[0], (int)c->dim[1],
                            (int)c->dim[2], TileListed{list}, c->stream);
}

/* How many rows of A's tiles and columns of B's list[from .. to) needs. */
typedef struct Need {
    long rows, columns;
} Need;

static Need needed(const Tile *list, int from, int to, int rows, int columns)
{
    char *row_seen = (char *)calloc((size_t)rows, 1), *column_seen = (char *)calloc((size_t)columns, 1);
    Need n = {0, 0};
    for (int i = from; i < to; i++) {
        n.rows += !row_seen[list[i].row];
        row_seen[list[i].row] = 1;
        n.columns += !column_seen[list[i].column];
        column_seen[list[i].column] = 1;
    }
    free(row_seen);
    free(column_seen);
    return n;
}

/* The grid of C with each tile's turn in it. */
static void picture(int order, int rows, int columns)
{
    Tile *list = (Tile *)malloc((size_t)rows * columns * sizeof *list);
    int *turn = (int *)malloc((size_t)rows * columns * sizeof *turn);
    tile_list(order, rows, columns, list);
    for (int i = 0; i < rows * columns; i++)
        turn[list[i].row * columns + list[i].column] = i;
    for (int r = 0; r < rows; r++) {
        printf("    ");
        for (int c = 0; c < columns; c++)
            printf("%4d", turn[r * columns + c]);
        printf("\n");
    }
    free(list);
    free(turn);
}

/* The first `wave` tiles, #, among all, and the rows of A and columns of B they need, as tiles of A and B along K, of
 * which there are as many as columns. Returns how many. */
static long picture_of_wave(int order, int rows, int columns, int wave)
{
    Tile *list = (Tile *)malloc((size_t)rows * columns * sizeof *list);
    char *A = (char *)calloc(rows, 1), *B = (char *)calloc(columns, 1), *C = (char *)calloc(rows, columns);
    tile_list(order, rows, columns, list);
    for (int i = 0; i < wave; i++) {
        A[list[i].row] = B[list[i].column] = 1;
        C[list[i].row * columns + list[i].column] = 1;
    }
    printf("    %-*s   B ", 2 * columns, "A");
    for (int k = 1; k < columns; k++)
        printf("  ");
    printf("  C\n");
    for (int r = 0; r < rows; r++) {
        printf("    ");
        for (int k = 0; k < columns; k++)
            printf("%c ", A[r] ? '#' : '.');
        printf("  ");
        for (int c = 0; c < columns; c++)
            printf("%c ", B[c] ? '#' : '.');
        printf("  ");
        for (int c = 0; c < columns; c++)
            printf("%c ", C[r * columns + c] ? '#' : '.');
        printf("\n");
    }
    Need need = needed(list, 0, wave, rows, columns);
    free(list);
    free(A);
    free(B);
    free(C);
    return (need.rows + need.columns) * columns;
}

/* Every tile once? */
static int covers(int order, int rows, int columns)
{
    Tile *list = (Tile *)malloc((size_t)rows * columns * sizeof *list);
    char *seen = (char *)calloc(rows, columns);
    int n = 0;
    tile_list(order, rows, columns, list);
    for (int i = 0; i < rows * columns; i++)
        if (list[i].row >= 0 && list[i].row < rows && list[i].column >= 0 && list[i].column < columns)
            n += !seen[list[i].row * columns + list[i].column]++;
    free(list);
    free(seen);
    return n == rows * columns;
}

/* Small matrices whose orders one can see. */
static int pictures(void)
{
    int failed = 0;
    printf(
        "\n    The order of 5 x 4 tiles in groups of 3 rows, tl.swizzle2d(i, j, 5, 4, 3): down a group, then right;\n"
        "    the last group has the 2 rows that are left.\n\n    rows:\n");
    picture(ROWS, 5, 4);
    printf("\n    grouped by 3:\n");
    picture(GROUPED + 3, 5, 4);
    Tile list[20];
    int differ = 0;
    tile_list(GROUPED + 3, 5, 4, list);
    for (int i = 0; i < 20; i++) {
        int row, column;
        tile_grouped(i, 5, 4, 3, &row, &column);
        differ += row != list[i].row || column != list[i].column;
    }
    failed |= lab_claim(differ == 0, "the kernels' formula gives the same map");

    printf("\n    9 x 9 tiles, the first 9 of C (#), and the tiles of A and B that they need:\n\n    in rows:\n");
    long in_rows = picture_of_wave(ROWS, 9, 9, 9);
    printf("    %ld tiles to fetch\n\n    grouped by 3:\n", in_rows);
    long in_groups = picture_of_wave(GROUPED + 3, 9, 9, 9);
    printf("    %ld tiles to fetch\n", in_groups);
    failed |= lab_claim(in_rows == 90 && in_groups == 54, "90 tiles to fetch in rows, 54 grouped by 3");

    printf("\n    Hilbert's curve through 8 x 8 tiles:\n\n");
    picture(HILBERT, 8, 8);
    return failed;
}

static int show(const LabOptions *)
{
    int failed = lab_brief() ? 0 : pictures();
    /* A whole product: 16384 x 16384 x 16384 in the kernel's tiles, as many blocks at a time as an H200 holds. */
    const int size = 16384, rows = size / Shape::BM, columns = size / Shape::BN, wave = 132 * Shape::BLOCKS;
    const int orders[] = {ROWS, COLUMNS, GROUPED + 4, GROUPED + 8, GROUPED + 16, GROUPED + 32, HILBERT};
    const char *names[] = {"rows",          "columns",       "grouped by 4", "grouped by 8",
                           "grouped by 16", "grouped by 32", "Hilbert"};
    printf("\n    Counted for %d x %d x %d in bf16: %d x %d tiles of %d x %d,\n"
           "    %d blocks at a time, which walk along K together and leave nothing in the\n"
           "    cache for those after them. The least that must be fetched is A and B once\n"
           "    each, %.2f GB.\n",
           size, size, size, rows, columns, Shape::BM, Shape::BN, wave, 2.0 * size * size * 2 / 1e9);
    Table *t = table_new("order|>rows of A per wave|>columns of B|>GB to fetch in all|>of rows");
    Tile *all = (Tile *)malloc((size_t)rows * columns * sizeof *all);
    double first = 0;
    for (int o = 0; o < LAB_COUNT(orders); o++) {
        tile_list(orders[o], rows, columns, all);
        Need sum = {0, 0};
        int waves = 0;
        for (int i = 0; i < rows * columns; i += wave, waves++) {
            Need n = needed(all, i, i + wave < rows * columns ? i + wave : rows * columns, rows, columns);
            sum.rows += n.rows;
            sum.columns += n.columns;
        }
        double gb = ((double)sum.rows * Shape::BM + (double)sum.columns * Shape::BN) * size * 2 / 1e9;
        first = o == 0 ? gb : first;
        table_cell(t, "%s", names[o]);
        table_cell(t, "%.1f", (double)sum.rows / waves);
        table_cell(t, "%.1f", (double)sum.columns / waves);
        table_cell(t, "%.2f", gb);
        table_cell(t, "%.2f", gb / first);
        failed |=
            lab_claim(covers(orders[o], rows, columns) && covers(orders[o], 37, 11), "%s: every tile once", names[o]);
    }
    free(all);
    printf("\n");
    table_print(t, stdout, 4);
    table_free(t);
    return failed;
}

static const Lab lab = {
    .order = 5,
    .name = "swizzle",
    .title = "the order of the tiles decides what L2 can share",
    .look = "The same work is done in another order. Where the blocks that run together form a square, they\n"
            "fetch fewer bytes: see the second table. An H200 has bandwidth to spare here, so its time hardly\n"
            "moves.",
    .dims = "M N K",
    .size = "16384x16384x16384",
    .cpu_size = "384x384x64",
    .test_sizes = "128x128x32 31x40x24 300x264x40 700x136x8 0x16x8 48x32x0",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = product_cpu,
    .run = run,
    .bytes = product_bytes,
    .flops = product_flops,
    .show = show,
};

LAB_MAIN(lab)
