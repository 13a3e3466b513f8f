/* lecture14.c: block programs, orders of tiles, nested tiles, fragments, the swizzle, the ring, waves and stream-K. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

static float x[1 << 16] __attribute__((aligned(256))), y[1 << 16] __attribute__((aligned(256))),
    z[1 << 16] __attribute__((aligned(256)));
static const SvgColour colours[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET, SVG_PINK, SVG_YELLOW};

/* Three programs on six elements, with three ways to compute offsets: which elements does each store? (blocks.cu) */
static void block_masks(const char *file)
{
    static const struct {
        const char *what, *name;
        void (*call)(void *);
    } ways[] = {{"offs = arange(0, 2)", "first", call_blocks1},
                {"offs = pid * n + arange(0, 2)", "by_n", call_blocks2},
                {"offs = pid * 2 + arange(0, 2)", "by_block", call_blocks3}};
    enum { N = 6, PROGRAMS = 3, CELL = 40 };
    Svg *s = svg_open(file, 300, "Three ways to compute the offsets of a block program");
    svg_text(s, 8, 20, SVG_LEFT, "n = %d, blocks of 2; each box: who stores it", N);
    for (int k = 0; k < 3; k++) {
        Replay r = {0};
        int writers[N] = {0}, written = 0, out = replay_watch(&r, z, N * sizeof(float));
        char who[N][16] = {{0}};
        KernelArguments a = {{x, z}, {N}};
        replay_run(&r, PROGRAMS, 1, 128, 1, ways[k].call, &a);
        for (size_t i = 0; i < r.count; i++) {
            const Access *w = &r.access[i];
            int e = (int)(w->offset / 4);
            if (w->array != out || !w->store)
                continue;
            snprintf(who[e] + strlen(who[e]), sizeof who[e] - strlen(who[e]), writers[e]++ ? ",%d" : "%d", w->block);
        }
        svg_code(s, 8, 52 + k * 84, SVG_LEFT, "%s", ways[k].what);
        for (int e = 0; e < N; e++) {
            written += writers[e] > 0;
            svg_cell(s, 12 + e * (CELL + 4), 62 + k * 84, CELL, 26,
                     writers[e] == 1 ? SVG_BLUE
                     : writers[e]    ? SVG_ORANGE
                                     : SVG_RED,
                     "%s", who[e]);
        }
        svg_text(s, 282, 80 + k * 84, SVG_LEFT, "%d of %d", written, N);
        svg_claim(s, ways[k].name, written);
        replay_free(&r);
    }
    svg_text(s, 8, 282, SVG_LEFT, "red: nobody stores it, and nothing complains");
    svg_close(s);
}

/* The first tiles of C in two orders, and the rows of A and columns of B that they need. (tile_grouped) */
static void tile_order(const char *file)
{
    enum { SIDE = 9, FIRST = 9, CELL = 15 };
    Svg *s = svg_open(file, 330, "The first nine tiles in two orders, and what they must fetch");
    for (int k = 0; k < 2; k++) {
        int group = k ? 3 : 1, rows[SIDE] = {0}, columns[SIDE] = {0}, a = 0, b = 0;
        double left = 40 + k * 192, top = 62;
        svg_text(s, left - 30, 20, SVG_LEFT, k ? "grouped by %d" : "in rows", group);
        for (int i = 0; i < SIDE * SIDE; i++)
            svg_box(s, left + i % SIDE * CELL, top + i / SIDE * CELL, CELL, CELL, SVG_PLAIN);
        for (int id = 0; id < FIRST; id++) {
            int row, column;
            order_grouped(id, SIDE, SIDE, group, &row, &column);
            svg_box(s, left + column * CELL, top + row * CELL, CELL, CELL, SVG_GREEN);
            a += !rows[row]++, b += !columns[column]++;
        }
        for (int i = 0; i < SIDE; i++) {
            if (rows[i])
                svg_box(s, left - 20, top + i * CELL, 14, CELL, SVG_BLUE);
            if (columns[i])
                svg_box(s, left + i * CELL, top - 20, CELL, 14, SVG_ORANGE);
        }
        svg_text(s, left - 30, 226, SVG_LEFT, "%d row%s of A", a, a > 1 ? "s" : "");
        svg_text(s, left - 30, 246, SVG_LEFT, "%d columns of B", b);
        svg_text(s, left - 30, 266, SVG_LEFT, "= %d tiles", (a + b) * SIDE);
        svg_claim(s, k ? "grouped" : "rows", (a + b) * SIDE);
    }
    svg_text(s, 8, 298, SVG_LEFT, "green: the tiles of C that run at the same time");
    svg_text(s, 8, 318, SVG_LEFT, "blue, orange: the tiles' rows of A, columns of B");
    svg_close(s);
}

