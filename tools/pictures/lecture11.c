/* lecture11.c: masks, formats, two of four and its metadata, the lottery's steps; two figures of results/ as lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "sparse.h"
#include "types.h"

/* Numbers between -1 and 1 that are the same everywhere. */
static float number(unsigned i)
{
    i = (i + 1) * 2654435761u;
    i ^= i >> 15;
    i *= 2246822519u;
    i ^= i >> 13;
    return (float)(i % 2001) / 1000 - 1;
}

/* Four masks of one 16 x 16 matrix, half of it dropped. (mask_* of common/sparse/sparse_masks.c) */
static void masks(const char *file)
{
    enum { SIDE = 16, CELL = 11 };
    float w[SIDE * SIDE];
    uint8_t mask[4][SIDE * SIDE];
    static const char *const names[4] = {"single elements", "2 of every 4", "4 x 4 blocks", "whole rows"};
    static const char *const claims[4] = {"elements", "two_of_four", "blocks", "rows"};
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        w[i] = number(i);
    mask_unstructured(w, SIDE, SIDE, 0.5, mask[0]);
    mask_n_of_m(w, SIDE, SIDE, 2, 4, mask[1]);
    mask_blocks(w, SIDE, SIDE, 4, 0.5, mask[2]);
    mask_rows(w, SIDE, SIDE, 0.5, mask[3]);
    Svg *s = svg_open(file, 482, "Four ways to drop half of the same matrix, and the energy that is left");
    for (int k = 0; k < 4; k++) {
        double left = 12 + k % 2 * 196, top = 28 + k / 2 * 226, energy = mask_energy(w, SIDE * SIDE, mask[k]);
        svg_text(s, left, top - 8, SVG_LEFT, "%s", names[k]);
        for (int i = 0; i < SIDE * SIDE; i++)
            svg_box(s, left + i % SIDE * CELL, top + i / SIDE * CELL, CELL, CELL,
                    mask[k][i] ? fabsf(w[i]) > 0.5f ? SVG_BLUE : SVG_VIOLET : SVG_NONE);
        svg_text(s, left, top + SIDE * CELL + 18, SVG_LEFT, "energy kept: %.0f %%", 100 * energy);
        svg_claim(s, claims[k], energy);
    }
    svg_text(s, 8, 470, SVG_LEFT, "blue: kept, larger than 0.5; violet: kept, smaller");
    svg_close(s);
}

/* A small matrix and its three CSR arrays. (csr_from_dense) */
static void csr(const char *file)
{
    enum { ROWS = 5, COLUMNS = 8, CELL = 30 };
    float dense[ROWS * COLUMNS];
    int n = 0;
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        dense[i] = number(i + 7) > 0.45f && i / COLUMNS != 3 ? (float)++n : 0;
    Csr c;
    if (csr_from_dense(&c, dense, ROWS, COLUMNS))
        exit(2);
    Svg *s = svg_open(file, 374, "A sparse matrix and its CSR arrays");
    svg_text(s, 8, 20, SVG_LEFT, "%d x %d with %d values that are not zero", ROWS, COLUMNS, (int)c.nonzeros);
    static const SvgColour of_row[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET, SVG_PINK};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        svg_cell(s, 60 + i % COLUMNS * CELL, 32 + i / COLUMNS * CELL, CELL, CELL,
                 dense[i] != 0 ? of_row[i / COLUMNS] : SVG_NONE, dense[i] != 0 ? "%.0f" : "", dense[i]);
    svg_text(s, 8, 214, SVG_LEFT, "value");
    svg_text(s, 8, 262, SVG_LEFT, "column");
    svg_text(s, 8, 314, SVG_LEFT, "row_start");
    const double wide = c.nonzeros ? 310.0 / (double)c.nonzeros : 0;
    for (int r = 0; r < ROWS; r++) {
        for (int i = c.row_start[r]; i < c.row_start[r + 1]; i++) {
            svg_cell(s, 80 + i * wide, 198, wide, 24, of_row[r], "%.0f", c.value[i]);
            svg_cell(s, 80 + i * wide, 246, wide, 24, of_row[r], "%d", c.column[i]);
        }
        svg_cell(s, 92 + r * 36, 298, 36, 24, of_row[r], "%d", c.row_start[r]);
    }
    svg_cell(s, 92 + ROWS * 36, 298, 36, 24, SVG_NONE, "%d", c.row_start[ROWS]);
    svg_text(s, 8, 346, SVG_LEFT, "row r: from row_start[r] to before row_start[r + 1]");
    svg_text(s, 8, 366, SVG_LEFT, "row 3 is empty: its start is the next row's");
    svg_claim(s, "nonzeros", (double)c.nonzeros);
    svg_claim(s, "last_start", c.row_start[ROWS]);
    csr_free(&c);
    svg_close(s);
}

