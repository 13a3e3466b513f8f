/* plot.c: draws a lab's CSV (the columns of common/lab.c) as bars, or as lines where a rung has several sizes.
 * usage: plot FILE.csv BASE    makes BASE.svg and BASE.png, one figure a type: BASE-bf16.svg where there are several */
#include "plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { MOST = 8192, COLUMNS = 16 };

typedef struct Row {
    char name[96], type[16], size[96], mode[32], lab[64];
    double gbps, tflops;
} Row;

static Row rows[MOST];
static int row_count;

/* Splits at commas, empty cells included. */
static int split(char *line, char **cell)
{
    int n = 0;
    while (n < COLUMNS) {
        cell[n++] = line;
        line = strchr(line, ',');
        if (!line)
            break;
        *line++ = 0;
    }
    return n;
}

static void read_rows(const char *file)
{
    char line[1024];
    FILE *f = fopen(file, "r");
    if (!f)
        die_usage("%s: cannot be read", file);
    int seen = 0;
    while (fgets(line, sizeof line, f) && row_count < MOST) {
        char *cell[COLUMNS];
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] == '#' || !line[0])
            continue;
        if (!seen++) {
            if (strncmp(line, "lab,rung,name,type,size,mode,runs,", 34) != 0)
                die_usage("%s: not a lab's CSV", file);
            continue;
        }
        if (split(line, cell) < COLUMNS || strcmp(cell[6], "0") == 0)
            continue;
        Row *r = &rows[row_count++];
        snprintf(r->lab, sizeof r->lab, "%s", cell[0]);
        snprintf(r->name, sizeof r->name, "%s %s", cell[1], cell[2]);
        snprintf(r->type, sizeof r->type, "%s", cell[3]);
        snprintf(r->size, sizeof r->size, "%s", cell[4]);
        snprintf(r->mode, sizeof r->mode, "%s", cell[5]);
        r->gbps = atof(cell[10]);
        r->tflops = atof(cell[11]);
    }
    fclose(f);
    if (!row_count)
        die_usage("%s: no timed rows", file);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        die_usage("usage: plot FILE.csv BASE");
    read_rows(argv[1]);
    /* One figure for each (type, size, mode), in order of appearance; the last size of a type gets the plain name. */
    int done[MOST] = {0}, status = 0;
    for (int i = 0; i < row_count; i++) {
        if (done[i])
            continue;
        const char *names[64];
        double values[64];
        int n = 0, types = 0, later = 0, by_flops = rows[i].tflops > 0 && rows[i].tflops * 1e3 > 8 * rows[i].gbps;
        for (int k = 0; k < row_count; k++) {
            types |= strcmp(rows[k].type, rows[i].type) != 0;
            int same = strcmp(rows[k].type, rows[i].type) == 0;
            if (same && strcmp(rows[k].size, rows[i].size) == 0 && strcmp(rows[k].mode, rows[i].mode) == 0) {
                done[k] = 1;
                if (n < 64) {
                    names[n] = rows[k].name;
                    values[n++] = by_flops ? rows[k].tflops : rows[k].gbps;
                }
            } else if (same && k > i && !done[k]) {
                later = 1;
            }
        }
        char base[512], title[256];
        snprintf(base, sizeof base, "%s%s%s%s%s", argv[2], types ? "-" : "", types ? rows[i].type : "", later ? "-" : "", later ? rows[i].size : "");
        snprintf(title, sizeof title, "%s %s, %s, %s", rows[i].lab, rows[i].size, rows[i].type, rows[i].mode);
        status |= plot_bars(title, by_flops ? "TFLOP/s" : "GB/s", names, values, n, base);
    }
    return status ? 1 : 0;
}
