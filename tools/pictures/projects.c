/* projects.c: what the two projects ask for: a portrait (lecture 5) and a transformer's block (lecture 14). */
#include "pictures.h"

/* From bytes to grey, and where each pixel goes. The places are those of exercise 5.15. */
void draw_portrait(const char *file)
{
    enum { W = 4, H = 3, CELL = 30, TOP = 138 };
    static const char *const colour[] = {"r", "g", "b"};
    static const SvgColour of[] = {SVG_PINK, SVG_GREEN, SVG_BLUE};
    Svg *s = svg_open(file, 296, "A portrait: bytes become grey pixels, and a turn moves each pixel to another row");
    svg_text(s, 8, 20, SVG_LEFT, "the camera's bytes, from the first on");
    for (int i = 0; i < 12; i++)
        svg_cell(s, 8 + i * CELL, 30, CELL, CELL, of[i % 3], "%s", colour[i % 3]);
    for (int i = 0; i < 4; i++) {
        svg_arrow(s, 8 + (3 * i + 1.5) * CELL, 62, 8 + (3 * i + 1.5) * CELL, 82);
        svg_text(s, 8 + (3 * i + 1.5) * CELL, 100, SVG_MIDDLE, "grey %c", 'a' + i);
    }
    svg_text(s, 8, TOP - 10, SVG_LEFT, "grey, on its side");
    svg_text(s, 250, TOP - 10, SVG_LEFT, "upright");
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int pixel = 'a' + y * W + x, row = x, column = H - 1 - y;
            svg_cell(s, 8 + x * CELL, TOP + y * CELL, CELL, CELL, y == 0 ? SVG_ORANGE : SVG_PLAIN, "%c", pixel);
            svg_cell(s, 250 + column * CELL, TOP + row * CELL, CELL, CELL, y == 0 ? SVG_ORANGE : SVG_PLAIN, "%c",
                     pixel);
        }
    svg_arrow(s, 134, TOP + 1.5 * CELL, 242, TOP + 1.5 * CELL);
    svg_text(s, 188, TOP + 1.5 * CELL - 8, SVG_MIDDLE, "blur, stretch,");
    svg_text(s, 188, TOP + 1.5 * CELL + 18, SVG_MIDDLE, "turn");
    svg_text(s, 8, TOP + 4 * CELL + 28, SVG_LEFT, "A row becomes a column, so one of them is strided.");
    svg_claim(s, "pixels", W * H);
    svg_close(s);
}

/* The operations in order, and the two additions of what went by. */
void draw_block(const char *file)
{
    static const struct {
        const char *name, *shape;
        SvgColour colour;
    } step[] = {
        {"norm", "S x 64", SVG_GREEN},
        {"times wqkv", "S x 192", SVG_BLUE},
        {"causal attention", "S x 64", SVG_ORANGE},
        {"times wo", "S x 64", SVG_BLUE},
        {"+ x", "S x 64", SVG_VIOLET},
        {"norm", "S x 64", SVG_GREEN},
        {"times w1", "S x 128", SVG_BLUE},
        {"gelu", "S x 128", SVG_GREEN},
        {"times w2", "S x 64", SVG_BLUE},
        {"+ y", "S x 64", SVG_VIOLET},
    };
    enum { STEPS = sizeof step / sizeof step[0], HIGH = 34 };
    Svg *s = svg_open(file, 80 + STEPS * HIGH, "A transformer's block: ten operations in order, and two additions");
    svg_text(s, 90, 20, SVG_MIDDLE, "x, S x 64");
    int from = 26;
    for (int i = 0; i < STEPS; i++) {
        const int top = 40 + i * HIGH;
        svg_arrow(s, 90, i ? top - HIGH + 24 : 24, 90, top - 1);
        svg_cell(s, 20, top, 140, 22, step[i].colour, "%s", step[i].name);
        svg_text(s, 168, top + 15, SVG_LEFT, "%s", step[i].shape);
        if (step[i].colour == SVG_VIOLET) { /* what went by on the right */
            svg_line(s, 90, from, 250, from);
            svg_line(s, 250, from, 250, top + 11);
            svg_arrow(s, 250, top + 11, 225, top + 11);
            svg_text(s, 258, (from + top) / 2 + 4, SVG_LEFT, i < 5 ? "x goes by" : "y goes by");
            from = top + 28;
        }
    }
    svg_arrow(s, 90, 40 + (STEPS - 1) * HIGH + 24, 90, 40 + STEPS * HIGH + 4);
    svg_text(s, 90, 40 + STEPS * HIGH + 20, SVG_MIDDLE, "z, S x 64");
    svg_claim(s, "operations", STEPS);
    svg_close(s);
}
