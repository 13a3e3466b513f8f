/* hopper.c: what Hopper's asynchronous instructions wait for and where they look: parities, descriptors, multicast. */
#include "pictures.h"

static const SvgColour step_colours[] = {SVG_BLUE, SVG_ORANGE, SVG_GREEN, SVG_VIOLET};

/* Two rounds of a ring, with the loop's own counting of slots and parities (03_ring.cuh). */
void draw_parity(const char *file)
{
    enum { STAGES = 4, STEPS = 2 * STAGES, CELL = 36, LEFT = 104 };
    Svg *s = svg_open(file, 236, "Two rounds of a ring of four slots, and the parities that each side waits for");
    static const char *const names[] = {"step k", "slot", "producer", "consumer"};
    for (int row = 0; row < 4; row++)
        svg_text(s, 8, 40 + row * 34, SVG_LEFT, "%s", names[row]);
    int slot = 0, parity = 0, at_once = 0;
    for (int k = 0; k < STEPS; k++) {
        const double x = LEFT + k * CELL;
        svg_text(s, x + CELL / 2.0, 40, SVG_MIDDLE, "%d", k);
        svg_cell(s, x, 58, CELL, 24, step_colours[slot], "%d", slot);
        /* A wait returns at once when the phase before the barrier's first, parity 1, is named. */
        const int free = k < STAGES;
        at_once += free;
        svg_cell(s, x, 92, CELL, 24, free ? SVG_GREEN : SVG_PLAIN, "%d", parity ^ 1);
        svg_cell(s, x, 126, CELL, 24, SVG_PLAIN, "%d", parity);
        if (++slot == STAGES)
            slot = 0, parity ^= 1;
    }
    svg_text(s, 8, 178, SVG_LEFT, "producer: waits for that parity of \"empty\"");
    svg_text(s, 8, 199, SVG_LEFT, "consumer: waits for that parity of \"full\"");
    svg_text(s, 8, 220, SVG_LEFT, "green: returns at once, the slot was never filled");
    svg_claim(s, "at_once", at_once);
    svg_claim(s, "parity_at_end", parity);
    svg_close(s);
}

/* Four rows of a tile of 64 elements of bf16: which 16-byte places each of the four products along K reads. */
void draw_descriptor(const char *file)
{
    enum { PLACES = 8, ROWS = 4, CELL = 40, LEFT = 64, BYTES = 16, DEPTH = 32 /* bytes of K in a product */ };
    Svg *s = svg_open(file, 300, "A descriptor advances along K: two units of 16 bytes per product");
    svg_text(s, 8, 22, SVG_LEFT, "a row of 128 bytes, as it is in the matrix");
    for (int c = 0; c < PLACES; c++)
        svg_cell(s, LEFT + c * CELL, 32, CELL, 24, step_colours[c * BYTES / DEPTH], "%d", c);
    for (int kk = 0; kk < 4; kk++) {
        const double x = LEFT + kk * (DEPTH / BYTES) * CELL;
        svg_arrow(s, x + 6, 96, x + 6, 60);
        svg_code(s, x, 112, SVG_LEFT, kk ? "da + %d" : "da", kk * DEPTH / BYTES);
    }
    svg_text(s, 8, 146, SVG_LEFT, "in shared memory: piece c is at place c ^ row");
    int moved = 0;
    for (int r = 0; r < ROWS; r++) {
        svg_text(s, 8, 173 + r * 26, SVG_LEFT, "row %d", r);
        for (int place = 0; place < PLACES; place++) {
            const int c = place ^ r;
            moved += c != place;
            svg_cell(s, LEFT + place * CELL, 156 + r * 26, CELL, 24, step_colours[c * BYTES / DEPTH], "%d", c);
        }
    }
    svg_text(s, 8, 284, SVG_LEFT, "the hardware swizzles the sum: one step fits all");
    svg_claim(s, "units_per_product", DEPTH / BYTES);
    svg_claim(s, "moved", moved);
    svg_close(s);
}

/* Two blocks of a cluster, one above the other in C: each fetches its own tile of A, and half of B for both. */
void draw_multicast(const char *file)
{
    enum { A_KB = 16, B_KB = 32 };
    Svg *s = svg_open(file, 300, "A cluster of two blocks: each fetches half of B, and TMA writes it into both");
    svg_cell(s, 8, 12, 384, 28, SVG_PLAIN, "L2 cache");
    for (int b = 0; b < 2; b++) {
        const double left = 8 + b * 200;
        svg_box(s, left, 124, 184, 104, SVG_NONE);
        svg_text(s, left + 92, 218, SVG_MIDDLE, "block %d", b);
        const double a = left + (b ? 120 : 8), halves = left + (b ? 8 : 72); /* B's halves beside each other */
        svg_cell(s, a, 136, 56, 60, b ? SVG_ORANGE : SVG_BLUE, "A %d", b);
        svg_cell(s, halves, 136, 104, 28, SVG_GREEN, "B, upper half");
        svg_cell(s, halves, 168, 104, 28, SVG_VIOLET, "B, lower half");
        svg_arrow(s, a + 28, 42, a + 28, 134);
    }
    svg_arrow(s, 132, 42, 132, 134); /* block 0's half, to both */
    svg_arrow(s, 132, 42, 250, 134);
    svg_line(s, 200, 42, 200, 160); /* block 1's half, to both */
    svg_arrow(s, 200, 160, 186, 180);
    svg_arrow(s, 200, 160, 214, 180);
    svg_text(s, 8, 250, SVG_LEFT, "from L2 per block: %d + %d = %d KB, not %d", A_KB, B_KB / 2, A_KB + B_KB / 2,
             A_KB + B_KB);
    svg_text(s, 8, 272, SVG_LEFT, "into each shared memory: %d KB as before", A_KB + B_KB);
    svg_text(s, 8, 292, SVG_LEFT, "a slot is empty when both blocks have read it");
    svg_claim(s, "kb_from_l2", A_KB + B_KB / 2);
    svg_claim(s, "kb_written", A_KB + B_KB);
    svg_close(s);
}