/* The path of Hilbert's curve over 8 x 8 tiles. (hilbert_order) */
static void hilbert(const char *file)
{
    enum { SIDE = 8, CELL = 42 };
    unsigned order[SIDE * SIDE];
    order_hilbert(order, SIDE, SIDE);
    Svg *s = svg_open(file, 396, "Hilbert's curve over eight by eight tiles");
    svg_text(s, 8, 20, SVG_LEFT, "each tile is the neighbour of the one before it");
    int steps = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        svg_box(s, 32 + i % SIDE * CELL, 36 + i / SIDE * CELL, CELL, CELL, SVG_PLAIN);
    for (int i = 0; i + 1 < SIDE * SIDE; i++) {
        int r = (int)(order[i] >> 16), c = (int)(order[i] & 0xffff), r2 = (int)(order[i + 1] >> 16),
            c2 = (int)(order[i + 1] & 0xffff);
        svg_arrow(s, 32 + (c + 0.5) * CELL, 36 + (r + 0.5) * CELL, 32 + (c2 + 0.5) * CELL, 36 + (r2 + 0.5) * CELL);
        steps += abs(r - r2) + abs(c - c2);
    }
    svg_claim(s, "path", steps);
    svg_close(s);
}

/* Who stores which elements of a block's tile of C: warps, lanes, one thread. (gemm_kernel7) */
static void nested(const char *file)
{
    enum { SIDE = 128, LEFT = 8, TOP = 34 };
    const double E = 3;
    Replay r = {0};
    int out = replay_watch(&r, z, SIDE * SIDE * sizeof(float));
    KernelArguments a = {{x, y, z}, {SIDE, SIDE, 8}};
    replay_run(&r, 1, 1, 256, 1, call_gemm7, &a);
    int low[8][2], high[8][2], mine = 0;
    for (int w = 0; w < 8; w++)
        low[w][0] = low[w][1] = SIDE, high[w][0] = high[w][1] = 0;
    Svg *s = svg_open(file, 486, "A block's tile of C: eight warps, 32 lanes each, 64 elements per lane");
    svg_text(s, 8, 20, SVG_LEFT, "a block's %d x %d of C; a colour is a warp", SIDE, SIDE);
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        if (w->array != out || !w->store)
            continue;
        int row = (int)(w->offset / 4 / SIDE), column = (int)(w->offset / 4 % SIDE), warp = w->thread / 32;
        low[warp][0] = row < low[warp][0] ? row : low[warp][0],
        low[warp][1] = column < low[warp][1] ? column : low[warp][1];
        high[warp][0] = row + 1 > high[warp][0] ? row + 1 : high[warp][0];
        high[warp][1] = column + w->bytes / 4 > high[warp][1] ? column + w->bytes / 4 : high[warp][1];
    }
    for (int w = 0; w < 8; w++)
        svg_box(s, LEFT + low[w][1] * E, TOP + low[w][0] * E, (high[w][1] - low[w][1]) * E,
                (high[w][0] - low[w][0]) * E, colours[w % 6]);
    for (size_t i = 0; i < r.count; i++) { /* warp 0: the 4 x 4 pieces of its lanes, thread 0's in red */
        const Access *w = &r.access[i];
        int row = (int)(w->offset / 4 / SIDE), column = (int)(w->offset / 4 % SIDE);
        if (w->array != out || !w->store || w->thread >= 32)
            continue;
        if (row % 4 == 0)
            svg_box(s, LEFT + column * E, TOP + row * E, 4 * E, 4 * E, w->thread ? SVG_NONE : SVG_RED);
        mine += w->thread == 0 ? w->bytes / 4 : 0;
    }
    svg_text(s, 8, 440, SVG_LEFT, "a warp: %d x %d; small squares: its lanes' 4 x 4", high[0][0] - low[0][0],
             high[0][1] - low[0][1]);
    svg_text(s, 8, 460, SVG_LEFT, "red: the %d elements of one thread", mine);
    svg_text(s, 8, 480, SVG_LEFT, "16 values from shared memory serve %d products", mine);
    svg_claim(s, "of_a_thread", mine);
    svg_claim(s, "warp_rows", high[0][0] - low[0][0]);
    svg_claim(s, "warp_columns", high[0][1] - low[0][1]);
    replay_free(&r);
    svg_close(s);
}

