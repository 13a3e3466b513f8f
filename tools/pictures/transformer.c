/* transformer.c: the pictures of the kernels of a transformer: norms, losses, the look back of a scan, attention. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

enum { LENGTH = 256, TILE = 64, TILES = LENGTH / TILE };
static float a[LENGTH * PICTURE_WIDTH] __attribute__((aligned(256))),
    b[LENGTH * PICTURE_WIDTH] __attribute__((aligned(256))), c[LENGTH * PICTURE_WIDTH] __attribute__((aligned(256))),
    d[LENGTH * PICTURE_WIDTH] __attribute__((aligned(256)));

/* Which tiles of scores each block computes, and in which step: where it reads a tile of keys. (attention_kernel2) */
void draw_attention(const char *file)
{
    enum { CELL = 46, LEFT = 128, TOP = 70 };
    Replay r = {0};
    int step[TILES][TILES], tiles = 0, elements[4] = {0};
    for (int i = 0; i < LENGTH * PICTURE_WIDTH; i++)
        a[i] = b[i] = c[i] = 0.1f * (float)(i % 7);
    const int array[4] = {replay_watch(&r, a, sizeof a), replay_watch(&r, b, sizeof b), replay_watch(&r, c, sizeof c),
                          replay_watch(&r, d, sizeof d)};
    KernelArguments arguments = {{a, b, c, d}, {LENGTH}};
    replay_run(&r, TILES, 1, 256, 1, call_attention2, &arguments);
    memset(step, -1, sizeof step);
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        const int tile = (int)(w->offset / 4) / PICTURE_WIDTH / TILE;
        for (int k = 0; k < 4; k++)
            elements[k] += w->array == array[k];
        if (w->array == array[1] && step[w->block][tile] < 0)
            step[w->block][tile] = tiles++;
    }
    Svg *s = svg_open(file, 364, "Attention's scores in tiles: one at a time, and none of them in memory");
    svg_text(s, 8, 20, SVG_LEFT, "%d tokens, causal; a block keeps %d queries", LENGTH, TILE);
    svg_text(s, LEFT, 44, SVG_LEFT, "keys and values, %d at a time", TILE);
    for (int q = 0; q < TILES; q++) {
        svg_cell(s, LEFT + q * CELL, TOP - 18, CELL - 4, 14, SVG_ORANGE, "%s", "");
        svg_cell(s, 84, TOP + q * CELL, 34, CELL - 4, SVG_GREEN, "q");
        svg_text(s, 8, TOP + q * CELL + 26, SVG_LEFT, "block %d", q);
        svg_cell(s, LEFT + TILES * CELL + 12, TOP + q * CELL, 34, CELL - 4, SVG_VIOLET, "o");
        for (int k = 0, order = 0; k < TILES; k++)
            svg_cell(s, LEFT + k * CELL, TOP + q * CELL, CELL - 4, CELL - 4, step[q][k] < 0 ? SVG_NONE : SVG_BLUE,
                     step[q][k] < 0 ? "" : "%d", order++);
    }
    svg_text(s, 8, 280, SVG_LEFT, "blue: a tile of scores, which stays on the chip;");
    svg_text(s, 8, 300, SVG_LEFT, "the number is the step that computes it.");
    svg_text(s, 8, 326, SVG_LEFT, "Memory: q read and o written once, k and v once");
    svg_text(s, 8, 346, SVG_LEFT, "for each blue tile. The scores never go there.");
    svg_claim(s, "tiles", tiles);
    svg_claim(s, "reads_of_q", elements[0]);
    svg_claim(s, "reads_of_k", elements[1]);
    svg_claim(s, "reads_of_v", elements[2]);
    svg_claim(s, "writes_of_o", elements[3]);
    replay_free(&r);
    svg_close(s);
}

/* Two consumers of attention's rung 5, in the order of the kernel's own lines, with two products of 2 units each and a
 * softmax of 3: the tensor cores do one product after the other, and a turn is handed on once both are issued. */
