/* lecture05.c: tiles and barriers, banks, trees, shuffles, a halo, the online softmax. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

static float x[1 << 14] __attribute__((aligned(256))), y[1 << 14] __attribute__((aligned(256))),
    z[1 << 14] __attribute__((aligned(256)));
static const SvgColour of_step[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET, SVG_PINK, SVG_YELLOW};

/* Block (1, 1) of a product of 8 x 12 and 12 x 8: which elements of A and B it loads in which step. (matmul_kernel3) */
static void tiles(const char *file)
{
    enum { M = 8, N = 8, K = 12, T = PICTURE_TILE, CELL = 17, BLOCK = 3 };
    Replay r = {0};
    int A = replay_watch(&r, x, M * K * sizeof(float)), B = replay_watch(&r, y, K * N * sizeof(float));
    int C = replay_watch(&r, z, M * N * sizeof(float));
    KernelArguments a = {{x, y, z}, {M, N, K}};
    replay_run(&r, N / T, M / T, T, T, call_tiled, &a);
    const double left[3] = {24, 246, 246}, top[3] = {250, 30, 250};
    const int columns[3] = {K, N, N}, rows[3] = {M, K, M};
    Svg *s = svg_open(file, 452, "The tiles that one block loads from A and from B, step by step");
    for (int m = 0; m < 3; m++) {
        for (int i = 0; i < columns[m] * rows[m]; i++)
            svg_box(s, left[m] + i % columns[m] * CELL, top[m] + i / columns[m] * CELL, CELL, CELL, SVG_PLAIN);
        svg_head(s, left[m] - 12, top[m] + 13, SVG_MIDDLE, "%c", "ABC"[m]);
    }
    int loads[2] = {0};
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        int m = w->array == A ? 0 : w->array == B ? 1 : 2, e = (int)(w->offset / 4);
        if (w->block != BLOCK || (m == 2) != w->store)
            continue;
        if (m < 2)
            loads[m]++;
        svg_box(s, left[m] + e % columns[m] * CELL, top[m] + e / columns[m] * CELL, CELL, CELL,
                m == 2 ? SVG_RED : of_step[w->barriers / 2]);
    }
    (void)C;
    for (int k = 0; k < K / T; k++) {
        svg_box(s, 24, 60 + 24 * k, 16, 16, of_step[k]);
        svg_text(s, 48, 73 + 24 * k, SVG_LEFT, "step %d", k);
    }
    svg_text(s, 24, 44, SVG_LEFT, "one block's tiles");
    svg_text(s, 24, 150, SVG_LEFT, "it loads %d elements", loads[0] + loads[1]);
    svg_text(s, 24, 168, SVG_LEFT, "for %d outputs;", T * T);
    svg_text(s, 24, 186, SVG_LEFT, "without tiles %d", 2 * K * T * T);
    svg_text(s, 8, 412, SVG_LEFT, "A's tile marches to the right, B's downwards;");
    svg_text(s, 8, 432, SVG_LEFT, "the red tile of C stays; its sums are in registers.");
    svg_claim(s, "loads", loads[0] + loads[1]);
    svg_claim(s, "loads_without_tiles", 2 * K * T * T);
    replay_free(&r);
    svg_close(s);
}

/* What a block of that kernel does to shared memory between barriers. */
static void barriers(const char *file)
{
    enum { M = 4, N = 4, K = 12, T = PICTURE_TILE, MOST = 8 };
    Replay r = {0};
    int shared = replay_watch(&r, shared_begin(), shared_bytes()), loads[MOST] = {0}, stores[MOST] = {0}, last = 0;
    KernelArguments a = {{x, y, z}, {M, N, K}};
    replay_run(&r, 1, 1, T, T, call_tiled, &a);
    for (size_t i = 0; i < r.count; i++)
        if (r.access[i].array == shared) {
            (r.access[i].store ? stores : loads)[r.access[i].barriers]++;
            last = r.access[i].barriers > last ? r.access[i].barriers : last;
        }
    Svg *s = svg_open(file, 84 + (last + 1) * 46, "A tile loop between its two barriers");
    svg_text(s, 8, 20, SVG_LEFT, "what %d threads do to the tiles, from top to bottom", T * T);
    for (int e = 0; e <= last; e++) {
        double top = 32 + e * 46;
        int filling = stores[e] > 0;
        svg_cell(s, 8, top, 250, 26, filling ? SVG_ORANGE : SVG_BLUE,
                 filling ? "step %d: %d stores, fill the tiles" : "step %d: %d reads, multiply", e / 2,
                 filling ? stores[e] : loads[e]);
        svg_line(s, 8, top + 36, 262, top + 36);
        svg_text(s, 268, top + 40, SVG_LEFT, filling ? "① tiles complete" : "② tiles read");
    }
    svg_text(s, 8, 32 + (last + 1) * 46 + 20, SVG_LEFT, "a line is a barrier: all reach it before one passes");
    svg_claim(s, "barriers", last + 1);
    svg_claim(s, "stores", stores[0]);
    svg_claim(s, "reads", loads[1]);
    replay_free(&r);
    svg_close(s);
}