/* Which lane holds which element of a 16 x 8 tile of C. (accumulator_place, the first warp) */
static void fragments(const char *file)
{
    enum { W = 44, H = 22 };
    Svg *s = svg_open(file, 444, "Which lane holds which element of a 16 x 8 tile of C");
    svg_text(s, 8, 20, SVG_LEFT, "16 x 8 of C; each box: lane and register");
    int lanes[32] = {0};
    for (int t = 0; t < 32; t++)
        for (int i = 0; i < 4; i++) {
            int row, column;
            layout_accumulator(t, i, &row, &column);
            svg_cell(s, 24 + column * W, 32 + row * H, W, H, i / 2 ? SVG_ORANGE : SVG_BLUE, "%d.%d", t, i);
            lanes[t]++;
        }
    svg_text(s, 8, 410, SVG_LEFT, "blue: registers 0 and 1; orange: 2 and 3");
    svg_text(s, 8, 430, SVG_LEFT, "lane l: rows l / 4, + 8; columns 2 (l %% 4), + 1");
    svg_claim(s, "each_lane", lanes[0]);
    svg_close(s);
}

/* The addresses that the lanes give to ldmatrix. (gemm_bf16_kernel3, its first fragment of A) */
static void ldmatrix(const char *file)
{
    enum { CELL = 18, LEFT = 60, TOP = 40 };
    static LdmatrixLog log;
    Replay r = {0};
    KernelArguments a = {{x, y, z, &log}, {128, 128, 32}};
    memset(&log, 0, sizeof log);
    replay_run(&r, 1, 1, 128, 1, call_ldmatrix, &a);
    Svg *s = svg_open(file, 396, "Each lane names a row of eight elements; four matrices come back");
    svg_text(s, 8, 20, SVG_LEFT, "ldmatrix.x4: lane -> the row of 8 that it names");
    int stride = (int)(log.offset[1][0] - log.offset[0][0]) / 2;
    for (int lane = 0; lane < 32; lane++) {
        int e = (int)(log.offset[lane][0] - log.offset[0][0]) / 2, row = e / stride, column = e % stride;
        double left = LEFT + column * CELL, top = TOP + row * (CELL + 1);
        svg_box(s, left, top, 8 * CELL, CELL, colours[lane / 8]);
        svg_text(s, left + 4 * CELL, top + 14, SVG_MIDDLE, "lane %d", lane);
    }
    svg_text(s, 8, 366, SVG_LEFT, "16 x 16 of A; a colour becomes one register:");
    svg_text(s, 8, 386, SVG_LEFT, "0 and 1 on the left, 2 and 3 on the right");
    svg_claim(s, "stride", stride);
    svg_claim(s, "right_half", (double)(log.offset[16][0] - log.offset[0][0]) / 2);
    replay_free(&r);
    svg_close(s);
}

/* Eight rows of 128 bytes in shared memory, plain and swizzled: a column is a group of four banks. */
static void swizzle(const char *file)
{
    enum { CELL = 21, PIECE = 3 };
    Svg *s = svg_open(file, 262, "Eight rows of 128 bytes, plain and with the 128-byte swizzle");
    svg_text(s, 8, 20, SVG_LEFT, "a box is 16 bytes, a column is four banks");
    for (int k = 0; k < 2; k++) {
        double left = 14 + k * 200;
        svg_head(s, left, 46, SVG_LEFT, k ? "swizzled" : "plain");
        for (int row = 0; row < 8; row++)
            for (int piece = 0; piece < 8; piece++) {
                int at = (k ? layout_swizzle_128(row, 16 * piece) - row * 128 : piece * 16) / 16;
                svg_cell(s, left + at * CELL, 56 + row * CELL, CELL, CELL,
                         piece != PIECE ? SVG_PLAIN
                         : k            ? SVG_BLUE
                                        : SVG_RED,
                         "%d", piece);
            }
        int worst = layout_conflicts(PIECE, k);
        svg_text(s, left, 248, SVG_LEFT, "piece %d: %d turn%s", PIECE, worst, worst > 1 ? "s" : "");
        svg_claim(s, k ? "swizzled" : "plain", worst);
    }
    svg_close(s);
}

