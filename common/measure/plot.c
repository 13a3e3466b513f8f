#include "plot.h"

#include "../../cpudevice/include/cpudev_written.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The shared style. Colours: Okabe and Ito's, told apart by colour-blind readers too. */
static const char style[] =
    "set encoding utf8\n"
    "set border 3 lc rgb '#444444'\nset tics nomirror\nset grid lc rgb '#dddddd' lw 1\nset key outside right top\n"
    "set linetype 1 lc rgb '#0072B2' lw 2 pt 7\nset linetype 2 lc rgb '#D55E00' lw 2 pt 5\n"
    "set linetype 3 lc rgb '#009E73' lw 2 pt 9\nset linetype 4 lc rgb '#CC79A7' lw 2 pt 11\n"
    "set linetype 5 lc rgb '#E69F00' lw 2 pt 13\nset linetype 6 lc rgb '#56B4E9' lw 2 pt 6\n"
    "set linetype 7 lc rgb '#000000' lw 2 pt 4\nset linetype 8 lc rgb '#999999' lw 2 pt 8\n"
    "set linetype cycle 8\n";

int plot_available(void)
{
    static int known = -1;
    if (known < 0)
        known = system("command -v gnuplot >/dev/null 2>&1") == 0;
    return known;
}

/* gnuplot's single-quoted strings, the only ones in which it runs nothing (backquotes are commands elsewhere): a quote
 * is doubled, a control character, which could end the line, is a blank. In text the markup characters are escaped, in
 * file names nothing is markup. */
static void quoted_as(FILE *f, const char *s, const char *markup)
{
    fputc('\'', f);
    for (; *s; s++) {
        if (strchr(markup, *s))
            fputc('\\', f);
        else if (*s == '\'')
            fputc('\'', f);
        fputc((unsigned char)*s < ' ' ? ' ' : *s, f);
    }
    fputc('\'', f);
}

static void quoted(FILE *f, const char *s) { quoted_as(f, s, "_^{}@&~\\"); }

static void label(FILE *g, const char *what, const char *text)
{
    fprintf(g, "set %s ", what);
    quoted(g, text ? text : "");
    fputc('\n', g);
}

static FILE *gnuplot_open(const char *base)
{
    char probe[4096];
    snprintf(probe, sizeof probe, "%s.svg", base);
    FILE *f = fopen(probe, "w");
    if (!f) {
        fprintf(stderr, "plot: cannot write %s: %s\n", probe, strerror(errno));
        return NULL;
    }
    fclose(f);
    FILE *g = popen("LC_ALL=C.UTF-8 gnuplot", "w");
    if (g)
        fputs(style, g);
    return g;
}

/* A disk that is full is nothing that gnuplot reports: the file is then not whole, and a byte more does not go in either. */
static int is_whole(const char *base)
{
    char path[4096], end[32] = "";
    snprintf(path, sizeof path, "%s.svg", base);
    FILE *f = fopen(path, "r+");
    if (!f)
        return 0;
    const int whole = fseek(f, -(long)sizeof end + 1, SEEK_END) == 0 &&
                      fread(end, 1, sizeof end - 1, f) == sizeof end - 1 && strstr(end, "</svg>");
    if (!whole && fseek(f, 0, SEEK_END) == 0)
        fputc('\n', f);
    if (written_close(f) || !whole)
        fprintf(stderr, "plot: cannot write %s: %s\n", path, errno ? strerror(errno) : "it is not whole");
    return whole;
}

static int gnuplot_close(FILE *g, const char *base)
{
    int status = pclose(g);
    if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "plot: gnuplot failed\n");
        return -1;
    }
    return is_whole(base) ? 0 : -1;
}

/* Sends `draw` twice: once to the SVG, once to the PNG. */
static void outputs(FILE *g, const char *base, int height, void (*draw)(FILE *, const void *), const void *what)
{
    fprintf(g, "set terminal svg size 900,%d dynamic font 'Helvetica,14' background '#ffffff'\nset output ", height);
    quoted_as(g, base, "");
    fputs(".'.svg'\n", g);
    draw(g, what);
    /* pngcairo is not in every build of gnuplot */
    fprintf(g,
            "unset output\nif (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 900,%d font "
            "'Helvetica,11'; } else { if (strstrt(GPVAL_TERMINALS, ' png ') > 0) { set terminal png size 900,%d } }\n"
            "set output ",
            height, height);
    quoted_as(g, base, "");
    fputs(".'.png'\n", g);
    draw(g, what);
    fputs("unset output\n", g);
}

static void draw_lines(FILE *g, const void *what)
{
    const Plot *p = what;
    fputs("plot ", g);
    for (int i = 0; i < p->count; i++) {
        fprintf(g, "%s$series%d using 1:2 with %s lt %d title ", i ? ", " : "", i,
                p->series[i].points ? "points" : "linespoints", i + 1);
        quoted(g, p->series[i].name);
    }
    fputc('\n', g);
}