/* Shared memory as it lies: a column is a bank. The words that warp 0 wants in one request, and the turns that this
 * takes. */
static void banks(const char *file, const char *title, void (*call)(void *), int store, const char *what)
{
    enum { CELL = 11, HIGH = 7, LEFT = 30, WARP = 5 };
    Replay r = {0};
    int shared = replay_watch(&r, shared_begin(), shared_bytes());
    KernelArguments a = {{x, y}, {32, 32}};
    replay_run(&r, 1, 1, 32, 8, call, &a);
    ptrdiff_t first = -1, end = 0;
    for (size_t i = 0; i < r.count; i++)
        if (r.access[i].array == shared) {
            first = first < 0 || r.access[i].offset < first ? r.access[i].offset : first;
            end = r.access[i].offset + 4 > end ? r.access[i].offset + 4 : end;
        }
    int words = (int)(end - first) / 4, rows = (words + 31) / 32, turns = replay_turns(&r, shared, store, 0, WARP, 0);
    Svg *s = svg_open(file, 108 + rows * HIGH, title);
    svg_head(s, 8, 20, SVG_LEFT, "%s", what);
    svg_text(s, LEFT, 44, SVG_LEFT, "bank 0");
    svg_text(s, LEFT + 32 * CELL, 44, SVG_RIGHT, "bank 31");
    for (int i = 0; i < words; i++)
        svg_box(s, LEFT + i % 32 * CELL, 50 + i / 32 * HIGH, CELL, HIGH, SVG_PLAIN);
    for (int lane = 0; lane < 32; lane++) {
        int word = (int)(replay_find(&r, shared, store, 0, WARP * 32 + lane, 0)->offset - first) / 4;
        svg_box(s, LEFT + word % 32 * CELL, 50 + word / 32 * HIGH, CELL, HIGH, turns > 1 ? SVG_RED : SVG_BLUE);
    }
    svg_text(s, 8, 72 + rows * HIGH, SVG_LEFT,
             turns > 1 ? "coloured: the 32 words; all in one bank:"
                       : "coloured: the 32 words; each in a different bank:");
    svg_text(s, 8, 92 + rows * HIGH, SVG_LEFT, "the request takes %d turn%s", turns, turns > 1 ? "s" : "");
    svg_claim(s, "turns", turns);
    replay_free(&r);
    svg_close(s);
}
static void banks_row(const char *file)
{
    banks(file, "A warp writes a row of the tile: one word in each bank", call_transpose3, 1,
          "a row: tile[y][x] of float[32][32]");
}
static void banks_column(const char *file)
{
    banks(file, "A warp reads a column of the tile: all words in one bank", call_transpose3, 0,
          "a column: tile[x][y] of float[32][32]");
}
static void banks_padded(const char *file)
{
    banks(file, "A column of a padded tile walks over all banks", call_transpose4, 0,
          "padded: tile[x][y] of float[32][33]");
}
static void banks_swizzled(const char *file)
{
    banks(file, "A column of a swizzled tile is spread over 32 banks", call_transpose5, 0, "swizzled: tile[x][y ^ x]");
}

/* The naive transpose: its loads are coalesced, its stores are not. */
static void transpose(const char *file)
{
    Replay r = {0};
    int in = replay_watch(&r, x, 64 * 64 * sizeof(float)), out = replay_watch(&r, y, 64 * 64 * sizeof(float));
    KernelArguments a = {{x, y}, {64, 64}};
    replay_run(&r, 2, 2, 32, 8, call_transpose1, &a);
    Svg *s = svg_open(file, 222, "The naive transpose reads along a row and writes along a column");
    svg_head(s, 8, 20, SVG_LEFT, "B[n][m] = A[m][n], one warp");
    double top = draw_request(s, 28, &r, in, 0, 0, "a load of A", "load");
    draw_request(s, top, &r, out, 1, 0, "a store to B", "store");
    replay_free(&r);
    svg_close(s);
}

