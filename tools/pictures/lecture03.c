/* lecture03.c: grid, block and thread; which lane touches which sector. */
#include <stdio.h>
#include <string.h>

#include "pictures.h"

static float x[1 << 16] __attribute__((aligned(256))), y[1 << 16] __attribute__((aligned(256))),
    z[1 << 16] __attribute__((aligned(256)));

static const SvgColour of_block[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET, SVG_PINK, SVG_YELLOW};

/* <<<4, 4>>> over 14 elements: which thread of which block stores z[i]? (add_kernel4) */
static void grid_1d(const char *file)
{
    enum { N = 14, BLOCK = 4, GRID = (N + BLOCK - 1) / BLOCK, CELL = 24 };
    Replay r = {0};
    int out = replay_watch(&r, z, N * sizeof(float));
    KernelArguments a = {{x, y, z}, {N}};
    replay_run(&r, GRID, 1, BLOCK, 1, call_add4, &a);
    Svg *s = svg_open(file, 196, "Four blocks of four threads over fourteen elements");
    svg_text(s, 8, 20, SVG_LEFT, "<<<%d, %d>>>: %d blocks of %d threads", GRID, BLOCK, GRID, BLOCK);
    for (int b = 0; b < GRID; b++) {
        double left = 8 + b * (BLOCK * CELL + 1);
        svg_box(s, left, 32, BLOCK * CELL, 56, SVG_NONE);
        svg_text(s, left + BLOCK * CELL / 2, 49, SVG_MIDDLE, "block %d", b);
        for (int t = 0; t < BLOCK; t++) {
            const Access *w = replay_find(&r, out, 1, b, t, 0);
            svg_cell(s, left + t * CELL, 60, CELL, 24, w ? of_block[b] : SVG_NONE, "%d", t);
            if (w) {
                int i = (int)(w->offset / 4);
                svg_arrow(s, left + (t + 0.5) * CELL, 88, 8 + (i + i / BLOCK / (double)CELL) * CELL + CELL / 2, 116);
            }
        }
    }
    for (int i = 0; i < N; i++)
        for (int b = 0; b < GRID; b++)
            for (int t = 0; t < BLOCK; t++) {
                const Access *w = replay_find(&r, out, 1, b, t, 0);
                if (w && w->offset / 4 == i)
                    svg_cell(s, 8 + i * CELL + b, 120, CELL, 24, of_block[b], "%d", i);
            }
    svg_text(s, 8, 163, SVG_LEFT, "element i = blockIdx.x * blockDim.x + threadIdx.x");
    svg_text(s, 8, 184, SVG_LEFT, "the last %d threads have no element: if (i < n)", GRID * BLOCK - N);
    svg_claim(s, "threads", GRID * BLOCK);
    svg_claim(s, "stores", (double)r.count);
    replay_free(&r);
    svg_close(s);
}