static int plot_lines_text(const Plot *p)
{
    enum { W = 72, H = 18 };
    char cell[H][W + 1];
    double x0 = INFINITY, x1 = -INFINITY, y0 = p->log_y ? INFINITY : 0, y1 = -INFINITY;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->series[i].n; k++) {
            double x = p->series[i].x[k], y = p->series[i].y[k];
            if ((p->log_x && !(x > 0)) || (p->log_y && !(y > 0)) || !isfinite(x) || !isfinite(y))
                continue;
            x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
        }
    if (!(x1 >= x0) || !(y1 >= y0))
        return -1;
    for (int r = 0; r < H; r++)
        memset(cell[r], ' ', W), cell[r][W] = 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->series[i].n; k++) {
            double x = p->series[i].x[k], y = p->series[i].y[k];
            double u = p->log_x ? log(x / x0) / log(x1 / x0) : (x - x0) / (x1 - x0);
            double v = p->log_y ? log(y / y0) / log(y1 / y0) : (y - y0) / (y1 - y0);
            if (x1 == x0)
                u = 0.5;
            if (y1 == y0)
                v = 0.5;
            if (u >= 0 && u <= 1 && v >= 0 && v <= 1)
                cell[(int)lround((1 - v) * (H - 1))][(int)lround(u * (W - 1))] = "*o+x#@%&"[i % 8];
        }
    printf("    %s\n", p->title);
    for (int r = 0; r < H; r++)
        printf("    %9.4g |%s\n", p->log_y ? y1 * pow(y0 / y1, r / (H - 1.0)) : y1 + (y0 - y1) * r / (H - 1.0),
               cell[r]);
    printf("    %9s +", "");
    for (int c = 0; c < W; c++)
        putchar('-');
    printf("\n    %9s  %-*.4g%*.4g  %s\n", p->ylabel, W / 2, x0, W / 2, x1, p->xlabel);
    for (int i = 0; i < p->count; i++)
        printf("    %9s  %c %s\n", "", "*o+x#@%&"[i % 8], p -> series[i].name);
    return 0;
}

int plot_lines(const Plot *p, const char *base)
{
    if (!base || !plot_available())
        return plot_lines_text(p);
    FILE *g = gnuplot_open(base);
    if (!g)
        return -1;
    label(g, "title", p->title);
    label(g, "xlabel", p->xlabel);
    label(g, "ylabel", p->ylabel);
    fprintf(g, "%s%s", p->log_x ? "set logscale x\n" : "", p->log_y ? "set logscale y\n" : "set yrange [0:*]\n");
    if (p->extra)
        fprintf(g, "%s\n", p->extra);
    for (int i = 0; i < p->count; i++) {
        fprintf(g, "$series%d << EOD\n", i);
        for (int k = 0; k < p->series[i].n; k++)
            fprintf(g, "%.9g %.9g\n", p->series[i].x[k], p->series[i].y[k]);
        fputs("EOD\n", g);
    }
    outputs(g, base, 500, draw_lines, p);
    return gnuplot_close(g, base);
}

static void plot_bars_text(const char *unit, const char *const *names, const double *values, int n, int indent)
{
    double most = 0;
    int wide = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, values[i]);
        int w = 0;
        for (const char *s = names[i]; *s; s++)
            w += ((unsigned char)*s & 0xc0) != 0x80;
        wide = w > wide ? w : wide;
    }
    for (int i = 0; i < n; i++) {
        int w = 0,
            eighths = values[i] > 0 ? (int)lround(values[i] / most * 40 * 8) : 0; /* what is negative has no bar */
        for (const char *s = names[i]; *s; s++)
            w += ((unsigned char)*s & 0xc0) != 0x80;
        printf("%*s%s%*s  ", indent, "", names[i], wide - w, "");
        for (; eighths >= 8; eighths -= 8)
            fputs("\u2588", stdout);
        static const char *const part[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
        printf("%s %.4g %s\n", part[eighths], values[i], unit);
    }
}

static void draw_bars(FILE *g, const void *what)
{
    (void)what;
    fputs("plot $bars using ($1/2):0:($1/2):(0.38) with boxxyerror lt 1 fs solid 0.85 notitle, "
          "$bars using 1:0:(sprintf(' %.4g', $1)) with labels left notitle\n",
          g);
}

int plot_bars(const char *title, const char *unit, const char *const *names, const double *values, int n,
              const char *base)
{
    if (!base || !plot_available()) {
        printf("    %s\n", title);
        plot_bars_text(unit, names, values, n, 4);
        return 0;
    }
    FILE *g = gnuplot_open(base);
    if (!g)
        return -1;
    label(g, "title", title);
    label(g, "xlabel", unit);
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, values[i]);
    fprintf(g, "set xrange [0:%.9g]\nset yrange [%g:-0.7]\nset grid noytics\n", most > 0 ? 1.12 * most : 1, n - 0.3);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "set ytics (", g);
        quoted(g, names[i]);
        fprintf(g, " %d", i);
    }
    fputs(n ? ")\n$bars << EOD\n" : "$bars << EOD\n", g);
    for (int i = 0; i < n; i++)
        fprintf(g, "%.9g\n", values[i]);
    fputs("EOD\n", g);
    outputs(g, base, 120 + 32 * n, draw_bars, NULL);
    return gnuplot_close(g, base);
}
