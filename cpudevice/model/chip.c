/* chip.c: reads a chip's file. The files of model/chips are part of the program: the driver makes chips.h of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "chip.h"
#include "cpudev_must.h"

static const struct known_chip {
    const char *name, *text;
} known[] = {
#include "chips.h"
};

static const struct figure {
    const char *name;
    size_t at;
} figures[] = {
#define CHIP_FIGURE(figure) {#figure, offsetof(chip, figure)},
    CHIP_FIGURES(CHIP_FIGURE)
#undef CHIP_FIGURE
};

enum { FIGURES = sizeof figures / sizeof *figures };

static int figure_named(const char *name, size_t length)
{
    for (int i = 0; i < FIGURES; i++)
        if (strlen(figures[i].name) == length && !strncmp(figures[i].name, name, length))
            return i;
    return -1;
}

/* Was it measured? How much shared memory does the system take of each block? And what no probe has measured yet. */
static bool may_be_zero(int i)
{
    return !strcmp(figures[i].name, "measured") || !strcmp(figures[i].name, "shared_reserved") ||
           !strcmp(figures[i].name, "wait_us");
}

/* The figures of a text. What the chip's file says beside them is left alone. */
static bool read_figures(const char *text, chip *c, FILE *say)
{
    bool have[FIGURES] = {false};
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n"), name = strcspn(line, ",\n");
        int i = figure_named(line, name);
        if (i >= 0 && name < n) {
            char *end;
            double v = strtod(line + name + 1, &end);
            if (end == line + name + 1 || *end != ',' || !(v > 0 || (v == 0 && may_be_zero(i))) || v > 1e12) {
                fprintf(say, "CUDA_CPU_MODEL: %s: %s is not a positive number\n", c->name, figures[i].name);
                return false;
            }
            *(double *)((char *)c + figures[i].at) = v;
            have[i] = true;
        }
        line += n + (line[n] == '\n');
    }
    for (int i = 0; i < FIGURES; i++)
        if (!have[i]) {
            fprintf(say, "CUDA_CPU_MODEL: %s: no line for %s\n", c->name, figures[i].name);
            return false;
        }
    return true;
}

static char *text_of_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!f || getdelim(&text, &room, 0, f) < 0) {
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

bool chip_find(const char *name, chip *c, FILE *say)
{
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcasecmp(known[i].name, name)) {
            snprintf(c->name, sizeof c->name, "%s", known[i].name);
            return read_figures(known[i].text, c, say);
        }
    if (strpbrk(name, "/.")) {
        char *text = text_of_file(name);
        if (!text)
            fprintf(say, "CUDA_CPU_MODEL: cannot read %s\n", name);
        bool ok = text && read_figures(text, c, say);
        free(text);
        return ok;
    }
    fprintf(say, "CUDA_CPU_MODEL: no chip '%s'; there are", name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        fprintf(say, " %s", known[i].name);
    fprintf(say, ", or a file that cpudevice/model/probe.cu has made\n");
    return false;
}