/* <<<dim3(3, 2), dim3(2, 2)>>> over 3 rows of 5: who stores which element? (square_kernel1) */
static void grid_2d(const char *file)
{
    enum { ROWS = 3, COLS = 5, B = 2, GX = 3, GY = 2 };
    Replay r = {0};
    int out = replay_watch(&r, y, ROWS * COLS * sizeof(float));
    KernelArguments a = {{x, y}, {ROWS, COLS}};
    replay_run(&r, GX, GY, B, B, call_square1, &a);
    const double W = 60, H = 44;
    Svg *s = svg_open(file, 290, "Six blocks of two by two threads over three rows of five elements");
    svg_text(s, 8, 20, SVG_LEFT, "<<<dim3(%d, %d), dim3(%d, %d)>>>, %d rows of %d", GX, GY, B, B, ROWS, COLS);
    svg_text(s, 24, 42, SVG_LEFT, "x: columns");
    svg_arrow(s, 110, 38, 160, 38);
    int stores = 0;
    for (int b = 0; b < GX * GY; b++)
        for (int t = 0; t < B * B; t++) {
            const Access *w = replay_find(&r, out, 1, b, t, 0);
            int col = b % GX * B + t % B, row = b / GX * B + t / B;
            if (w) {
                col = (int)(w->offset / 4 % COLS), row = (int)(w->offset / 4 / COLS);
                stores++;
            }
            double left = 24 + col * W + b % GX * 3, top = 52 + row * H + b / GX * 3;
            svg_box(s, left, top, W, H, w ? of_block[b] : SVG_NONE);
            svg_text(s, left + W / 2, top + 18, SVG_MIDDLE, "b %d,%d", b % GX, b / GX);
            svg_text(s, left + W / 2, top + 36, SVG_MIDDLE, "t %d,%d", t % B, t / B);
        }
    svg_text(s, 8, 254, SVG_LEFT, "b: blockIdx x,y; t: threadIdx x,y; colour: block");
    svg_text(s, 8, 276, SVG_LEFT, "%d threads; %d are outside and must do nothing", GX * GY * B * B,
             GX * GY * B * B - stores);
    svg_claim(s, "threads", GX * GY * B * B);
    svg_claim(s, "stores", stores);
    replay_free(&r);
    svg_close(s);
}

/* Twelve threads walk over forty elements in strides of the grid. (add_kernel3) */
static void grid_stride(const char *file)
{
    enum { N = 40, BLOCK = 4, GRID = 3, STEP = GRID * BLOCK, CELL = 29 };
    Replay r = {0};
    int out = replay_watch(&r, z, N * sizeof(float));
    KernelArguments a = {{x, y, z}, {N}};
    replay_run(&r, GRID, 1, BLOCK, 1, call_add3, &a);
    Svg *s = svg_open(file, 204, "Three blocks of four threads stride over forty elements");
    svg_text(s, 8, 20, SVG_LEFT, "<<<%d, %d>>> over %d elements, in strides of %d", GRID, BLOCK, N, STEP);
    int rounds = 0;
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        if (w->array != out || !w->store)
            continue;
        int e = (int)(w->offset / 4);
        rounds = w->order + 1 > rounds ? w->order + 1 : rounds;
        svg_cell(s, 46 + e % STEP * CELL, 34 + w->order * 30, CELL, 26, of_block[w->block], "%d", e);
    }
    for (int k = 0; k < rounds; k++)
        svg_text(s, 4, 51 + k * 30, SVG_LEFT, "turn %d", k);
    svg_text(s, 8, 170, SVG_LEFT, "colour: a block. A column is one thread's elements.");
    svg_text(s, 8, 191, SVG_LEFT, "Any grid covers any n; each element once.");
    svg_claim(s, "rounds", rounds);
    svg_claim(s, "elements", (double)r.count);
    replay_free(&r);
    svg_close(s);
}

/* The same matrix, x along the columns and x along the rows; 32 x 8 with 16 bytes per thread. */
static void sectors(const char *file)
{
    enum { ROWS = 64, COLS = 256 };
    KernelArguments a = {{x, y}, {ROWS, COLS}};
    Replay one = {0}, two = {0}, four = {0};
    Svg *s = svg_open(file, 278, "What one load of a warp fetches, depending on the direction of x");
    svg_head(s, 8, 20, SVG_LEFT, "One load of a warp, in 32-byte sectors");
    int in = replay_watch(&one, x, sizeof x);
    replay_run(&one, COLS / 16, 1, 16, 16, call_square1, &a);
    draw_request(s, 30, &one, in, 0, 0, "16 x 16 block, x along the columns", "columns");
    in = replay_watch(&two, x, sizeof x);
    replay_run(&two, 1, COLS / 16, 16, 16, call_square2, &a);
    draw_request(s, 112, &two, in, 0, 0, "16 x 16 block, x along the rows", "rows");
    in = replay_watch(&four, x, sizeof x);
    replay_run(&four, 1, 1, 32, 8, call_square4, &a);
    draw_request(s, 194, &four, in, 0, 0, "32 x 8 block, a float4 per thread", "float4");
    replay_free(&one), replay_free(&two), replay_free(&four);
    svg_close(s);
}

