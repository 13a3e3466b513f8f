#include "csv.h"
#include "lab_internal.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

int lab_counts(const char *file, int rung, LabType type, const char *size, LabCounts *k)
{
    enum { CELLS = 17 };
    char line[512], *cell[CELLS];
    FILE *f = file ? fopen(file, "r") : NULL;
    int found = -1;
    while (f && found && fgets(line, sizeof line, f)) {
        if (csv_split(line, cell, CELLS) < CELLS || atoi(cell[0]) != rung ||
            strcmp(cell[1], lab_type_name(type)) != 0 || strcmp(cell[2], size) != 0)
            continue;
        *k = (LabCounts){atof(cell[3]),  atof(cell[4]),  atof(cell[5]),  atof(cell[6]),  atof(cell[7]),
                         atof(cell[8]),  atof(cell[9]),  atof(cell[10]), atof(cell[11]), atof(cell[12]),
                         atof(cell[13]), atof(cell[14]), atof(cell[15]), atof(cell[16])};
        found = 0;
    }
    if (f)
        fclose(f);
    return found;
}

/* The columns of a lab's CSV (lab_ladder.c). */
enum { RUNG = 1, NAME = 2, TYPE = 3, SIZE = 4, MODE = 5, RUNS = 6, TIME_MS = 7, COLUMNS = 16 };

/* Is this line a timed rung of the type? */
static int timed(char *line, char **cell, LabType type)
{
    return line[0] != '#' && csv_split(line, cell, COLUMNS) == COLUMNS &&
           strcmp(cell[TYPE], lab_type_name(type)) == 0 && strcmp(cell[MODE], "interleaved") == 0 &&
           atoi(cell[RUNS]) > 0 && atof(cell[TIME_MS]) > 0;
}

static const char *next_number(const char *shape)
{
    shape += strcspn(shape, "x");
    return shape + (*shape == 'x');
}

/* The product of a shape's numbers. A number that is 0, as of a choice (causal or not), does not count. */
static double elements(const char *shape)
{
    double n = *shape != 0;
    for (; *shape; shape = next_number(shape))
        n *= strtod(shape, NULL) > 0 ? strtod(shape, NULL) : 1;
    return n;
}

/* How many of their numbers two shapes have in common: those of a choice, of a share, of a width that stays the same.
 * */
static int in_common(const char *a, const char *b)
{
    int n = 0;
    for (; *a && *b; a = next_number(a), b = next_number(b))
        n += strtod(a, NULL) == strtod(b, NULL);
    return n;
}

static int better(const char *shape, const char *than, const char *size)
{
    int here = in_common(shape, size), there = in_common(than, size);
    return here > there || (here == there && elements(shape) > elements(than));
}

/* Chooses the shape: this one, if it was recorded, else of those that not only a few rungs were timed at the one that
 * has most in common with it, and the largest of these.
 */
static void choose_shape(FILE *f, LabType type, const char *size, LabRecorded *r)
{
    char line[1024], *cell[COLUMNS], shape[96] = "";
    int rungs = 0, most = 0;
    for (int pass = 0; pass < 2; pass++) {
        rewind(f);
        while (fgets(line, sizeof line, f)) {
            if (!timed(line, cell, type))
                continue;
            rungs = strcmp(shape, cell[SIZE]) == 0 ? rungs + 1 : 1; /* a shape's rungs are together */
            snprintf(shape, sizeof shape, "%s", cell[SIZE]);
            if (strcmp(shape, size) == 0) {
                snprintf(r->size, sizeof r->size, "%s", shape);
                return;
            }
            if (pass == 0)
                most = rungs > most ? rungs : most;
            else if (2 * rungs > most && better(shape, r->size, size))
                snprintf(r->size, sizeof r->size, "%s", shape);
        }
    }
}

/* Reads the rungs of the shape that was chosen. */
static void read_recorded(FILE *f, LabType type, LabRecorded *r)
{
    char line[1024], *cell[COLUMNS];
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (timed(line, cell, type) && strcmp(r->size, cell[SIZE]) == 0 && r->count < LAB_COUNT(r->rung)) {
            snprintf(r->rung[r->count].name, sizeof r->rung[0].name, "%s", cell[NAME]);
            r->rung[r->count++].ms = atof(cell[TIME_MS]);
        }
    }
}

void lab_recorded(const Lab *lab, LabType type, const char *size, LabRecorded *r)
{
    char pattern[160];
    glob_t found;
    memset(r, 0, sizeof *r);
    snprintf(pattern, sizeof pattern, "results/h200/lecture[0-9][0-9]/%s.csv", lab->name);
    FILE *f = NULL;
    if (glob(pattern, 0, NULL, &found) == 0 && (f = fopen(found.gl_pathv[0], "r"))) {
        snprintf(r->file, sizeof r->file, "%s", found.gl_pathv[0]);
        choose_shape(f, type, size, r);
        read_recorded(f, type, r);
        fclose(f);
    }
    globfree(&found);
}

double lab_recorded_ms(const LabRecorded *r, const char *name)
{
    for (int i = 0; i < r->count; i++) {
        const char *a = r->rung[i].name, *b = name;
        while (*a && (*a == *b || (*a == ';' && *b == ','))) /* a comma would be a column there */
            a++, b++;
        if (!*a && !*b)
            return r->rung[i].ms;
    }
    return 0;
}