/* The tree of sum_kernel1 or sum_kernel2 over 16 elements: a row of cells for each step, coloured where a thread works.
 */
static void tree(const char *file, const char *title, const char *what, void (*call)(void *))
{
    enum { N = PICTURE_THREADS, STEPS = 4, CELL = 23, HIGH = 24, GAP = 40 };
    Replay r = {0};
    int shared = replay_watch(&r, shared_begin(), shared_bytes());
    KernelArguments a = {{x, y}, {N}};
    replay_run(&r, 1, 1, N, 1, call, &a);
    ptrdiff_t base = replay_find(&r, shared, 1, 0, 0, 0)->offset;
    Svg *s = svg_open(file, 112 + STEPS * (HIGH + GAP), title);
    int additions = 0, active[STEPS + 1] = {0};
    svg_head(s, 8, 20, SVG_LEFT, "%s", what);
    for (int step = 0; step <= STEPS; step++)
        for (int i = 0; i < N; i++) {
            int works = 0;
            for (size_t k = 0; step && k < r.count; k++)
                works |= r.access[k].array == shared && r.access[k].store && r.access[k].barriers == step &&
                         (r.access[k].offset - base) / 4 == i;
            active[step] += works;
            svg_cell(s, 16 + i * CELL, 34 + step * (HIGH + GAP), CELL, HIGH,
                     step == 0 ? SVG_PLAIN
                     : works   ? SVG_BLUE
                               : SVG_NONE,
                     "%d", i);
        }
    for (size_t k = 0; k < r.count; k++) { /* an addition reads s[t + step] and s[t], and stores s[t] */
        const Access *w = &r.access[k];
        int to = w->thread, from = (int)((w->offset - base) / 4), step = w->barriers;
        if (w->array != shared || w->store || step < 1 || step > STEPS || from == to)
            continue;
        additions++;
        double top = 34 + (step - 1) * (HIGH + GAP) + HIGH;
        svg_arrow(s, 16 + (from + 0.5) * CELL, top + 3, 16 + (to + 0.6) * CELL, top + GAP - 2);
    }
    svg_text(s, 8, 34 + STEPS * (HIGH + GAP) + 48, SVG_LEFT, "blue: threads that add; %d, %d, %d, then %d", active[1],
             active[2], active[3], active[4]);
    svg_claim(s, "additions", additions);
    for (int step = 1; step <= STEPS; step++) {
        char name[16];
        snprintf(name, sizeof name, "active%d", step);
        svg_claim(s, name, active[step]);
    }
    replay_free(&r);
    svg_close(s);
}
static void tree_interleaved(const char *file)
{
    tree(file, "A tree whose active threads are scattered", "interleaved: step 1, 2, 4, 8", call_sum1);
}
static void tree_sequential(const char *file)
{
    tree(file, "A tree whose active threads are the first ones", "sequential: step 8, 4, 2, 1", call_sum2);
}

