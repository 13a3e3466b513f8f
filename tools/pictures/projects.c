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
            svg_text(s, 258, (from + top) / 2 + 4, SVG_LEFT, i < 5 ? "residual: x" : "residual: y");
            from = top + 28;
        }
    }
    svg_arrow(s, 90, 40 + (STEPS - 1) * HIGH + 24, 90, 40 + STEPS * HIGH + 4);
    svg_text(s, 90, 40 + STEPS * HIGH + 20, SVG_MIDDLE, "z, S x 64");
    svg_claim(s, "operations", STEPS);
    svg_close(s);
}

/* A call of lecture 14's lab `block`: its name and its milliseconds, as recorded, in a box. Returns the milliseconds. */
static double call(Svg *s, double x, double y, double width, SvgColour colour, const char *name)
{
    const double ms = csv_number("h100/lecture14/block_parts", "call", name, "time_ms");
    svg_box(s, x, y, width, 38, colour);
    svg_text(s, x + width / 2, y + 16, SVG_MIDDLE, "%s", name);
    svg_text(s, x + width / 2, y + 32, SVG_MIDDLE, "%.3f ms", ms);
    return ms;
}

void draw_block_calls(const char *file)
{
    /* A call forward, and beside it those of the backward pass that undo it: along the chain, and the weight's. */
    static const struct {
        const char *forward, *chain, *weight;
    } row[] = {
        {"norm 1", "norm 1 backward", NULL},
        {"n1 wqkv", "gradient of n1", "gradient of wqkv"},
        {"attention", "attention backward", NULL},
        {"o wo + x", "gradient of o", "gradient of wo"},
        {"norm 2", "norm 2 backward", NULL},
        {"gelu(n2 w1)", "gradient of n2", "gradient of w1"},
        {"g w2 + y", "gradient of h", "gradient of w2"},
    };
    enum { ROWS = sizeof row / sizeof row[0], TOP = 44, HIGH = 56 };
    Svg *s = svg_open(file, TOP + ROWS * HIGH + 80,
                      "The eighteen calls of a block's training step: forward, backward, and the weights' gradients");
    int calls = 0;
    double chain_ms = 0, weight_ms = 0;
    svg_text(s, 66, 16, SVG_MIDDLE, "forward");
    svg_text(s, 200, 16, SVG_MIDDLE, "backward");
    svg_text(s, 334, 16, SVG_MIDDLE, "weights");
    svg_text(s, 84, 36, SVG_LEFT, "x");
    svg_text(s, 218, 36, SVG_LEFT, "gradient of x");
    svg_arrow(s, 66, 24, 66, TOP - 1);
    svg_arrow(s, 200, TOP, 200, 24);
    for (int i = 0; i < ROWS; i++, calls += 2) {
        const int y = TOP + i * HIGH;
        const SvgColour colour = row[i].weight ? SVG_BLUE : i == 2 ? SVG_ORANGE : SVG_PLAIN;
        chain_ms += call(s, 8, y, 116, colour, row[i].forward);
        chain_ms += call(s, 133, y, 134, colour, row[i].chain);
        svg_arrow(s, 66, y + 38, 66, y + HIGH - 1);
        svg_arrow(s, 200, y + HIGH, 200, y + 39);
        if (row[i].weight) {
            weight_ms += call(s, 276, y, 116, SVG_GREEN, row[i].weight);
            svg_line(s, 200, y + 47, 334, y + 47);
            svg_arrow(s, 334, y + 47, 334, y + 39);
            calls++;
        }
    }
    const int end = TOP + ROWS * HIGH;
    svg_text(s, 66, end + 14, SVG_MIDDLE, "z");
    svg_text(s, 200, end + 14, SVG_MIDDLE, "gradient of z");
    svg_text(s, 8, end + 36, SVG_LEFT, "Each call waits for the one before it: %.2f ms.", chain_ms);
    svg_text(s, 8, end + 54, SVG_LEFT, "No call waits for the green ones: %.2f ms, on", weight_ms);
    svg_text(s, 8, end + 72, SVG_LEFT, "a branch of their own in rung 8.");
    svg_claim(s, "calls", calls);
    svg_claim(s, "weights_ms", weight_ms);
    svg_close(s);
}