/* Strides and a wrong beginning. */
static void strides(const char *file)
{
    static const struct {
        void (*call)(void *);
        const char *what, *name;
    } rows[] = {{call_stride1, "x[i]", "stride1"},
                {call_stride2, "x[2 * i]", "stride2"},
                {call_stride8, "x[8 * i]", "stride8"},
                {call_offset1, "x[i + 1]", "offset1"}};
    KernelArguments a = {{x, y}, {0}};
    Svg *s = svg_open(file, 394,
                      "One load of a warp: neighbouring elements, every second, every eighth, and shifted by one");
    svg_head(s, 8, 20, SVG_LEFT, "One load of a warp, in 32-byte sectors");
    double top = 30;
    for (int k = 0; k < 4; k++) {
        Replay r = {0};
        int in = replay_watch(&r, x, sizeof x);
        replay_run(&r, 1, 1, 32, 1, rows[k].call, &a);
        top = draw_request(s, top, &r, in, 0, 0, rows[k].what, rows[k].name);
        replay_free(&r);
    }
    svg_close(s);
}

/* One thread of the naive product: a row of A, a column of B; and its whole warp at one step of k. */
static void matmul(const char *file)
{
    enum { M = 16, N = 16, K = 16, CELL = 8, ME = 5 * 16 + 9 };
    Replay r = {0};
    int A = replay_watch(&r, x, M * K * sizeof(float)), B = replay_watch(&r, y, K * N * sizeof(float)),
        C = replay_watch(&r, z, M * N * sizeof(float));
    KernelArguments a = {{x, y, z}, {M, N, K}};
    replay_run(&r, 1, 1, 16, 16, call_matmul_naive1, &a);
    Svg *s = svg_open(file, 366, "One thread of the naive product reads a row of A and a column of B");
    const double left[3] = {30, 210, 210}, top[3] = {190, 30, 190};
    const char *names[3] = {"A", "B", "C"};
    int touched[3] = {0};
    for (int m = 0; m < 3; m++) {
        for (int i = 0; i < 256; i++)
            svg_box(s, left[m] + i % 16 * CELL, top[m] + i / 16 * CELL, CELL, CELL, SVG_PLAIN);
        svg_head(s, left[m] - 14, top[m] + 12, SVG_MIDDLE, "%s", names[m]);
    }
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        int m = w->array == A ? 0 : w->array == B ? 1 : 2, e = (int)(w->offset / 4);
        if (w->thread != ME || (m == 2) != w->store)
            continue;
        touched[m]++;
        svg_box(s, left[m] + e % 16 * CELL, top[m] + e / 16 * CELL, CELL, CELL,
                m == 2 ? SVG_RED
                : m    ? SVG_ORANGE
                       : SVG_BLUE);
    }
    (void)C;
    svg_text(s, 8, 20, SVG_LEFT, "one thread, one element of C");
    svg_text(s, 8, 60, SVG_LEFT, "%d loads of A,", touched[0]);
    svg_text(s, 8, 80, SVG_LEFT, "%d loads of B,", touched[1]);
    svg_text(s, 8, 100, SVG_LEFT, "%d store", touched[2]);
    svg_text(s, 8, 340, SVG_LEFT, "Its right neighbour reads the same row of A");
    svg_text(s, 8, 358, SVG_LEFT, "again, and the next column of B.");
    svg_claim(s, "loads_of_A", touched[0]);
    svg_claim(s, "loads_of_B", touched[1]);
    replay_free(&r);
    svg_close(s);
}

const Picture lecture03_pictures[] = {
    {"grid-1d", grid_1d}, {"grid-2d", grid_2d}, {"grid-stride", grid_stride},      {"sectors", sectors},
    {"strides", strides}, {"matmul", matmul},   {"compilation", draw_compilation}, {"chip", draw_chip},
    {NULL, NULL},
};
