/* chip.c: the memories of an H200, with what the course has measured of each. */
#include <stdio.h>

#include "pictures.h"

typedef struct Level {
    const char *name, *size;
    SvgColour colour;
} Level;

static void level(Svg *s, double y, Level l, const char *speed)
{
    svg_box(s, 8, y, 384, 54, l.colour);
    svg_text(s, 18, y + 22, SVG_LEFT, "%s", l.name);
    svg_text(s, 382, y + 22, SVG_RIGHT, "%s", l.size);
    svg_text(s, 18, y + 43, SVG_LEFT, "%s", speed);
}

void draw_chip(const char *file)
{
    enum { MULTIPROCESSORS = 132, LANES = 128, OPERANDS = 3 };
    const double shared_cycles = csv_number("h200/lecture11/wgmma_sp_ceiling", "N", "256", "cycles per wgmma"),
                 shared = 18 * 1024 / shared_cycles, /* 16 KB of B and 2 KB of A, without copies */
        l2_cycles =
            csv_number("h200/lecture11/wgmma_sp_ceiling", "operands", "128 x 256 tiles by TMA", "cycles per wgmma"),
                 l2 = 40 * 1024 / (4 * l2_cycles), /* 40 KB for four products */
        read = csv_number("h200/lecture05/reduction_read", "name", "read alone (the ceiling)", "gbps"),
                 latency = csv_number("h200/lecture01/occupancy_residency", "blocks", "1", "latency by Little ns");
    char text[64];
    Svg *s = svg_open(file, 412, "The memories of an H200: size, speed and latency of each level");
    svg_text(s, 8, 20, SVG_LEFT, "in each of the %d multiprocessors (SM):", MULTIPROCESSORS);
    svg_box(s, 2, 28, 396, 176, SVG_NONE);
    svg_cell(s, 8, 34, 384, 40, SVG_YELLOW, "%d fp32 units, 4 tensor cores", LANES);
    snprintf(text, sizeof text, "up to %d bytes per cycle", LANES * OPERANDS * 4);
    level(s, 82, (Level){"registers", "256 KB", SVG_GREEN}, text);
    snprintf(text, sizeof text, "%.0f bytes per cycle, measured", shared);
    level(s, 142, (Level){"shared memory and L1", "256 KB", SVG_BLUE}, text);
    svg_text(s, 8, 226, SVG_LEFT, "for all of them together:");
    snprintf(text, sizeof text, "%.0f bytes per cycle and SM, the highest measured", l2);
    level(s, 236, (Level){"L2 cache", "60 MB", SVG_ORANGE}, text);
    snprintf(text, sizeof text, "%.0f GB/s to read; about %.0f ns latency", read, latency);
    level(s, 298, (Level){"device memory (HBM)", "141 GB", SVG_PINK}, text);
    svg_text(s, 8, 376, SVG_LEFT, "%.0f GB/s are %.0f bytes per cycle and SM at 1.7 GHz", read,
             read / MULTIPROCESSORS / 1.7);
    svg_text(s, 8, 398, SVG_LEFT, "each level is larger, and 2 to 12 times slower");
    svg_claim(s, "shared_bytes_per_cycle", shared);
    svg_claim(s, "l2_bytes_per_cycle", l2);
    svg_claim(s, "memory_gbps", read);
    svg_close(s);
}
