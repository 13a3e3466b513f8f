/* side_csv.h: a lab's tables other than the ladder's. For --csv results/h200/x.csv a second table goes to the file
 * results/h200/x_WHAT.csv beside it, headed by the same lines on device, date and command; the only table of a lab
 * without a ladder goes to x.csv itself. */
#ifndef SIDE_CSV_H
#define SIDE_CSV_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "lab.h"
#include "table.h"

/* The file with the lines on its origin, to be closed with lab_close(); `what` is NULL for a lab without a ladder. NULL if
 * --csv was not given; ends the program with one line if the file cannot be written. */
static inline FILE *side_file(const LabOptions *options, const char *what)
{
    if (!options->csv)
        return NULL;
    char path[1024], command[4096];
    size_t n = strlen(options->csv);
    if (n > 4 && strcmp(options->csv + n - 4, ".csv") == 0)
        n -= 4;
    if (what)
        snprintf(path, sizeof path, "%.*s_%s.csv", (int)n, options->csv, what);
    else
        snprintf(path, sizeof path, "%s", options->csv);
    FILE *f = fopen(path, "w");
    if (!f)
        die_usage("cannot write %s: %s", path, strerror(errno));
    lab_written(path);
    char *argv[64];
    int argc = 0;
    FILE *self = fopen("/proc/self/cmdline", "r");
    size_t got = self ? fread(command, 1, sizeof command - 1, self) : 0;
    if (self)
        fclose(self);
    command[got] = 0;
    for (size_t i = 0; i < got && argc < 64; i += strlen(command + i) + 1)
        argv[argc++] = command + i;
    device_provenance(f, argc, argv);
    return f;
}

/* side_file() for a table whose first line is `header`; the rows are the caller's to write. */
static inline FILE *side_csv(const LabOptions *options, const char *what, const char *header)
{
    FILE *f = side_file(options, what);
    if (f)
        fprintf(f, "%s\n", header);
    return f;
}

/* The whole table as it is printed, if --csv was given. */
static inline void side_table(const LabOptions *options, const char *what, const Table *t)
{
    FILE *csv = side_file(options, what);
    if (!csv)
        return;
    table_csv(t, csv);
    lab_close(csv);
}

#endif
