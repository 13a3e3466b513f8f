/* lines.c: a figure of lines with marked points, in the style of the other pictures. */
#include "pictures.h"

/* Lines over a frame of 300 x 230 at (54, 64); x and y run from 0 to 1. The names stand below, each with its colour. */
void draw_lines(Svg *s, const Line *line, int lines, double (*x_of)(double), double (*y_of)(double))
{
    static const SvgColour colours[] = {SVG_RED,    SVG_BLUE, SVG_ORANGE, SVG_GREEN,
                                        SVG_VIOLET, SVG_PINK, SVG_YELLOW, SVG_PLAIN};
    for (int k = 0; k < lines; k++) {
        for (int i = 0; i < line[k].n; i++) {
            double px = 54 + 330 * x_of(line[k].at[i]), py = 64 + 230 * (1 - y_of(line[k].value[i]));
            if (i)
                svg_line(s, 54 + 330 * x_of(line[k].at[i - 1]), 64 + 230 * (1 - y_of(line[k].value[i - 1])), px, py);
            svg_box(s, px - 4.5, py - 4.5, 9, 9, colours[k]);
        }
        svg_box(s, 14 + k % 2 * 196, 334 + k / 2 * 22, 14, 14, colours[k]);
        svg_text(s, 36 + k % 2 * 196, 346 + k / 2 * 22, SVG_LEFT, "%s", line[k].name);
    }
    svg_line(s, 54, 64, 54, 294);
    svg_line(s, 54, 294, 388, 294);
}
