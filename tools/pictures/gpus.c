/* gpus.c: lecture 11's three ways of a sum over four GPUs: who sends what, counted by doing it; and their recorded times by
 * size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

enum { GPUS = 4, CELL = 20, PITCH = 98, LEFT = 14 };

typedef struct Traffic {
    int steps, sent; /* parts of a vector that each GPU sends */
} Traffic;

/* The ring: a part's bits say whose vectors are in its sum. */
static Traffic ring(void)
{
    unsigned part[GPUS][GPUS];
    Traffic t = {0};
    for (int r = 0; r < GPUS; r++)
        for (int p = 0; p < GPUS; p++)
            part[r][p] = 1u << r;
    for (int half = 0; half < 2; half++)
        for (int step = 0; step < GPUS - 1; step++, t.steps++, t.sent++) {
            unsigned sent[GPUS];
            for (int r = 0; r < GPUS; r++)
                sent[r] = part[r][(r + half - step + GPUS) % GPUS];
            for (int r = 0; r < GPUS; r++) {
                unsigned *to = &part[(r + 1) % GPUS][(r + half - step + GPUS) % GPUS];
                *to = half ? sent[r] : *to | sent[r];
            }
        }
    for (int r = 0; r < GPUS; r++)
        for (int p = 0; p < GPUS; p++)
            if (part[r][p] != (1u << GPUS) - 1)
                exit(2);
    return t;
}

/* GPU r's vector, of which it is said by `wanted` which parts are in colour. */
static void vectors(Svg *s, double top, int (*wanted)(int gpu, int part), SvgColour colour)
{
    for (int r = 0; r < GPUS; r++)
        for (int p = 0; p < GPUS; p++)
            svg_cell(s, LEFT + r * PITCH + p * CELL, top, CELL, CELL, wanted(r, p) ? colour : SVG_PLAIN, "%d", p);
}

static int first_step(int gpu, int part) { return gpu == part; }
static int all_of_others(int gpu, int part) { return gpu != 0 && part >= 0; }
static int part_of_gpu_0(int gpu, int part) { return gpu != 0 && part == 0; }

static int count(int (*wanted)(int gpu, int part))
{
    int n = 0;
    for (int r = 0; r < GPUS; r++)
        for (int p = 0; p < GPUS; p++)
            n += wanted(r, p) != 0;
    return n;
}

static void say(Svg *s, double y, const char *name, Traffic t)
{
    char claim[64];
    svg_text(s, LEFT, y, SVG_LEFT, "steps: %d; parts over the link per GPU: %d", t.steps, t.sent);
    svg_text(s, LEFT, y + 18, SVG_LEFT, "predicted: %d α + %g n β", t.steps, (double)t.sent / GPUS);
    snprintf(claim, sizeof claim, "%s_steps", name);
    svg_claim(s, claim, t.steps);
    snprintf(claim, sizeof claim, "%s_parts", name);
    svg_claim(s, claim, t.sent);
}

void draw_gpus(const char *file)
{
    Svg *s = svg_open(file, 448, "Three ways to add up a vector over four GPUs: what each sends, in parts of it");
    for (int r = 0; r < GPUS; r++)
        svg_text(s, LEFT + r * PITCH + 2 * CELL, 18, SVG_MIDDLE, "GPU %d", r);
    svg_head(s, LEFT, 46, SVG_LEFT, "ring, first step (3 sends to 0)");
    vectors(s, 56, first_step, SVG_GREEN);
    for (int r = 0; r < GPUS - 1; r++)
        svg_arrow(s, LEFT + r * PITCH + 4 * CELL + 2, 66, LEFT + (r + 1) * PITCH - 2, 66);
    say(s, 98, "ring", ring());
    svg_head(s, LEFT, 156, SVG_LEFT, "one-shot: what GPU 0 reads");
    vectors(s, 166, all_of_others, SVG_BLUE);
    say(s, 208, "one_shot", (Traffic){1, count(all_of_others)});
    svg_head(s, LEFT, 266, SVG_LEFT, "two-shot: what GPU 0 reads");
    vectors(s, 276, part_of_gpu_0, SVG_BLUE);
    svg_head(s, LEFT, 324, SVG_LEFT, "and what it writes");
    vectors(s, 334, part_of_gpu_0, SVG_ORANGE);
    say(s, 376, "two_shot", (Traffic){1, 2 * count(part_of_gpu_0)});
    svg_text(s, LEFT, 432, SVG_LEFT, "α: a step; n β: a whole vector on the link");
    svg_close(s);
}

