/* plot.h: figures through gnuplot, all in one style, as SVG and PNG; and text charts where there is no gnuplot. */
#ifndef PLOT_H
#define PLOT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PlotSeries {
    const char *name;
    const double *x, *y;
    int n;
    int points; /* draw points without a line */
} PlotSeries;

typedef struct Plot {
    const char *title, *xlabel, *ylabel;
    int log_x, log_y;
    const PlotSeries *series;
    int count;
    const char *extra; /* further gnuplot commands, or NULL */
} Plot;

/* 1 if gnuplot answers on this machine. */
int plot_available(void);

/* Draws lines (or points) to BASE.svg and BASE.png; with no gnuplot, or BASE NULL, a text chart on stdout.
 * Returns 0, or -1 with a line on stderr if gnuplot failed or the file cannot be written. */
int plot_lines(const Plot *p, const char *base);

/* Horizontal bars, one a name, in the order given; `unit` labels the axis. Same files, same fallback. */
int plot_bars(const char *title, const char *unit, const char *const *names, const double *values, int n,
              const char *base);

#ifdef __cplusplus
}
#endif
#endif
