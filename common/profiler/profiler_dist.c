/* profiler_dist.c: running statistics of one quantity (prof_dist): count, sum, extremes, mean and variance by Welford's
 * method, and the values themselves or, past PROF_SAMPLES, a uniform sample of them for the median. Out of memory the
 * sample stays smaller; all else stays exact. */
#include "profiler_core.h"

#include <math.h>
#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{ /* xorshift64* */
    uint64_t x = *state ? *state : 0x9e3779b97f4a7c15u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1du;
}

void prof_dist_add(prof_dist *d, uint64_t v)
{
    if (!d->count || v < d->min)
        d->min = v;
    if (!d->count || v > d->max)
        d->max = v;
    d->count++;
    d->sum += v;
    double delta = (double)v - d->mean; /* Welford */
    d->mean += delta / (double)d->count;
    d->m2 += delta * ((double)v - d->mean);
    if (d->sample_count == d->sample_room && d->sample_room < PROF_SAMPLES) {
        size_t room = d->sample_room ? d->sample_room * 2 : 16;
        uint64_t *s = realloc(d->sample, room * sizeof *s);
        if (s)
            d->sample = s, d->sample_room = room;
    }
    if (d->sample_count < d->sample_room) {
        d->sample[d->sample_count++] = v;
    } else { /* reservoir: each value stays with equal chance */
        uint64_t k = next_random(&d->random) % d->count;
        if (k < d->sample_count)
            d->sample[k] = v;
    }
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

double prof_dist_median(prof_dist *d)
{
    size_t n = d->sample_count;
    if (!n)
        return 0;
    qsort(d->sample, n, sizeof *d->sample, compare_u64);
    return n % 2 ? (double)d->sample[n / 2] : ((double)d->sample[n / 2 - 1] + (double)d->sample[n / 2]) / 2;
}

double prof_dist_stddev(const prof_dist *d) { return d->count > 1 ? sqrt(d->m2 / (double)(d->count - 1)) : 0; }
