/* training.c: lecture 11's training step, and the patterns that are 2:4 both ways. */
#include "pictures.h"

/* One product: names, and which operand is sparse (0: left, 1: right, -1: none). */
static void product(Svg *s, double y, const char *what, const char *result, const char *left, const char *right,
                    int sparse)
{
    svg_text(s, 8, y + 20, SVG_LEFT, "%s", what);
    svg_cell(s, 132, y, 60, 30, SVG_PLAIN, "%s", result);
    svg_text(s, 208, y + 20, SVG_MIDDLE, "=");
    svg_cell(s, 224, y, 72, 30, sparse == 0 ? SVG_GREEN : SVG_BLUE, "%s", left);
    svg_cell(s, 308, y, 72, 30, sparse == 1 ? SVG_GREEN : SVG_BLUE, "%s", right);
}

void draw_training(const char *file)
{
    Svg *s = svg_open(file, 202, "The three products of a training step, and where the sparse weights are");
    product(s, 10, "forward", "Y", "X", "W\xe2\x80\xb2", 1);
    product(s, 52, "to the inputs", "dX", "dY", "W", 1);
    product(s, 94, "to the weights", "dW", "dY\xe2\x80\xb2", "X", -1);
    svg_text(s, 8, 150, SVG_LEFT, "green: sparse. W goes in once as it is and once");
    svg_text(s, 8, 170, SVG_LEFT, "transposed: it must be 2:4 along rows and columns;");
    svg_text(s, 8, 190, SVG_LEFT, "the third product has no weights among its operands");
    svg_claim(s, "sparse_products", 2);
    svg_close(s);
}

/* One product of sparse_step: the operands in the kernel's order, what the epilogue does, and the result. */
static void multiplied(Svg *s, double y, const char *what, const char *left, const char *right, const char *epilogue,
                       const char *result)
{
    enum { HIGH = 28 };
    svg_text(s, 8, y + 19, SVG_LEFT, "%s", what);
    svg_cell(s, 116, y, 48, HIGH, left[0] == 'S' ? SVG_GREEN : SVG_BLUE, "%s", left);
    svg_cell(s, 168, y, 48, HIGH, SVG_BLUE, "%s", right);
    if (*epilogue) {
        svg_arrow(s, 220, y + HIGH / 2, 240, y + HIGH / 2);
        svg_text(s, 246, y + 19, SVG_LEFT, "%s", epilogue);
    }
    svg_arrow(s, *epilogue ? 320 : 220, y + HIGH / 2, 340, y + HIGH / 2);
    svg_cell(s, 344, y, 48, HIGH, SVG_PLAIN, "%s", result);
}

void draw_sparse_step(const char *file)
{
    Svg *s =
        svg_open(file, 314, "A training step that reads its weights once and multiplies by both 2:4 forms of them");
    svg_cell(s, 8, 34, 48, 28, SVG_BLUE, "W0");
    svg_cell(s, 60, 34, 48, 28, SVG_BLUE, "G");
    svg_arrow(s, 112, 48, 132, 48);
    svg_cell(s, 136, 34, 140, 28, SVG_ORANGE, "update and prune");
    static const char *const form[] = {"W, dense", "S", "S\xe2\x80\xb2"};
    for (int i = 0; i < 3; i++) {
        svg_arrow(s, 280, 48, 308, 24 + i * 32);
        svg_cell(s, 312, 10 + i * 32, 80, 28, i ? SVG_GREEN : SVG_PLAIN, "%s", form[i]);
    }
    multiplied(s, 126, "forward, ReLU", "S", "X\xe2\x80\xb2", "transpose", "Y");
    multiplied(s, 168, "to the inputs", "S\xe2\x80\xb2", "dZ\xe2\x80\xb2", "transpose", "dX");
    multiplied(s, 210, "to the weights", "dZ\xe2\x80\xb2", "X", "", "dW");
    svg_text(s, 8, 264, SVG_LEFT, "green: 2:4, and so the first operand. The kernels");
    svg_text(s, 8, 284, SVG_LEFT, "compute Y\xe2\x80\xb2 and dX\xe2\x80\xb2, and transpose on the way");
    svg_text(s, 8, 304, SVG_LEFT, "out of the registers. dW is the next step\xe2\x80\x99s G");
    svg_claim(s, "forms_written", sizeof form / sizeof *form);
    svg_close(s);
}

static int bits(int x) { return (x & 1) + (x >> 1 & 1) + (x >> 2 & 1) + (x >> 3 & 1); }

/* How the first two rows of a pattern meet: in 2 columns (they are equal), in none, or in one. */
static int kind_of(int first, int second) { return bits(first & second) == 2 ? 0 : bits(first & second) == 0 ? 1 : 2; }

/* All 4 x 4 patterns with two in every row and every column, by kind, and the first of each. */
void draw_kinds(const char *file)
{
    static const char *const names[] = {"rows 1, 2 equal", "no column shared", "one shared"};
    enum { CELL = 24 };
    int count[3] = {0}, example[3][4] = {{0}};
    for (int p = 0; p < 1 << 16; p++) {
        const int row[4] = {p & 15, p >> 4 & 15, p >> 8 & 15, p >> 12};
        int good = 1;
        for (int i = 0; i < 4; i++) {
            int column = (row[0] >> i & 1) + (row[1] >> i & 1) + (row[2] >> i & 1) + (row[3] >> i & 1);
            good &= bits(row[i]) == 2 && column == 2;
        }
        if (!good)
            continue;
        const int kind = kind_of(row[0], row[1]);
        for (int i = 0; !count[kind] && i < 4; i++)
            example[kind][i] = row[i];
        count[kind]++;
    }
    Svg *s = svg_open(file, 196, "The three kinds of 4 x 4 patterns with two in every row and column");
    for (int kind = 0; kind < 3; kind++) {
        const double left = 12 + kind * 132;
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 4; c++)
                svg_box(s, left + c * CELL, 12 + r * CELL, CELL, CELL,
                        example[kind][r] >> c & 1 ? r < 2 ? SVG_GREEN : SVG_BLUE : SVG_NONE);
        svg_text(s, left, 128, SVG_LEFT, "%s", names[kind]);
        svg_text(s, left, 148, SVG_LEFT, "%d patterns", count[kind]);
    }
    svg_text(s, 12, 178, SVG_LEFT, "%d in all; green: the first two rows", count[0] + count[1] + count[2]);
    svg_claim(s, "patterns", count[0] + count[1] + count[2]);
    svg_claim(s, "equal", count[0]);
    svg_claim(s, "none_shared", count[1]);
    svg_close(s);
}