/* The same with blocks of 4 x 4. (bsr_from_dense) */
static void bsr(const char *file)
{
    enum { ROWS = 12, COLUMNS = 16, BLOCK = 4, CELL = 14 };
    static const int kept[3][4] = {{1, 0, 0, 1}, {0, 0, 0, 0}, {0, 1, 1, 0}};
    uint16_t dense[ROWS * COLUMNS];
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        dense[i] = kept[i / COLUMNS / BLOCK][i % COLUMNS / BLOCK] ? bf16_from_float(number(i)) : 0;
    Bsr b;
    if (bsr_from_dense(&b, dense, ROWS, COLUMNS, BLOCK))
        exit(2);
    Svg *s = svg_open(file, 354, "A matrix of blocks and its block CSR arrays");
    static const SvgColour of_block[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET};
    svg_text(s, 8, 20, SVG_LEFT, "blocks of %d x %d: %d of %d are kept", BLOCK, BLOCK, (int)b.blocks,
             ROWS * COLUMNS / BLOCK / BLOCK);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        svg_box(s, 88 + i % COLUMNS * CELL, 32 + i / COLUMNS * CELL, CELL, CELL, SVG_NONE);
    svg_text(s, 8, 242, SVG_LEFT, "value");
    svg_text(s, 8, 282, SVG_LEFT, "column");
    svg_text(s, 8, 316, SVG_LEFT, "row_start");
    for (int r = 0; r < ROWS / BLOCK; r++) {
        for (int k = b.row_start[r]; k < b.row_start[r + 1]; k++) {
            for (int i = 0; i < BLOCK * BLOCK; i++)
                svg_box(s, 88 + (b.column[k] * BLOCK + i % BLOCK) * CELL, 32 + (r * BLOCK + i / BLOCK) * CELL, CELL,
                        CELL, of_block[k]);
            for (int i = 0; i < BLOCK * BLOCK; i++)
                svg_box(s, 88 + k * 68 + i % BLOCK * 9, 216 + i / BLOCK * 9, 9, 9, of_block[k]);
            svg_cell(s, 88 + k * 68, 266, 36, 22, of_block[k], "%d", b.column[k]);
        }
        svg_cell(s, 88 + r * 36, 300, 36, 22, SVG_PLAIN, "%d", b.row_start[r]);
    }
    svg_cell(s, 88 + ROWS / BLOCK * 36, 300, 36, 22, SVG_PLAIN, "%d", b.row_start[ROWS / BLOCK]);
    svg_text(s, 8, 344, SVG_LEFT, "one index for %d values; CSR: one for each", BLOCK * BLOCK);
    svg_claim(s, "blocks", (double)b.blocks);
    bsr_free(&b);
    svg_close(s);
}

/* One row of A and B's column: which are kept, the metadata, and which rows of B an mma.sp picks.
 * (sparse24_compress_bf16) */
static void two_of_four(const char *file)
{
    enum { N = 16, CELL = 24 };
    uint16_t row[64] = {0}, *values = (uint16_t *)calloc(sparse24_value_count(1, 64), 2);
    uint32_t *meta = (uint32_t *)calloc(sparse24_meta_words(1, 64), 4);
    if (!values || !meta)
        exit(2);
    for (unsigned i = 0; i < N; i++)
        row[i] = bf16_from_float(roundf(9 * number(i + 40)));
    sparse24_compress_bf16(row, 1, 64, 64, values, meta);
    Svg *s = svg_open(file, 318, "Two of every four: values, metadata, and what they pick out of B");
    svg_text(s, 8, 20, SVG_LEFT, "a row of A; coloured: the two larger ones of four");
    svg_text(s, 8, 106, SVG_LEFT, "kept: 8 values, and 2 bits of place for each");
    svg_text(s, 8, 222, SVG_LEFT, "rows of a column of B; coloured: multiplied");
    static const SvgColour of_group[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET};
    int kept = 0;
    for (int g = 0; g < N / 4; g++) {
        size_t word;
        unsigned bit;
        sparse24_place(0, (size_t)(4 * g), 64, 2, &word, &bit);
        unsigned places = meta[word] >> bit & 15;
        for (int i = 0; i < 4; i++) {
            int on = (int)(places & 3) == i || (int)(places >> 2) == i;
            kept += on;
            svg_cell(s, 8 + (4 * g + i) * CELL, 34, CELL, 26, on ? of_group[g] : SVG_NONE, "%.0f",
                     bf16_to_float(row[4 * g + i]));
            svg_cell(s, 8 + (4 * g + i) * CELL, 236, CELL, 26, on ? of_group[g] : SVG_NONE, "%d", 4 * g + i);
        }
        for (int k = 0; k < 2; k++) {
            int place = (int)(places >> 2 * k & 3);
            svg_cell(s, 8 + (2 * g + k) * 48, 118, 48, 26, of_group[g], "%.0f", bf16_to_float(values[2 * g + k]));
            svg_cell(s, 8 + (2 * g + k) * 48, 150, 48, 26, of_group[g], "%d%d", place >> 1, place & 1);
        }
    }
    svg_text(s, 8, 284, SVG_LEFT, "mma.sp multiplies 8 pairs where mma multiplies 16");
    svg_text(s, 8, 304, SVG_LEFT, "in 16 bits: 8 x 16 + 8 x 2 bits = 9/16 of 16 x 16");
    svg_claim(s, "kept", kept);
    free(values), free(meta);
    svg_close(s);
}

