/* clocks.c: the ring of slots and the consumers' turns, drawn from clocks that were recorded inside the kernels on an
 * H200 (lecture14_tiling/hopper_clocks.cu). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

#define CLOCKS "results/h200/lecture14/hopper_clocks.csv"
enum { MOST_STAMPS = 4096, MOST_STEPS = 64, STEPS = 16, MOST_TILES = 4 };

typedef struct Stamp {
    char kernel[16], track[16], event[16], barrier[16];
    double cycle;
} Stamp;

/* All stamps of the file; ends the program if there are none. */
static int read_stamps(Stamp *stamp)
{
    char line[256];
    int n = 0;
    FILE *f = fopen(CLOCKS, "r");
    while (f && n < MOST_STAMPS && fgets(line, sizeof line, f)) {
        Stamp *s = &stamp[n];
        memset(s, 0, sizeof *s);
        if (sscanf(line, "%15[^,],%15[^,],%15[^,],%15[^,],%lf", s->kernel, s->track, s->event, s->barrier, &s->cycle) ==
                5 ||
            sscanf(line, "%15[^,],%15[^,],%15[^,],,%lf", s->kernel, s->track, s->event, &s->cycle) == 4)
            n++;
    }
    if (!n) {
        fprintf(stderr, "pictures: %s holds no stamps\n", CLOCKS);
        exit(2);
    }
    fclose(f);
    return n;
}

/* The cycles of the stamps of one kind, in order; `barrier` may be a beginning ("full"). Returns how many. */
static int cycles_of(const Stamp *stamp, int stamps, const char *kernel, const char *track, const char *event,
                     const char *barrier, double *cycle, int most)
{
    int n = 0;
    for (int i = 0; i < stamps && n < most; i++)
        if (strcmp(stamp[i].kernel, kernel) == 0 && strcmp(stamp[i].track, track) == 0 &&
            strcmp(stamp[i].event, event) == 0 && strncmp(stamp[i].barrier, barrier, strlen(barrier)) == 0)
            cycle[n++] = stamp[i].cycle;
    return n;
}

static double earlier(double a, double b) { return a < b ? a : b; }
static double later(double a, double b) { return a > b ? a : b; }

/* One block of the ring: for each step when its copy was asked for and landed, when a consumer began to read the slot
 * and when both had handed it back. The parities are those of the kernel's own lines (ring_walk). */
void draw_ring(const char *file)
{
    static Stamp stamp[MOST_STAMPS];
    static RingLog consumer;
    double fill[STEPS], landed[STEPS], got[2][STEPS], wait[2][STEPS], back[2][STEPS], done[2];
    const int stamps = read_stamps(stamp);
    int n = cycles_of(stamp, stamps, "ring", "producer", "fill", "full", fill, STEPS);
    n += cycles_of(stamp, stamps, "ring", "watcher", "landed", "full", landed, STEPS);
    for (int g = 0; g < 2; g++) {
        const char *track = g ? "consumer 1" : "consumer 0";
        n += cycles_of(stamp, stamps, "ring", track, "got", "full", got[g], STEPS);
        n += cycles_of(stamp, stamps, "ring", track, "wait", "full", wait[g], STEPS);
        n += cycles_of(stamp, stamps, "ring", track, "arrive", "empty", back[g], STEPS - 1);
        n += cycles_of(stamp, stamps, "ring", track, "done", "", &done[g], 1);
        back[g][STEPS - 1] = done[g]; /* the last slot is handed back to nobody */
    }
    if (n != 8 * STEPS) {
        fprintf(stderr, "pictures: %s does not hold %d steps of the ring\n", CLOCKS, STEPS);
        exit(2);
    }
    ring_walk(&consumer, 0, STEPS);
    const double LEFT = 58, TOP = 66, ROW = 52, U = 334 / later(done[0], done[1]);
    Svg *s = svg_open(file, 352, "A ring of four slots over time: filled by the producer, emptied by the consumers");
    svg_text(s, 8, 20, SVG_LEFT, "One block, by the clock of an H200 (K = 1024)");
    for (int tick = 0; tick <= 20000; tick += 10000)
        svg_text(s, LEFT + tick * U, 48, tick ? SVG_MIDDLE : SVG_LEFT, tick ? "%d" : "cycle %d", tick);
    for (int k = 0; k < RING_STAGES; k++) {
        svg_text(s, 8, TOP + k * ROW + 17, SVG_LEFT, "slot %d", k);
        svg_line(s, LEFT, TOP + k * ROW + 30, 396, TOP + k * ROW + 30);
    }
    int waited = 0, at = 0, second_round = 0;
    for (int k = 0; k < STEPS; k++) {
        const double top = TOP + k % RING_STAGES * ROW, from = earlier(got[0][k], got[1][k]),
                     to = later(back[0][k], back[1][k]);
        while (consumer.event[at].what != RING_WAIT)
            at++;
        const int parity = consumer.event[at++].value;
        second_round = k == RING_STAGES ? parity : second_round;
        svg_box(s, LEFT + fill[k] * U, top, (landed[k] - fill[k]) * U, 24, SVG_ORANGE);
        svg_cell(s, LEFT + from * U, top, (to - from) * U, 24, SVG_BLUE, "%d", k);
        svg_text(s, LEFT + (from + to) / 2 * U, top + 46, SVG_MIDDLE, "%d", parity);
        waited += landed[k] > wait[0][k] && landed[k] > wait[1][k];
    }
    svg_text(s, 8, TOP + 4 * ROW + 16, SVG_LEFT, "orange: a copy under way; blue: its products;");
    svg_text(s, 8, TOP + 4 * ROW + 36, SVG_LEFT, "in it: the step; below: the parity waited for.");
    svg_text(s, 8, TOP + 4 * ROW + 56, SVG_LEFT, "A step: %.0f cycles; about 1024 without stamps.",
             (got[0][STEPS - 1] - got[0][1]) / (STEPS - 2));
    svg_claim(s, "steps", STEPS);
    svg_claim(s, "waited_for_a_copy", waited);
    svg_claim(s, "first_parity_of_second_round", second_round);
    svg_claim(s, "last_fill", fill[STEPS - 1]);
    svg_close(s);
}

