#include "stats.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_quantile(const double *sorted, int n, double p)
{
    double at = p * (n - 1);
    int i = (int)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

Stats stats_of(const double *samples, int n)
{
    double *s = malloc(sizeof *s * (size_t)n);
    memcpy(s, samples, sizeof *s * (size_t)n);
    qsort(s, (size_t)n, sizeof *s, ascending);
    Stats r = {n, s[0], stats_quantile(s, n, 0.25), stats_quantile(s, n, 0.5), stats_quantile(s, n, 0.75), s[n - 1]};
    free(s);
    return r;
}

double stats_paired_ratio(const double *a, const double *b, int n)
{
    if (n == 1)
        return a[0] / b[0];
    double *r = malloc(sizeof *r * (size_t)n);
    for (int i = 0; i < n - 1; i++)
        r[i] = (a[i] + a[i + 1]) / (b[i] + b[i + 1]);
    double median = stats_of(r, n - 1).median;
    free(r);
    return median;
}