/* Which lane's word holds the metadata of which group, in a tile of 16 rows and 64 columns. (sparse24_place) */
static void metadata(const char *file)
{
    enum { ROWS = 16, GROUPS = 16, W = 22, H = 19 };
    Svg *s = svg_open(file, 396, "Which lane holds the metadata of which group of four");
    svg_text(s, 8, 20, SVG_LEFT, "16 rows, 16 groups of four; in each box its lane");
    int lanes[32] = {0};
    for (int r = 0; r < ROWS; r++)
        for (int g = 0; g < GROUPS; g++) {
            size_t word;
            unsigned bit;
            sparse24_place((size_t)r, (size_t)(4 * g), 64, 2, &word, &bit);
            lanes[word % 32]++;
            svg_cell(s, 24 + g * W, 32 + r * H, W, H, word % 4 < 2 ? SVG_BLUE : SVG_ORANGE, "%d", (int)word % 32);
        }
    svg_text(s, 8, 360, SVG_LEFT, "blue: the first mma.sp, orange: the second");
    svg_text(s, 8, 380, SVG_LEFT, "a lane's word has %d groups of 4 bits", lanes[0]);
    svg_claim(s, "groups_of_a_lane", lanes[0]);
    svg_close(s);
}

/* Frankle and Carbin's five steps on a 6 x 6 layer; what is dropped is chosen by mask_unstructured. */
static void lottery(const char *file)
{
    enum { SIDE = 6, CELL = 18 };
    float first[SIDE * SIDE], trained[SIDE * SIDE];
    uint8_t all[SIDE * SIDE], mask[SIDE * SIDE];
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        first[i] = number(i + 100) / 2;
        trained[i] = first[i] + number(i + 300) / 2;
        all[i] = 1;
    }
    mask_unstructured(trained, SIDE, SIDE, 0.5, mask);
    static const char *const names[5] = {"1 initialise", "2 train", "3 drop the small", "4 back to step 1",
                                         "5 train again"};
    const float *values[5] = {first, trained, trained, first, trained};
    Svg *s = svg_open(file, 374, "The five steps of a lottery ticket");
    int kept = 0, same = 1;
    for (int k = 0; k < 5; k++) {
        double left = 8 + k % 3 * 132, top = 34 + k / 3 * 158;
        const uint8_t *m = k < 2 ? all : mask;
        svg_text(s, left, top - 10, SVG_LEFT, "%s", names[k]);
        for (int i = 0; i < SIDE * SIDE; i++) {
            float v = fabsf(values[k][i]);
            svg_box(s, left + i % SIDE * CELL, top + i / SIDE * CELL, CELL, CELL,
                    !m[i]       ? SVG_NONE
                    : v > 0.5f  ? SVG_BLUE
                    : v > 0.25f ? SVG_VIOLET
                                : SVG_PLAIN);
        }
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        kept += mask[i];
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int j = 0; j < SIDE * SIDE; j++)
            same &= !(mask[i] && !mask[j]) || fabsf(trained[i]) >= fabsf(trained[j]);
    svg_text(s, 8, 336, SVG_LEFT, "blue: large, violet: medium, grey: small weights");
    svg_text(s, 8, 358, SVG_LEFT, "in step 4 the kept ones are as in step 1");
    svg_claim(s, "kept", kept);
    svg_claim(s, "largest_kept", same);
    svg_close(s);
}

/* ---- lines from results/ */

