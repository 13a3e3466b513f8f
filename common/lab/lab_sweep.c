#include "lab_internal.h"

#include <limits.h>
#include <stdlib.h>

#include "device.h"
#include "plot.h"

void lab_sweep_add(LabSweep *sweep, double x, double value, int rung, int by_flops)
{
    void *more = realloc(sweep->point, sizeof *sweep->point * (size_t)(sweep->count + 1));
    if (!more)
        die("not enough memory");
    if (sweep->count == 0)
        sweep->by_flops = by_flops;
    sweep->point = more;
    sweep->point[sweep->count].x = x;
    sweep->point[sweep->count].value = value;
    sweep->point[sweep->count++].rung = rung;
}

void lab_sweep_draw(LabSweep *sweep, const Lab *lab, const char *x_name)
{
    PlotSeries *series = calloc((size_t)lab->rung_count, sizeof *series);
    char(*label)[96] = calloc((size_t)lab->rung_count, sizeof *label);
    const char *to = lab_options()->plot;
    int count = 0, types = 0, named = to && to[0];
    for (int i = 0; i < lab->rung_count; i++)
        types |= lab->rungs[i].type != lab->rungs[0].type;
    for (int i = 0; i < lab->rung_count; i++) {
        double *x = malloc(sizeof *x * (size_t)(sweep->count + 1)), *y = malloc(sizeof *y * (size_t)(sweep->count + 1));
        int n = 0;
        for (int k = 0; k < sweep->count; k++)
            if (sweep->point[k].rung == i)
                x[n] = sweep->point[k].x, y[n++] = sweep->point[k].value;
        snprintf(label[i], sizeof *label, "%s%s%s", lab->rungs[i].name, types ? ", " : "",
                 types ? lab_type_name(lab->rungs[i].type) : "");
        if (n)
            series[count++] = (PlotSeries){label[i], x, y, n, 0};
        else
            free(x), free(y);
    }
    char title[160];
    if (*sweep->chip)
        snprintf(title, sizeof title, "%s, by the model of the chip %s: nothing was measured", lab->name, sweep->chip);
    else
        snprintf(title, sizeof title, "%s, %s %s%s", lab->name, device_is_cpu() ? "times of" : "measured on",
                 device_name(), device_is_cpu() ? ": they say nothing about a GPU" : "");
    Plot p = {.title = title,
              .xlabel = x_name,
              .ylabel = sweep->by_flops ? "TFLOP/s" : "GB/s",
              .series = series,
              .count = count};
    char base[PATH_MAX];
    snprintf(base, sizeof base, "%s-sweep", to ? to : "");
    if (plot_lines(&p, named ? base : NULL) == 0 && named && plot_available())
        printf("\n    drawn: %s.svg\n", base);
    for (int i = 0; i < count; i++)
        free((void *)series[i].x), free((void *)series[i].y);
    free(series), free(label), free(sweep->point);
    *sweep = (LabSweep){0};
}