/* The five shuffles of warp_sum, and which lanes' values end in lane 0. */
static void shuffle(const char *file)
{
    enum { STEPS = 5, CELL = 12, HIGH = 16, LEFT = 8 };
    static const int top_of[STEPS + 1] = {48, 148, 222, 278, 328, 378}; /* the first arrows go far, and need room */
    static ShuffleLog log;
    Replay r = {0};
    int needed[STEPS + 1][64] = {{0}};
    memset(&log, 0, sizeof log);
    replay_run(&r, 1, 1, 32, 1, call_warp_sum, &log);
    needed[STEPS][0] = 1;
    for (int k = STEPS - 1; k >= 0; k--)
        for (int lane = 0; lane < 32; lane++)
            if (needed[k + 1][lane])
                needed[k][lane] = needed[k][log.from[lane][k]] = 1;
    Svg *s = svg_open(file, 60 + top_of[STEPS], "Five shuffles add up the 32 values of a warp");
    svg_text(s, LEFT, 20, SVG_LEFT, "v += __shfl_down_sync(all lanes, v, step)");
    svg_text(s, LEFT, 40, SVG_LEFT, "lane 0");
    svg_text(s, LEFT + 32 * CELL, 40, SVG_RIGHT, "lane 31");
    int arrows = 0;
    for (int k = 0; k <= STEPS; k++)
        for (int lane = 0; lane < 32; lane++) {
            double top = top_of[k];
            svg_box(s, LEFT + lane * CELL, top, CELL, HIGH, needed[k][lane] ? SVG_BLUE : SVG_NONE);
            if (k < STEPS && needed[k + 1][lane]) {
                svg_arrow(s, LEFT + (log.from[lane][k] + 0.5) * CELL, top + HIGH + 1, LEFT + (lane + 0.6) * CELL,
                          top_of[k + 1] - 1);
                arrows++;
            }
        }
    svg_text(s, 8, top_of[STEPS] + 44, SVG_LEFT, "blue: lanes that still count; step 16, 8, 4, 2, 1");
    svg_claim(s, "additions", arrows);
    svg_claim(s, "steps", log.count[0]);
    svg_close(s);
}

/* Who brings which element of the tile: own elements and the halo. (stencil_kernel2, block 1) */
static void halo(const char *file)
{
    enum { T = PICTURE_OUTPUTS, R = PICTURE_RADIUS, CELL = 23, BLOCK = 1, N = 3 * T };
    Replay r = {0};
    int in = replay_watch(&r, x, N * sizeof(float)), shared = replay_watch(&r, shared_begin(), shared_bytes()),
        out = replay_watch(&r, y, N * sizeof(float));
    KernelArguments a = {{x, y}, {N}};
    replay_run(&r, N / T, 1, T, 1, call_stencil2, &a);
    ptrdiff_t base = 1 << 30;
    for (size_t i = 0; i < r.count; i++)
        if (r.access[i].array == shared && r.access[i].store && r.access[i].offset < base)
            base = r.access[i].offset;
    Svg *s = svg_open(file, 220, "A tile with its halo, and who brings what");
    svg_text(s, 8, 20, SVG_LEFT, "elements %d to %d of x; in a box: who loads it", BLOCK * T - R,
             BLOCK * T + T + R - 1);
    int halo_loads = 0, me = 5, reads = 0;
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        if (w->block != BLOCK || w->array != in || w->store)
            continue;
        int place = (int)(w->offset / 4) - (BLOCK * T - R), own = place == w->thread + R;
        halo_loads += !own;
        svg_cell(s, 12 + place * CELL, 32, CELL, 24, own ? SVG_BLUE : SVG_ORANGE, "%d", w->thread);
    }
    int from = 1000, to = -1;
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        if (w->block != BLOCK || w->array != shared || w->store || w->thread != me)
            continue;
        int place = (int)(w->offset - base) / 4;
        from = place < from ? place : from, to = place > to ? place : to;
        reads++;
    }
    for (int p = 0; p < T + 2 * R; p++)
        svg_box(s, 12 + p * CELL, 112, CELL, 24, p >= from && p <= to ? SVG_GREEN : SVG_PLAIN);
    const Access *w = replay_find(&r, out, 1, BLOCK, me, 0);
    double at = 12 + (w->offset / 4 - BLOCK * T + R + 0.5) * CELL;
    svg_arrow(s, at, 138, at, 158);
    svg_cell(s, at - CELL / 2.0, 162, CELL, 24, SVG_GREEN, "y");
    svg_text(s, 12, 78, SVG_LEFT, "blue: its own element; orange: the halo");
    svg_text(s, 12, 102, SVG_LEFT, "the tile in shared memory; thread %d reads green", me);
    svg_text(s, 8, 208, SVG_LEFT, "halo: %d loads for %d outputs; %d reads for each", halo_loads, T, reads);
    svg_claim(s, "halo_loads", halo_loads);
    svg_claim(s, "reads", reads);
    replay_free(&r);
    svg_close(s);
}

