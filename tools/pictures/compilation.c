/* compilation.c: from .cu to the chip: what nvcc runs in which order, and what the driver does with the result. The tests compare
 * the tools' order with nvcc's own account of it (nvcc --dryrun). */
#include "pictures.h"

enum { BOX = 168, HIGH = 26, LEFT = 12, RIGHT = 220 };

static void tool(Svg *s, double x, double y, const char *name) { svg_cell(s, x, y, BOX, HIGH, SVG_BLUE, "%s", name); }
static void file(Svg *s, double x, double y, const char *name) { svg_cell(s, x, y, BOX, HIGH, SVG_PLAIN, "%s", name); }
static void down(Svg *s, double x, double y, double to) { svg_arrow(s, x + BOX / 2.0, y + HIGH, x + BOX / 2.0, to); }

void draw_compilation(const char *path)
{
    Svg *s = svg_open(path, 506, "What nvcc makes of a .cu file, and what the driver does with it");
    const double middle = (LEFT + RIGHT) / 2.0, step = 44;
    double y = 10;
    file(s, middle, y, "add.cu");
    svg_arrow(s, middle + 40, y + HIGH, LEFT + BOX / 2.0, y + step + 18);
    svg_arrow(s, middle + BOX - 40, y + HIGH, RIGHT + BOX / 2.0, y + step + 18);
    y += step + 18;
    tool(s, LEFT, y, "cudafe++: host part");
    tool(s, RIGHT, y, "cicc: device part");
    down(s, RIGHT, y, y + step);
    file(s, RIGHT, y + step, "PTX, for compute_90");
    down(s, RIGHT, y + step, y + 2 * step);
    tool(s, RIGHT, y + 2 * step, "ptxas");
    down(s, RIGHT, y + 2 * step, y + 3 * step);
    file(s, RIGHT, y + 3 * step, "cubin: SASS for sm_90");
    down(s, RIGHT, y + 3 * step, y + 4 * step);
    tool(s, RIGHT, y + 4 * step, "fatbinary");
    svg_arrow(s, LEFT + BOX / 2.0, y + HIGH, LEFT + BOX / 2.0, y + 5 * step);
    svg_arrow(s, RIGHT, y + 4 * step + HIGH / 2.0, LEFT + BOX - 20, y + 5 * step);
    tool(s, LEFT, y + 5 * step, "g++, and the linker");
    down(s, LEFT, y + 5 * step, y + 6 * step);
    y += 6 * step;
    file(s, LEFT, y, "the program");
    svg_text(s, RIGHT - 20, y + 17, SVG_LEFT, "host code, cubins and PTX");
    svg_dashed(s, 4, y + 38, 396, y + 38);
    y += 50;
    svg_text(s, LEFT, y + 10, SVG_LEFT, "at first use: is there a cubin for this GPU?");
    y += 24;
    svg_cell(s, LEFT, y, BOX, HIGH, SVG_GREEN, "there is one: load it");
    svg_cell(s, RIGHT, y, BOX, HIGH, SVG_ORANGE, "else: compile the PTX");
    down(s, RIGHT, y, y + step);
    y += step;
    svg_cell(s, RIGHT, y, BOX, HIGH, SVG_ORANGE, "~/.nv/ComputeCache");
    svg_text(s, LEFT, y + 17, SVG_LEFT, "kept for the next start:");
    svg_claim(s, "tools", 5);
    svg_close(s);
}
