/* plot.c: bars of the notes, drawn from a lab's CSV (the columns of common/lab/lab_main.c).
 * usage: plot OUT.svg TITLE UNIT FILE.csv CONDITION VENDOR
 *   UNIT is GB/s or TFLOP/s; CONDITION chooses rows, as in size=8192x8192&type=fp32 (values may be joined by |), or is
 * -; rows whose name begins with VENDOR have another colour; - means that there is none. Where the CSV has each row's
 * share of a plain copy (of_copy), the copy is a dashed line, the ceiling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/csv.h"
#include "svg.h"

enum { MOST_BARS = 24, COLUMNS = 24 };

typedef struct Bar {
    char name[64];
    double value;
    int vendor;
} Bar;

static void stop(const char *file, const char *what)
{
    fprintf(stderr, "plot: %s: %s\n", file, what);
    exit(2);
}

static int column(char *const *header, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(header[i], name) == 0)
            return i;
    return -1;
}

/* Is `value` one of a|b|c ? */
static int one_of(const char *value, const char *choices)
{
    size_t length = strlen(value);
    for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, value, length) == 0 && (at[length] == 0 || at[length] == '|'))
            return 1;
    return 0;
}

/* Does the row agree with key=value&key=value ? */
static int agrees(const char *file, const char *condition, char *const *header, char *const *cell, int n)
{
    char copy[256], *save = NULL;
    if (strcmp(condition, "-") == 0)
        return 1;
    snprintf(copy, sizeof copy, "%s", condition);
    for (char *pair = strtok_r(copy, "&", &save); pair; pair = strtok_r(NULL, "&", &save)) {
        char *value = strchr(pair, '=');
        if (!value)
            stop(file, "a condition without =");
        *value++ = 0;
        int i = column(header, n, pair);
        if (i < 0)
            stop(file, "a condition names a column that is not there");
        if (!one_of(cell[i], value))
            return 0;
    }
    return 1;
}

/* The CSV writes a semicolon where a rung's name has a comma. */
static void readable(char *name)
{
    for (; *name; name++)
        *name = *name == ';' ? ',' : *name;
}

static void draw(const char *out, const char *title, const char *unit, const char *device, const Bar *bar, int n,
                 double ceiling)
{
    const double left = 10, width = 370, row = 40;
    double most = ceiling;
    for (int i = 0; i < n; i++)
        most = bar[i].value > most ? bar[i].value : most;
    Svg *s = svg_open(out, 64 + n * row, title);
    svg_head(s, left, 22, SVG_LEFT, "%s", title);
    if (ceiling > 0)
        svg_text(s, left, 42, SVG_LEFT, "%s, %s; dashed: a copy, %.0f", device, unit, ceiling);
    else
        svg_text(s, left, 42, SVG_LEFT, "%s, %s", device, unit);
    for (int i = 0; i < n; i++) {
        double top = 54 + i * row, length = bar[i].value / most * width;
        svg_text(s, left, top + 13, SVG_LEFT, "%s", bar[i].name);
        svg_box(s, left, top + 18, length, 16, bar[i].vendor ? SVG_ORANGE : SVG_BLUE);
        svg_text(s, left + width, top + 13, SVG_RIGHT, bar[i].value < 99.95 ? "%.3g" : "%.0f", bar[i].value);
        if (ceiling > 0)
            svg_dashed(s, left + ceiling / most * width, top + 17, left + ceiling / most * width, top + 37);
        svg_claim(s, bar[i].name, bar[i].value);
    }
    svg_close(s);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fputs("usage: plot OUT.svg TITLE UNIT FILE.csv CONDITION VENDOR\n", stderr);
        return 2;
    }
    const char *file = argv[4], *value_name = strcmp(argv[3], "GB/s") == 0 ? "gbps" : "tflops";
    char line[1024], header_line[1024], device[96] = "", *header[COLUMNS];
    Bar bars[MOST_BARS] = {{{0}, 0, 0}};
    int columns = 0, n = 0, name = -1, value = -1, share = -1;
    double ceiling = 0;
    FILE *f = fopen(file, "r");
    if (!f)
        stop(file, "cannot be read");
    while (fgets(line, sizeof line, f)) {
        char *cell[COLUMNS];
        sscanf(line, "# device: %95[^\n,]", device);
        if (line[0] == '#')
            continue;
        if (!columns) {
            snprintf(header_line, sizeof header_line, "%s", line);
            columns = csv_split(header_line, header, COLUMNS);
            name = column(header, columns, "name"), value = column(header, columns, value_name),
            share = column(header, columns, "of_copy");
            if (name < 0 || value < 0)
                stop(file, "has no columns name and GB/s or TFLOP/s");
            continue;
        }
        if (csv_split(line, cell, COLUMNS) != columns || !agrees(file, argv[5], header, cell, columns) ||
            atof(cell[value]) <= 0)
            continue;
        if (n == MOST_BARS)
            stop(file, "too many bars: choose fewer rows");
        snprintf(bars[n].name, sizeof bars[n].name, "%s", cell[name]);
        readable(bars[n].name);
        bars[n].vendor = strcmp(argv[6], "-") != 0 && strncmp(cell[name], argv[6], strlen(argv[6])) == 0;
        bars[n].value = atof(cell[value]);
        if (strcmp(argv[3], "GB/s") == 0 && share >= 0 && atof(cell[share]) > 0)
            ceiling = bars[n].value / atof(cell[share]);
        n++;
    }
    fclose(f);
    if (!n)
        stop(file, "no rows to draw");
    draw(argv[1], argv[2], argv[3], device, bars, n, ceiling);
    return 0;
}