/* The pair (max, sum) after each number of a row. (softmax.cu's own add) */
static void online(const char *file)
{
    enum { N = 8 };
    const float row[N] = {1, 3, 2, 5, 4, 5, 0, 6};
    float max[N], sum[N];
    online_softmax(row, N, max, sum);
    Svg *s = svg_open(file, 258, "The two numbers of the online softmax, number by number");
    const double left = 62, wide = 41;
    svg_text(s, 8, 168, SVG_LEFT, "x");
    svg_text(s, 8, 194, SVG_LEFT, "max");
    svg_text(s, 8, 220, SVG_LEFT, "sum");
    for (int i = 0; i < N; i++) {
        int grew = i && max[i] > max[i - 1];
        svg_box(s, left + i * wide + 8, 146 - row[i] * 20, wide - 16, row[i] * 20 + 1, grew ? SVG_ORANGE : SVG_BLUE);
        svg_line(s, left + i * wide, 146 - max[i] * 20, left + (i + 1) * wide, 146 - max[i] * 20);
        svg_text(s, left + (i + 0.5) * wide, 168, SVG_MIDDLE, "%g", row[i]);
        svg_text(s, left + (i + 0.5) * wide, 194, SVG_MIDDLE, "%g", max[i]);
        svg_text(s, left + (i + 0.5) * wide, 220, SVG_MIDDLE, "%.2f", sum[i]);
    }
    svg_text(s, 8, 20, SVG_LEFT, "line: the maximum so far");
    svg_text(s, 8, 246, SVG_LEFT, "orange: a new maximum; the old sum is scaled");
    svg_claim(s, "max", max[N - 1]);
    svg_claim(s, "sum", sum[N - 1]);
    svg_close(s);
}

/* The steps of scan_kernel1 over 16 elements: who adds whom. */
static void scan(const char *file)
{
    enum { N = PICTURE_THREADS, STEPS = 4, CELL = 23, HIGH = 24, GAP = 44 };
    Replay r = {0};
    int shared = replay_watch(&r, shared_begin(), shared_bytes()), additions = 0;
    KernelArguments a = {{x, y, z}, {N}};
    replay_run(&r, 1, 1, N, 1, call_scan1, &a);
    Svg *s =
        svg_open(file, 88 + STEPS * (HIGH + GAP), "A scan: the steps add the element 1, 2, 4 and 8 places to the left");
    svg_text(s, 8, 20, SVG_LEFT, "each step adds an element further to the left");
    int first = -1; /* barriers before the first step's reads */
    for (size_t k = 0; k < r.count; k++)
        if (r.access[k].array == shared && !r.access[k].store && (first < 0 || r.access[k].barriers < first))
            first = r.access[k].barriers;
    for (int step = 0; step <= STEPS; step++)
        for (int i = 0; i < N; i++) {
            int reads = 0, from = i;
            for (size_t k = 0; step && k < r.count; k++) {
                const Access *w = &r.access[k];
                if (w->array != shared || w->store || w->thread != i || w->barriers != first + step - 1)
                    continue;
                reads++;
                int element = (int)(w->offset / 4) % N;
                from = element != i ? element : from;
            }
            svg_cell(s, 16 + i * CELL, 32 + step * (HIGH + GAP), CELL, HIGH,
                     step == 0   ? SVG_PLAIN
                     : from != i ? SVG_BLUE
                                 : SVG_GREEN,
                     "%d", i);
            if (step && from != i) {
                additions++;
                svg_arrow(s, 16 + (from + 0.5) * CELL, 32 + (step - 1) * (HIGH + GAP) + HIGH + 3, 16 + (i + 0.4) * CELL,
                          32 + step * (HIGH + GAP) - 2);
            }
        }
    svg_text(s, 8, 32 + STEPS * (HIGH + GAP) + 44, SVG_LEFT, "blue: adds; green: done before; %d additions", additions);
    svg_claim(s, "additions", additions);
    replay_free(&r);
    svg_close(s);
}

const Picture lecture05_pictures[] = {
    {"portrait", draw_portrait},
    {"tiles", tiles},
    {"barriers", barriers},
    {"banks-row", banks_row},
    {"banks-column", banks_column},
    {"banks-padded", banks_padded},
    {"banks-swizzled", banks_swizzled},
    {"transpose", transpose},
    {"tree-interleaved", tree_interleaved},
    {"tree-sequential", tree_sequential},
    {"shuffle", shuffle},
    {"halo", halo},
    {"online", online},
    {"scan", scan},
    {"norms", draw_norms},
    {"online-tiles", draw_online_tiles},
    {"look-back", draw_look_back},
    {NULL, NULL},
};