/* Fills in a line from two columns of a CSV; blank cells are left out. */
static void read_line(Line *l, const char *file, int at, int value)
{
    char text[512];
    FILE *f = fopen(file, "r");
    for (int row = 0; f && fgets(text, sizeof text, f);) {
        if (text[0] == '#' || row++ == 0)
            continue;
        double cell[16] = {0};
        int full[16] = {0}, k = 0;
        for (char *word = text; word && k < 16; k++) {
            full[k] = *word != ',' && *word != '\n' && *word != '\r';
            cell[k] = atof(word);
            word = strchr(word, ',');
            if (word)
                word++;
        }
        if (value < k && full[value] && l->n < MOST_POINTS) {
            l->at[l->n] = cell[at];
            l->value[l->n++] = cell[value];
        }
    }
    if (!f || !l->n) {
        fprintf(stderr, "pictures: %s has no such columns\n", file);
        exit(2);
    }
    fclose(f);
}

static double sparsity_x(double v) { return log10((1 - v) / 0.5) / log10(0.002 / 0.5); }
static double time_y(double ms) { return (log10(ms) - log10(0.01)) / (log10(20) - log10(0.01)); }

/* When each format begins to win: time over sparsity, both logarithmic. */
static void sweep(const char *file)
{
    static const char *const csv_file = "results/h200/lecture11/formats_sweep.csv";
    static Line line[7];
    static const struct {
        const char *name;
        int column;
    } columns[7] = {{"dense, cuBLASLt", 1}, {"CSR", 2},          {"cuSPARSE", 3},   {"blocks of 8", 4},
                    {"blocks of 16", 5},    {"blocks of 64", 7}, {"2:4, mma.sp", 8}};
    memset(line, 0, sizeof line);
    for (int k = 0; k < 7; k++) {
        line[k].name = columns[k].name;
        read_line(&line[k], csv_file, 0, columns[k].column);
    }
    Svg *s = svg_open(file, 432, "Time of a product against the share of zeros, by format");
    svg_head(s, 8, 20, SVG_LEFT, "Sparse times dense, 4096 cubed");
    svg_text(s, 8, 42, SVG_LEFT, "NVIDIA H200; time in ms against the share of zeros");
    for (double ms = 0.01; ms < 20; ms *= 10)
        svg_text(s, 46, 64 + 230 * (1 - time_y(ms)) + 4, SVG_RIGHT, "%g", ms);
    static const double marks[] = {0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.998};
    for (int i = 0; i < 7; i += 2)
        svg_text(s, 54 + 330 * sparsity_x(marks[i]) - (i == 6 ? 16 : 0), 314, SVG_MIDDLE, "%g %%", 100 * marks[i]);
    draw_lines(s, line, 7, sparsity_x, time_y);
    svg_claim(s, "dense_at_half", line[0].value[0]);
    svg_claim(s, "csr_at_end", line[1].value[line[1].n - 1]);
    svg_close(s);
}

static double weights_x(double v) { return log10(1 / (1 - v)) / log10(42); }
static double percent_y(double v) { return (v - 10) / 95; }

static void tickets(const char *file)
{
    static const char *const csv_file = "results/h200/lecture11/lottery_curves.csv";
    static Line line[3];
    static const char *const names[3] = {"winning tickets", "other weights", "random mask"};
    memset(line, 0, sizeof line);
    for (int k = 0; k < 3; k++) {
        line[k].name = names[k];
        read_line(&line[k], csv_file, 1, 2 + 2 * k);
    }
    Svg *s = svg_open(file, 388, "Accuracy against the share of dropped weights: tickets and two controls");
    svg_head(s, 8, 20, SVG_LEFT, "Lottery tickets: 1797 digits, 5 seeds");
    svg_text(s, 8, 42, SVG_LEFT, "test accuracy in %% against the share of zeros");
    for (int p = 20; p <= 100; p += 20)
        svg_text(s, 46, 64 + 230 * (1 - percent_y(p)) + 4, SVG_RIGHT, "%d", p);
    static const double marks[] = {0, 0.5, 0.75, 0.9, 0.95};
    for (int i = 0; i < 5; i++)
        svg_text(s, 54 + 330 * weights_x(marks[i]) + 8, 314, SVG_MIDDLE, "%g %%", 100 * marks[i]);
    draw_lines(s, line, 3, weights_x, percent_y);
    svg_claim(s, "winning_at_end", line[0].value[line[0].n - 1]);
    svg_claim(s, "random_at_end", line[2].value[line[2].n - 1]);
    svg_close(s);
}

const Picture lecture11_pictures[] = {
    {"masks", masks},
    {"csr", csr},
    {"bsr", bsr},
    {"two-of-four", two_of_four},
    {"metadata", metadata},
    {"lottery", lottery},
    {"sweep", sweep},
    {"tickets", tickets},
    {"training", draw_training},
    {"kinds", draw_kinds},
    {"sparse-step", draw_sparse_step},
    {"gpus", draw_gpus},
    {"allreduce", draw_allreduce},
    {NULL, NULL},
};