/* Sixteen tiles on six blocks: waves, then the last tiles shared out along K. (WorkList) */
static void stream_k(const char *file)
{
    enum { TILES = 16, BLOCKS = 6, STEPS = 6, MOST = 16 };
    const double U = 17.5, H = 22;
    Svg *s = svg_open(file, 392, "Sixteen tiles on six blocks: whole waves, and stream-K");
    double end[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        double top = 52 + k * 176;
        int whole = k ? TILES / BLOCKS : (TILES + BLOCKS - 1) / BLOCKS,
            shared = k ? (TILES - whole * BLOCKS) * STEPS : 0;
        svg_head(s, 8, top - 30 + 14, SVG_LEFT, k ? "stream-K" : "waves");
        for (int b = 0; b < BLOCKS; b++) {
            WorkPiece piece[MOST];
            double at = 0;
            int n = 0;
            if (k)
                n = work_list(whole, TILES, STEPS, BLOCKS, b, shared, piece, MOST);
            else
                for (int t = b; t < TILES; t += BLOCKS)
                    piece[n++] = (WorkPiece){t, 0, STEPS};
            svg_text(s, 8, top + b * H + 16, SVG_LEFT, "%d", b);
            for (int i = 0; i < n; i++) {
                double wide = (piece[i].k1 - piece[i].k0) * U;
                svg_cell(s, 28 + at, top + b * H, wide, H - 3,
                         piece[i].k1 - piece[i].k0 == STEPS ? SVG_BLUE : SVG_ORANGE, "%d", piece[i].tile);
                at += wide;
            }
            end[k] = at > end[k] ? at : end[k];
        }
        svg_text(s, 392, top - 16, SVG_RIGHT, "ends after %.0f steps", end[k] / U);
        svg_claim(s, k ? "stream_k" : "waves", end[k] / U);
    }
    svg_text(s, 8, 372, SVG_LEFT, "row: a block; number: a tile; orange: part of one");
    svg_close(s);
}

static double intensity_x(double i) { return log10(i / 0.2) / log10(300 / 0.2); }
static double rate_y(double tflops) { return log10(tflops / 0.5) / log10(100 / 0.5); }

/* The roofline of fp32 on the device, and the rungs of the lab that walks along it. */
static void roofline(const char *file)
{
    static const char *const names[3] = {"one chain", "four chains", "sixteen chains"};
    static const int sizes[] = {1, 8, 32, 64, 128, 512};
    static Line line[3];
    double bandwidth = 0, peak = csv_number("h200/lecture14/gemm_ceiling", "name", "FFMA; two banks", "tflops");
    memset(line, 0, sizeof line);
    for (int k = 0; k < 3; k++) {
        line[k].name = names[k];
        for (int i = 0; i < 6; i++) {
            char key[96];
            FILE *f = fopen("results/h200/lecture14/roofline.csv", "r");
            double gbps = 0, tflops = 0;
            snprintf(key, sizeof key, "roofline,%d,%s,fp32,67108864x%d,", k + 1, names[k], sizes[i]);
            for (char text[512]; f && fgets(text, sizeof text, f);)
                if (strncmp(text, key, strlen(key)) == 0)
                    sscanf(text + strlen(key), "%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%lf,%lf", &gbps, &tflops);
            if (!f || gbps <= 0) {
                fprintf(stderr, "pictures: no row %s\n", key);
                exit(2);
            }
            fclose(f);
            line[k].at[line[k].n] = 1000 * tflops / gbps;
            line[k].value[line[k].n++] = tflops;
            bandwidth = gbps > bandwidth ? gbps : bandwidth;
        }
    }
    Svg *s = svg_open(file, 392, "The roofline of fp32 on an H200, and a kernel that walks along it");
    svg_head(s, 8, 20, SVG_LEFT, "A roofline: fp32 on an H200");
    svg_text(s, 8, 42, SVG_LEFT, "TFLOP/s against operations per byte");
    for (double t = 1; t <= 100; t *= 10)
        svg_text(s, 46, 64 + 230 * (1 - rate_y(t)) + 4, SVG_RIGHT, "%g", t);
    for (double i = 1; i <= 100; i *= 10)
        svg_text(s, 54 + 330 * intensity_x(i), 314, SVG_MIDDLE, "%g", i);
    double ridge = 1000 * peak / bandwidth;
    svg_dashed(s, 54 + 330 * intensity_x(0.2), 64 + 230 * (1 - rate_y(0.2 * bandwidth / 1000)),
               54 + 330 * intensity_x(ridge), 64 + 230 * (1 - rate_y(peak)));
    svg_dashed(s, 54 + 330 * intensity_x(ridge), 64 + 230 * (1 - rate_y(peak)), 388, 64 + 230 * (1 - rate_y(peak)));
    draw_lines(s, line, 3, intensity_x, rate_y);
    svg_claim(s, "ridge", ridge);
    svg_claim(s, "peak", peak);
    svg_close(s);
}

const Picture lecture14_pictures[] = {
    {"block", draw_block},
    {"block-calls", draw_block_calls},
    {"block-masks", block_masks},
    {"tile-order", tile_order},
    {"hilbert", hilbert},
    {"nested", nested},
    {"fragments", fragments},
    {"ldmatrix", ldmatrix},
    {"swizzle", swizzle},
    {"ring", draw_ring},
    {"stream-k", stream_k},
    {"roofline", roofline},
    {"ping-pong", draw_ping_pong},
    {"attention", draw_attention},
    {"attention-turns", draw_attention_turns},
    {"parity", draw_parity},
    {"descriptor", draw_descriptor},
    {"multicast", draw_multicast},
    {NULL, NULL},
};