/* Two consumers of one kernel: each tile from its first product to its last, and then its store. Below them, when
 * neither has a product under way. Returns that part of the time from the first product to the last. */
static double draw_consumers(Svg *s, const Stamp *stamp, int stamps, const char *kernel, const char *store_end,
                             double top, double left, double u)
{
    double from[2 * MOST_TILES], to[2 * MOST_TILES], last = 0, first = 1e30, rest = 0;
    int n = 0;
    for (int g = 0; g < 2; g++) {
        const char *track = g ? "consumer 1" : "consumer 0";
        double product[MOST_STEPS], done[MOST_TILES], stored[MOST_STEPS];
        const int products = cycles_of(stamp, stamps, kernel, track, "multiply", "", product, MOST_STEPS),
                  tiles = cycles_of(stamp, stamps, kernel, track, "done", "", done, MOST_TILES),
                  stores = cycles_of(stamp, stamps, kernel, track, store_end, *store_end == 'w' ? "full" : "", stored,
                                     MOST_STEPS);
        svg_text(s, 8, top + g * 32 + 17, SVG_LEFT, "%s", track);
        for (int t = 0; t < tiles && t * STEPS < products && t < 3; t++) {
            double end = done[t];
            for (int i = 0; i < stores; i++) /* the last part of this tile, or the first wait of the next */
                if (stored[i] > done[t] && (t + 1 == tiles || stored[i] < product[(t + 1) * STEPS]))
                    end = *store_end == 'w' && end > done[t] ? end : stored[i];
            svg_cell(s, left + product[t * STEPS] * u, top + g * 32, (done[t] - product[t * STEPS]) * u, 24, SVG_BLUE,
                     "%d", *store_end == 'w' ? t : 2 * t + g);
            svg_box(s, left + done[t] * u, top + g * 32, (end - done[t]) * u, 24, SVG_ORANGE);
            from[n] = product[t * STEPS], to[n++] = done[t];
        }
    }
    for (int i = 0; i < n; i++) {
        first = earlier(first, from[i]);
        last = later(last, to[i]);
    }
    for (double at = first; at < last;) { /* the end of what is under way at `at`, then the next beginning */
        double end = at, next = last;
        for (int i = 0; i < n; i++)
            end = from[i] <= at && to[i] > end ? to[i] : end;
        if (end > at) {
            at = end;
            continue;
        }
        for (int i = 0; i < n; i++)
            next = from[i] > at && from[i] < next ? from[i] : next;
        svg_box(s, left + at * u, top + 64, (next - at) * u, 12, SVG_RED);
        rest += next - at;
        at = next;
    }
    svg_line(s, left, top + 76, 396, top + 76);
    return rest / (last - first);
}

void draw_ping_pong(const char *file)
{
    static Stamp stamp[MOST_STAMPS];
    const int stamps = read_stamps(stamp);
    const double LEFT = 92, U = 300 / 104500.0;
    Svg *s = svg_open(file, 330, "Two consumers: both store at the same time, and in turns");
    svg_text(s, 8, 20, SVG_LEFT, "One block each, by the clock of an H200");
    svg_head(s, 8, 46, SVG_LEFT, "persistent: both work on one tile");
    double rest = draw_consumers(s, stamp, stamps, "persistent", "wait", 56, LEFT, U);
    svg_claim(s, "rest_persistent", rest);
    svg_text(s, 8, 152, SVG_LEFT, "%.0f %% of the time no product runs (red)", 100 * rest);
    svg_head(s, 8, 182, SVG_LEFT, "ping-pong: each has its own tiles");
    rest = draw_consumers(s, stamp, stamps, "ping-pong", "stored", 192, LEFT, U);
    svg_claim(s, "rest", rest);
    svg_text(s, 8, 288, SVG_LEFT, "%.0f %% of the time", 100 * rest);
    svg_text(s, 8, 316, SVG_LEFT, "blue: multiplies a tile; orange: stores it");
    svg_close(s);
}