void draw_attention_turns(const char *file)
{
    enum { STEPS = 4, MOST = 64, PRODUCT = 2, SOFTMAX = 3 };
    const double U = 8.5, LEFT = 96;
    int log[2][MOST], count[2], at[2] = {0, 0}, turns[2] = {1, 0}, moved = 1; /* the first turn is consumer 0's */
    double now[2] = {0, 0}, given[2] = {0, 0}, last[2] = {0, 0}, cores = 0, rest = 0;
    for (int g = 0; g < 2; g++)
        count[g] = attention_turns(g, STEPS, log[g], MOST);
    Svg *s = svg_open(file, 222, "Attention in turns: one consumer's softmax during the other's products");
    svg_text(s, 8, 20, SVG_LEFT, "two products of %d units each, a softmax of %d", PRODUCT, SOFTMAX);
    for (int g = 0; g < 2; g++)
        svg_text(s, 8, 61 + g * 46, SVG_LEFT, "consumer %d", g);
    svg_text(s, 8, 153, SVG_LEFT, "tensor cores");
    while (moved) {
        moved = 0;
        for (int g = 0; g < 2; g++)
            while (at[g] < count[g]) {
                const int what = log[g][at[g]];
                if (what == TURN_WAIT && !turns[g])
                    break;
                if (what == TURN_WAIT) {
                    turns[g]--;
                    now[g] = now[g] > given[g] ? now[g] : given[g];
                } else if (what == TURN_PRODUCT) {
                    const double from = now[g] > cores ? now[g] : cores;
                    rest += from - cores;
                    svg_box(s, LEFT + from * U, 44 + g * 46, PRODUCT * U, 26, SVG_BLUE);
                    svg_box(s, LEFT + from * U, 136, PRODUCT * U, 26, g ? SVG_VIOLET : SVG_GREEN);
                    cores = last[g] = from + PRODUCT;
                } else if (what == TURN_GIVE) {
                    turns[1 - g]++;
                    given[1 - g] = now[g];
                } else if (what == TURN_PRODUCTS_DONE) {
                    now[g] = now[g] > last[g] ? now[g] : last[g];
                } else if (what == TURN_SOFTMAX) {
                    svg_box(s, LEFT + now[g] * U, 44 + g * 46, SOFTMAX * U, 26, SVG_ORANGE);
                    now[g] += SOFTMAX;
                }
                at[g]++;
                moved = 1;
            }
    }
    for (int i = 0; i < 3; i++)
        svg_line(s, LEFT, 74 + i * 46, 396, 74 + i * 46);
    svg_text(s, 8, 190, SVG_LEFT, "blue: scores, and weights times values;");
    svg_text(s, 8, 210, SVG_LEFT, "orange: the softmax between them");
    svg_claim(s, "rest", rest);
    svg_claim(s, "end", cores);
    svg_close(s);
}

/* One row, normed by one block: what is read of it before and after the block has exchanged its sums. */
static double norm(Svg *s, double top, const char *what, void (*call)(void *), int columns, int threads)
{
    Replay r = {0};
    const int x = replay_watch(&r, a, sizeof a), y = replay_watch(&r, d, sizeof d);
    int read[2] = {0, 0};
    KernelArguments arguments = {{a, b, c, d}, {1, columns}};
    const double wide = 300.0 / columns;
    replay_run(&r, 1, 1, threads, 1, call, &arguments);
    svg_head(s, 8, top, SVG_LEFT, "%s", what);
    static const char *const label[3] = {"sums", "results", "y"};
    for (size_t i = 0; i < r.count; i++) {
        const Access *w = &r.access[i];
        const int row = w->array == y ? 2 : w->barriers > 0;
        if (w->array != x && w->array != y)
            continue;
        svg_box(s, 84 + w->offset / 4 * wide, top + 12 + row * 24, w->bytes / 4 * wide, 18,
                row == 2 ? SVG_GREEN
                : row    ? SVG_ORANGE
                         : SVG_BLUE);
        read[row == 1] += row < 2 ? w->bytes / 4 : 0;
    }
    for (int i = 0; i < 3; i++)
        svg_text(s, 8, top + 26 + i * 24, SVG_LEFT, "%s", label[i]);
    if (!read[1])
        svg_text(s, 84, top + 50, SVG_LEFT, "from registers");
    replay_free(&r);
    return read[0] + read[1];
}

void draw_norms(const char *file)
{
    enum { COLUMNS = 32 };
    for (int i = 0; i < COLUMNS; i++)
        a[i] = (float)(i % 5);
    Svg *s = svg_open(file, 254, "LayerNorm: the row read for its sums and again for the results, and read once");
    const double twice = norm(s, 22, "one block per row (rung 2)", call_norm2, COLUMNS, 8);
    const double once = norm(s, 128, "row in registers (rung 3)", call_norm3, COLUMNS, COLUMNS / 4);
    svg_text(s, 8, 226, SVG_LEFT, "blue: x read for the sums; orange: x read again;");
    svg_text(s, 8, 246, SVG_LEFT, "green: y written. %d reads against %d.", (int)twice, (int)once);
    svg_claim(s, "reads_rung_2", twice);
    svg_claim(s, "reads_rung_3", once);
    svg_close(s);
}