/* ---- times by size ---- */

static double bytes_x(double v) { return log2(v / 1024) / 20; }
static double us_y(double us) { return log10(us) / 4; }

/* The recorded times of one way, by size in bytes. */
static Line times_of(const char *name, const char *way, const char *mode)
{
    static const char *const csv_file = "results/h200/lecture11/allreduce.csv";
    Line l = {.name = name};
    char text[512], found_way[64], found_mode[16];
    FILE *f = fopen(csv_file, "r");
    for (double bytes, us; f && fgets(text, sizeof text, f);)
        if (sscanf(text, "2,%lf,%63[^,],%15[^,],%lf", &bytes, found_way, found_mode, &us) == 4 &&
            strcmp(way, found_way) == 0 && strcmp(mode, found_mode) == 0 && l.n < MOST_POINTS) {
            l.at[l.n] = bytes;
            l.value[l.n++] = us;
        }
    if (!f || l.n < 2) {
        fprintf(stderr, "pictures: %s has no \"%s\" (%s)\n", csv_file, way, mode);
        exit(2);
    }
    fclose(f);
    return l;
}

/* The size from which `first` takes longer than `second`, on lines between the measured sizes, both axes logarithmic. */
static double crossing(const Line *first, const Line *second)
{
    for (int i = 1; i < first->n && i < second->n; i++) {
        const double before = log(first->value[i - 1] / second->value[i - 1]),
                     now = log(first->value[i] / second->value[i]);
        if (before < 0 && now >= 0)
            return first->at[i - 1] * pow(first->at[i] / first->at[i - 1], before / (before - now));
    }
    fprintf(stderr, "pictures: %s and %s do not cross\n", first->name, second->name);
    exit(2);
}

void draw_allreduce(const char *file)
{
    enum { LINES = 7 };
    const Line line[LINES] = {
        times_of("NCCL, stream", "NCCL", "stream"),
        times_of("NCCL, graph", "NCCL", "graph"),
        times_of("empty inbox, stream", "empty until written", "stream"),
        times_of("empty inbox, graph", "empty until written", "graph"),
        times_of("flag in each word, graph", "a flag in each word", "graph"),
        times_of("one-shot flags, graph", "one-shot flags", "graph"),
        times_of("two-shot flags, graph", "two-shot flags", "graph"),
    };
    Svg *s = svg_open(file, 456,
                      "Time of an all-reduce against its size, ours and NCCL's, from streams and in a CUDA graph");
    svg_head(s, 8, 20, SVG_LEFT, "All-reduce between two GPUs");
    svg_text(s, 8, 42, SVG_LEFT, "NVIDIA H200; time in us against the size");
    for (double us = 1; us <= 10000; us *= 10)
        svg_text(s, 46, 64 + 230 * (1 - us_y(us)) + 4, SVG_RIGHT, "%g", us);
    static const struct {
        const char *name;
        double bytes;
    } marks[] = {{"1 KB", 1024}, {"32 KB", 1 << 15}, {"1 MB", 1 << 20}, {"32 MB", 1 << 25}, {"1 GB", 1 << 30}};
    for (int i = 0; i < 5; i++)
        svg_text(s, 54 + 330 * bytes_x(marks[i].bytes) - (i == 4 ? 16 : 0) + (i == 0 ? 10 : 0), 314, SVG_MIDDLE, "%s",
                 marks[i].name);
    draw_lines(s, line, LINES, bytes_x, us_y);
    const double from = crossing(&line[5], &line[6]);
    svg_text(s, 14, 440, SVG_LEFT, "two-shot passes one-shot at %.0f KB (graph)", from / 1024);
    svg_claim(s, "crossing_kb", from / 1024);
    svg_claim(s, "nccl_at_end", line[1].value[line[1].n - 1]);
    svg_claim(s, "empty_at_1_mb", line[3].value[5]);
    svg_close(s);
}
