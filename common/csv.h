/* csv.h: the lines of the course's CSVs, which labs, the model and Nsight Compute's tables have in common. */
#ifndef CSV_H
#define CSV_H

#include <string.h>

/* Splits a line at its commas, in place, empty cells included; a cell in quotes loses them, and may hold commas. The line's end
 * goes. Returns how many cells there are, `most` at most: what is behind them is left out. */
static inline int csv_split(char *line, char **cell, int most)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *p = line; p && n < most; n++) {
        char *end = *p == '"' ? strchr(p + 1, '"') : NULL;
        cell[n] = end ? p + 1 : p;
        if (end)
            *end++ = 0;
        p = strchr(end ? end : p, ',');
        if (p)
            *p++ = 0;
    }
    return n;
}

/* Does a kernel of this name make a lab's input? Such kernels are called setup_...; a template's name begins with its type. */
static inline int csv_is_setup(const char *kernel)
{
    static const char type[] = "void ", setup[] = "setup_";
    kernel += strncmp(kernel, type, strlen(type)) == 0 ? strlen(type) : 0;
    return strncmp(kernel, setup, strlen(setup)) == 0;
}

#endif