/* Twelve numbers in tiles of four: the pair after each tile, by the function of the lab cross_entropy. */
void draw_online_tiles(const char *file)
{
    enum { TILES_HERE = 3, N = 4 * TILES_HERE };
    const float x[N] = {1, 3, 2, 3, 5, 2, 4, 1, 2, 3, 0, 4};
    float max[TILES_HERE], sum[TILES_HERE];
    online_tiles(x, TILES_HERE, max, sum);
    Svg *s = svg_open(file, 276, "The online softmax tile by tile: one maximum and one correction for four numbers");
    const double left = 76, wide = 26;
    int corrections = 0;
    svg_text(s, 8, 20, SVG_LEFT, "line: the maximum so far");
    svg_text(s, 8, 166, SVG_LEFT, "x");
    svg_text(s, 8, 194, SVG_LEFT, "maximum");
    svg_text(s, 8, 220, SVG_LEFT, "sum");
    for (int i = 0; i < N; i++) {
        svg_box(s, left + i * wide + 4, 146 - x[i] * 22, wide - 8, x[i] * 22 + 1, i / 4 % 2 ? SVG_ORANGE : SVG_BLUE);
        svg_text(s, left + (i + 0.5) * wide, 166, SVG_MIDDLE, "%g", x[i]);
    }
    for (int t = 0; t < TILES_HERE; t++) {
        const double from = left + 4 * t * wide, largest = max[t] * log(2); /* the lab keeps x times log2 e */
        corrections += t && max[t] > max[t - 1];
        svg_line(s, from, 146 - largest * 22, from + 4 * wide, 146 - largest * 22);
        svg_text(s, from + 2 * wide, 194, SVG_MIDDLE, "%g", round(1e4 * largest) / 1e4);
        svg_text(s, from + 2 * wide, 220, SVG_MIDDLE, "%.3f", sum[t]);
    }
    svg_text(s, 8, 246, SVG_LEFT, "In the second tile the maximum grows from %g to %g:", round(max[0] * log(2)),
             round(max[1] * log(2)));
    svg_text(s, 8, 266, SVG_LEFT, "the old sum is multiplied once, by exp(%g - %g).", round(max[0] * log(2)),
             round(max[1] * log(2)));
    svg_claim(s, "sum", sum[TILES_HERE - 1]);
    svg_claim(s, "corrections", corrections);
    svg_close(s);
}

/* Nine tiles of a scan; the last looks back over what the others have published. (look_back) */
void draw_look_back(const char *file)
{
    enum { COUNT = 9, OWN = 1, WHOLE = 2 };
    static const float own[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
    static const int state[COUNT] = {WHOLE, WHOLE, WHOLE, OWN, WHOLE, OWN, OWN, OWN, 0};
    float value[COUNT], before = 0;
    int used = 0;
    for (int i = 0; i < COUNT; i++) {
        value[i] = state[i] == WHOLE ? before + own[i] : own[i];
        before += own[i];
    }
    const float sum = back_sum(state, value, COUNT - 1, &used);
    const double wide = 35, left = 76;
    Svg *s = svg_open(file, 230, "The look-back of a scan: tile 8 adds what the tiles before it have published");
    const char *const label[3] = {"tile", "its sum", "published"};
    for (int k = 0; k < 3; k++)
        svg_text(s, 8, 53 + 34 * k, SVG_LEFT, "%s", label[k]);
    for (int i = 0; i < COUNT; i++) {
        const int counts = i < COUNT - 1 && i >= COUNT - 1 - used;
        svg_text(s, left + (i + 0.5) * wide, 53, SVG_MIDDLE, "%d", i);
        svg_cell(s, left + i * wide, 70, wide - 4, 24, SVG_PLAIN, "%g", own[i]);
        svg_cell(s, left + i * wide, 104, wide - 4, 24,
                 i == COUNT - 1      ? SVG_NONE
                 : state[i] == WHOLE ? SVG_GREEN
                                     : SVG_BLUE,
                 i == COUNT - 1 ? "?" : "%g", value[i]);
        if (counts)
            svg_line(s, left + i * wide, 134, left + (i + 1) * wide - 4, 134);
    }
    svg_text(s, 8, 20, SVG_LEFT, "What does tile 8 add to its own numbers?");
    svg_text(s, 8, 160, SVG_LEFT, "blue: the tile's own sum; green: all sums up to it.");
    svg_text(s, 8, 182, SVG_LEFT, "The nearest green one and the blue ones after it");
    svg_text(s, 8, 204, SVG_LEFT, "(underlined) are enough: %g.", sum);
    svg_claim(s, "sum", sum);
    svg_claim(s, "used", used);
    svg_close(s);
}
