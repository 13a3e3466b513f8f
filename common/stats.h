/* stats.h: what to say of a handful of timings. Medians and quartiles, never means: one slow run is noise. */
#ifndef STATS_H
#define STATS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Stats {
    int n;
    double min, q1, median, q3, max;
} Stats;

/* Quantile p of [0, 1] of n >= 1 sorted samples, by linear interpolation (Hyndman and Fan's type 7). */
double stats_quantile(const double *sorted, int n, double p);
/* Summary of n >= 1 samples in any order; they are left as they are. */
Stats stats_of(const double *samples, int n);
/* Median of a / b, where a[i] and b[i] ran side by side: a ratio that holds while the machine's clock drifts. A
 * sample of it is two neighbouring rounds' sum, since bench() goes through its subjects forwards and backwards in turn.
 */
double stats_paired_ratio(const double *a, const double *b, int n);

#ifdef __cplusplus
}
#endif
#endif
