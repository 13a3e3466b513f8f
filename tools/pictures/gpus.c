/* gpus.c: lecture 11's three ways of a sum over four GPUs: who sends what, counted by doing it. */
#include <stdio.h>
#include <stdlib.h>

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
    Svg *s = svg_open(file, 448, "Three ways of a sum over four GPUs: what each sends, in parts of a vector");
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
